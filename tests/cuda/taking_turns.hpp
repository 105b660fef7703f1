/// Simulated ranks that take turns, so that one thread at a time uses the emulated GPU, which knows only one.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/simulated.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

namespace pleiad {

/// A rank whose turn it is but where it waits for the others.
class TakingTurns final : public ranks::Communicator {
 public:
  TakingTurns(Communicator& of, std::mutex& turn) : of_(of), turn_(turn) {}
  int rank() const override { return of_.rank(); }
  int ranks() const override { return of_.ranks(); }
  void barrier() override {
    meanwhile([&] { of_.barrier(); });
  }
  std::vector<std::size_t> all_to_all(std::span<const std::byte> data, std::span<const std::size_t> begins,
                                      const Room& room) override {
    return meanwhile([&] { return of_.all_to_all(data, begins, room); });
  }
  std::vector<std::size_t> all_gather(std::span<const std::byte> mine, const Room& room) override {
    return meanwhile([&] { return of_.all_gather(mine, room); });
  }
  std::function<void()> begin_broadcast(std::span<std::byte> data, int root) override {
    return [this, there = meanwhile([&] { return of_.begin_broadcast(data, root); })] { meanwhile(there); };
  }
  void sum(std::span<std::uint64_t> values) override {
    meanwhile([&] { of_.sum(values); });
  }
  void max(std::span<double> values) override {
    meanwhile([&] { of_.max(values); });
  }

 private:
  /// The others have their turns while this one is in a call.
  template <class Call>
  std::invoke_result_t<const Call&> meanwhile(const Call& call) {
    struct Pause {
      explicit Pause(std::mutex& m) : turn(m) { turn.unlock(); }
      ~Pause() { turn.lock(); }
      Pause(const Pause&) = delete;
      Pause& operator=(const Pause&) = delete;
      std::mutex& turn;
    };
    const Pause pause(turn_);
    return call();
  }

  Communicator& of_;
  std::mutex& turn_;
};

inline void with_ranks_in_turn(int ranks, const std::function<void(ranks::Communicator&)>& work) {
  std::mutex turn;
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    const std::lock_guard mine(turn);
    TakingTurns one_rank_at_a_time(comm, turn);
    work(one_rank_at_a_time);
  });
}

}  // namespace pleiad
