/// A tournament of blocks: every two blocks meet once, on as many threads as there are, and each block has
/// its meetings in the same order whatever the number of threads; so its sums have the same bits.
///
/// Rounds are those of the circle method: in one round no block plays twice. There is no barrier between
/// rounds: whoever is free takes the next meeting of the list and waits only until both blocks have had all
/// their earlier ones. The earliest meeting under way never waits, so somebody always advances.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace pleiad::cpu {

/// Calls `alone(a)` for each block, then `meet(a, b)` for every pair a < b, on up to `workers` threads.
template <class Alone, class Meet>
void tournament(std::size_t blocks, std::size_t workers, const Alone& alone, const Meet& meet) {
  if (blocks == 1) return alone(0);
  const std::size_t players = blocks + blocks % 2, rounds = players - 1, tables = players / 2;
  std::vector<std::atomic<std::size_t>> had(
      players);  // turns that a block has had: its own first, then one a round
  std::atomic<std::size_t> next{0};
  const auto await = [&](std::size_t block, std::size_t turns) {
    for (int spins = 0; had[block].load(std::memory_order_acquire) != turns; ++spins)
      if (spins > 1000) std::this_thread::yield();
  };
  const auto work = [&](std::size_t) {
    for (std::size_t ticket; (ticket = next.fetch_add(1)) < players + rounds * tables;) {
      if (ticket < players) {
        if (ticket < blocks) alone(ticket);
        had[ticket].store(1, std::memory_order_release);
        continue;
      }
      const std::size_t round = (ticket - players) / tables, table = (ticket - players) % tables;
      const std::size_t a = table == 0 ? rounds : (round + table) % rounds,
                        b = (round + rounds - table) % rounds;
      await(a, round + 1);
      await(b, round + 1);
      if (std::max(a, b) < blocks) meet(std::min(a, b), std::max(a, b));
      had[a].store(round + 2, std::memory_order_release);
      had[b].store(round + 2, std::memory_order_release);
    }
  };
  if (workers == 1) work(0);
  else parallel_for(std::min(tables, workers), work);
}

}  // namespace pleiad::cpu
