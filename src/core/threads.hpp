/// Threads: parallel loops over independent blocks, and sums whose bits do not depend on the number of
/// threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace pleiad {

struct Team;

/// How many threads work uses that has no number of its own, in the whole process; 0: as many as the machine
/// offers this process.
void set_threads(int threads);
/// The number in force here: of the innermost WithThreads, else of the process.
int threads();

/// A number of threads of someone's own, an engine's say; 0: as many as are in force where it is used.
class Threads {
 public:
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  friend class WithThreads;
  std::unique_ptr<Team> team_;  ///< null: 0
};

/// While it lives, work that this thread asks for uses these threads, and so does work within that work.
class WithThreads {
 public:
  explicit WithThreads(const Threads& threads);
  ~WithThreads();
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  Team* before_;
};

/// Calls `work(k)` for k in [0, count), in any order, on the threads in force; serial when count < 2 or that
/// is one.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

/// Calls work(begin, end) for blocks that make up [0, n), on all threads.
template <class Work>
void for_blocks(std::size_t n, const Work& work, std::size_t block = 16384) {
  parallel_for((n + block - 1) / block,
               [&](std::size_t b) { work(b * block, std::min(n, (b + 1) * block)); });
}
/// Calls each(i) for all i in [0, n), a block at a time on each thread.
template <class Each>
void for_each_index(std::size_t n, const Each& each, std::size_t block = 8192) {
  for_blocks(
      n,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) each(i);
      },
      block);
}

/// While it lives, `parallel_for` called from this thread stays on it and threads() is 1 here: for work that
/// is one of many pieces and may itself ask for threads.
class OnThisThread {
 public:
  OnThisThread();
  ~OnThisThread();
  OnThisThread(const OnThisThread&) = delete;
  OnThisThread& operator=(const OnThisThread&) = delete;

 private:
  bool before_;
};

/// Sum over [0, n) of `part(begin, end)` over blocks of 4096 added in a fixed tree: the same bits for any
/// number of threads. `V` needs += and a zero from V{}.
template <class V, class Part>
V blocked_sum(std::size_t n, Part part) {
  constexpr std::size_t block = 4096;
  const std::size_t blocks = (n + block - 1) / block;
  std::vector<V> sums(blocks);
  const auto one = [&](std::size_t b) {
    sums[b] = part(b * block, b * block + block < n ? b * block + block : n);
  };
  if (blocks == 1) one(0);
  else parallel_for(blocks, one);
  for (std::size_t width = 1; width < blocks; width *= 2)
    for (std::size_t b = 0; b + width < blocks; b += 2 * width) sums[b] += sums[b + width];
  return blocks == 0 ? V{} : sums[0];
}

}  // namespace pleiad
