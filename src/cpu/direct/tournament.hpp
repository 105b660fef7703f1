/// A tournament of blocks: every pair of blocks is computed once, by all threads. Each block adds its matches
/// in an order that does not depend on the number of threads, so its sums always have the same bits.
///
/// Rounds are those of the circle method: in one round no block plays twice. There is no barrier between
/// rounds, and no thread waits for a thread that the system has suspended: a free thread computes the next
/// match of the list. If a block has not had all its earlier matches, the result is left for the thread that
/// adds the last of these. Only if many results are left does a thread wait for a block's turn; the earliest
/// match in progress never waits, so one thread always advances.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pleiad::cpu {

/// Results of matches for blocks, added in the order of turns.
template <class Sums, class Add>
class Ledger {
 public:
  Ledger(std::size_t blocks, const Add& add) : pages_(blocks), add_(add) {}

  /// Adds `sums` to the block when it has had as many turns as come before this one: now, or later by another
  /// thread, for which a copy is left.
  void enter(std::size_t block, std::size_t turn, const Sums& sums) {
    Page& page = pages_[block];
    for (int spins = 0; page.had.load(std::memory_order_acquire) != turn; ++spins) {
      if (left_.fetch_add(1, std::memory_order_relaxed) < most_left) {
        if (leave(page, turn, std::make_unique<Sums>(sums))) return;
      }
      left_.fetch_sub(1, std::memory_order_relaxed);
      if (spins > 1000) std::this_thread::yield();
    }
    add_(block, sums);
    while (const auto next = take_next(page)) {
      add_(block, *next);
      left_.fetch_sub(1, std::memory_order_relaxed);
    }
  }

 private:
  /// Beyond which threads wait: some 30 MB.
  static constexpr int most_left = 1024;
  struct Page {
    std::atomic<std::size_t> had{0};  ///< turns
    std::mutex mutex;                 ///< guards the members below; never held while sums are added
    std::map<std::size_t, std::unique_ptr<Sums>> left;
  };
  /// False when the turn has come meanwhile.
  static bool leave(Page& page, std::size_t turn, std::unique_ptr<Sums> sums) {
    const std::lock_guard lock(page.mutex);
    if (page.had.load(std::memory_order_relaxed) == turn) return false;
    page.left.emplace(turn, std::move(sums));
    return true;
  }
  /// Ends a turn; returns the sums that were left for the next turn, which is then the caller's.
  static std::unique_ptr<Sums> take_next(Page& page) {
    const std::lock_guard lock(page.mutex);
    const std::size_t next = page.had.load(std::memory_order_relaxed) + 1;
    page.had.store(next, std::memory_order_release);
    const auto at = page.left.find(next);
    return at == page.left.end() ? nullptr : std::move(page.left.extract(at).mapped());
  }

  std::vector<Page> pages_;
  const Add& add_;
  std::atomic<int> left_{0};
};

/// The turn of a block in a round: turns 0 and 1 are its match with itself, and of an odd number of blocks
/// each has one round without a match.
constexpr std::size_t turn_of(std::size_t block, std::size_t round, std::size_t blocks) {
  return 2 + round - std::size_t(blocks % 2 == 1 && round > block);
}

/// Match number `ticket` of [0, tickets(blocks)): blocks a <= b; b = blocks where a has no opponent. First
/// come the matches of each block with itself, then the rounds, so that a block has its matches in the order
/// of its turns.
struct Pairing {
  std::size_t a, b, round;
};
constexpr std::size_t tickets(std::size_t blocks) {
  const std::size_t players = blocks + blocks % 2;
  return blocks + (players - 1) * (players / 2);
}
constexpr Pairing pairing(std::size_t ticket, std::size_t blocks) {
  if (ticket < blocks) return {ticket, ticket, 0};
  const std::size_t players = blocks + blocks % 2, rounds = players - 1, tables = players / 2;
  const std::size_t round = (ticket - blocks) / tables, table = (ticket - blocks) % tables;
  const std::size_t one = table == 0 ? rounds : (round + table) % rounds,
                    other = (round + rounds - table) % rounds;
  return {std::min(one, other), std::max(one, other), round};
}
/// Calls use(a, b) for every pair a <= b of blocks, for each block in the order of its turns.
template <class Use>
void for_each_match(std::size_t blocks, const Use& use) {
  for (std::size_t ticket = 0; ticket < tickets(blocks); ++ticket)
    if (const auto [a, b, round] = pairing(ticket, blocks); b < blocks) use(a, b);
}

/// Calls `meet(a, b, to_a, to_b)` for every pair a <= b of blocks, on up to `workers` threads at once, and
/// `add(block, sums)` with the result of each, never two for one block at once: for a block with itself
/// first, to_a before to_b, then for its other matches.
template <class Sums, class Meet, class Add>
void tournament(std::size_t blocks, std::size_t workers, const Meet& meet, const Add& add) {
  Ledger<Sums, Add> ledger(blocks, add);
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t) {
    thread_local Sums to_a, to_b;
    for (std::size_t ticket; (ticket = next.fetch_add(1)) < tickets(blocks);) {
      const auto [a, b, round] = pairing(ticket, blocks);
      if (b == blocks) continue;  // no opponent
      meet(a, b, to_a, to_b);
      ledger.enter(a, a == b ? 0 : turn_of(a, round, blocks), to_a);
      ledger.enter(b, a == b ? 1 : turn_of(b, round, blocks), to_b);
    }
  };
  if (workers == 1) work(0);
  else parallel_for(std::min((blocks + 1) / 2, workers), work);
}

}  // namespace pleiad::cpu
