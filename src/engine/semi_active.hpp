/// Semi-active bodies: they pull the bodies that pull all others and are pulled by them, and not each other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/jerk.hpp"
#include "engine/force_solver.hpp"
#include "engine/test_particles.hpp"
#include "ranks/collective.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// The semi-active bodies of a rank, in blocks of its order. Ranks are cut between blocks, so that sums over
/// blocks have the same bits for any number of ranks and threads.
class SemiActiveBodies {
 public:
  /// None.
  SemiActiveBodies() = default;
  /// Collective.
  SemiActiveBodies(const Bodies& own, const Gravity& gravity, ranks::Communicator& comm);

  /// Whether there are any on any rank.
  bool any() const { return count_ > 0; }
  /// Number on all ranks.
  std::size_t count() const { return count_; }
  /// 1 for each of this rank's bodies that is one, else 0; empty: there are none on any rank.
  std::span<const std::uint8_t> marks() const { return marks_; }
  bool has(std::size_t i) const { return !marks_.empty() && marks_[i] != 0; }
  /// This rank's, by blocks.
  std::span<const std::vector<std::size_t>> blocks() const { return blocks_; }

 private:
  std::vector<std::uint8_t> marks_;
  std::vector<std::vector<std::size_t>> blocks_;
  std::size_t count_ = 0;
};

/// Makes the solver on the host where some bodies are semi-active. `particles`: which bodies pull all others;
/// the rest are semi-active or have no mass. Those that pull all others pull each other by `method`, direct
/// sums. All pairs with the rest are computed in double precision, whatever that of the bodies, so that the
/// pulls in a pair are opposite. Costs: N_massive pairs for each test particle, twice that for each
/// semi-active body. `evaluate` is collective; its problem has this rank's bodies as targets and as sources.
/// Bits depend neither on the number of ranks nor on that of threads. The references outlive the solver.
template <class P>
std::unique_ptr<ForceSolver<P>> make_semi_active_solver(const ForceMethod& method, const Gravity& gravity,
                                                        const ranks::Collective& all,
                                                        const TestParticles& particles,
                                                        const SemiActiveBodies& semi_active);

/// Adds the pulls of semi-active bodies, without G, to the accelerations and, unless empty, the jerks of this
/// rank's bodies that pull all others. Collective.
void add_pulls_of_semi_active(const ranks::Collective& all, const TestParticles& particles,
                              const SemiActiveBodies& semi_active, const cpu::MovingBodies& own,
                              std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks,
                              const Gravity& gravity);

}  // namespace pleiad
