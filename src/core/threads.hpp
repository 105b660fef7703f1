/// Threads: parallel loops over independent blocks, and sums whose bits do not depend on the number of
/// threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace pleiad {

struct Team;

/// Sets the number of threads, in the whole process, of work without a number of its own; 0: as many as the
/// machine offers this process.
void set_threads(int threads);
/// The number in force here: of the innermost WithThreads, else of the process.
int threads();

/// A number of threads of an object, such as an engine; 0: as many as are in force where it is used.
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

/// During its lifetime work of this thread uses these threads, and so does work within that work.
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

/// Joins the values that part(begin, end, values) appends for each block of [0, n), in the order of the
/// blocks.
template <class T, class Part>
std::vector<T> joined_blocks(std::size_t n, const Part& part) {
  constexpr std::size_t block = 65536;
  std::vector<std::vector<T>> parts((n + block - 1) / block);
  for_blocks(
      n, [&](std::size_t begin, std::size_t end) { part(begin, end, parts[begin / block]); }, block);
  std::vector<std::size_t> first(parts.size() + 1);
  for (std::size_t b = 0; b < parts.size(); ++b) first[b + 1] = first[b] + parts[b].size();
  std::vector<T> all(first.back());
  parallel_for(parts.size(),
               [&](std::size_t b) { std::copy(parts[b].begin(), parts[b].end(), all.data() + first[b]); });
  return all;
}

/// During its lifetime `parallel_for` called from this thread stays on it and threads() is 1 here: for work
/// that is one of many pieces and may itself use threads.
class OnThisThread {
 public:
  OnThisThread();
  ~OnThisThread();
  OnThisThread(const OnThisThread&) = delete;
  OnThisThread& operator=(const OnThisThread&) = delete;

 private:
  bool before_;
};

/// Elements of a block of blocked_sum.
inline constexpr std::size_t sum_block = 4096;

/// part(begin, end) of each block of [0, n), in their order. `V` needs += and a zero from V{}.
template <class V, class Part>
std::vector<V> block_sums(std::size_t n, const Part& part) {
  std::vector<V> sums((n + sum_block - 1) / sum_block);
  const auto one = [&](std::size_t b) {
    sums[b] = part(b * sum_block, (b + 1) * sum_block < n ? (b + 1) * sum_block : n);
  };
  if (sums.size() == 1) one(0);
  else parallel_for(sums.size(), one);
  return sums;
}
/// Neighbours are added first, in a fixed tree.
template <class V>
V tree_sum(std::vector<V> sums) {
  for (std::size_t width = 1; width < sums.size(); width *= 2)
    for (std::size_t b = 0; b + width < sums.size(); b += 2 * width) sums[b] += sums[b + width];
  return sums.empty() ? V{} : std::move(sums.front());
}
/// Sum over [0, n) of `part(begin, end)` over blocks added in a fixed tree: the same bits for any number of
/// threads, and for any number of owners of the blocks.
template <class V, class Part>
V blocked_sum(std::size_t n, const Part& part) {
  return tree_sum(block_sums<V>(n, part));
}
/// Folds the results of part(begin, end) for each block of [0, n), in their order, by join(so far, next),
/// beginning with `start`.
template <class V, class Part, class Join>
V blocked_fold(std::size_t n, V start, const Part& part, const Join& join) {
  for (const V& next : block_sums<V>(n, part)) start = join(start, next);
  return start;
}

}  // namespace pleiad
