/// The pulls of bodies with mass on test particles on the host: one-sided direct sums by the arithmetic of
/// cpu/threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"
#include "cpu/direct/rows.hpp"

#include <pleiad/kernel/direct.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace pleiad {

/// The particles among this many neighbours in the order of the bodies are the targets of one loop, whose
/// units follow from them.
constexpr std::size_t particles_together = cpu::most_rows;

template <class P>
class ParticleRows {
 public:
  using T = typename P::Position;

  ParticleRows() = default;
  /// `massive`: must outlive the object.
  explicit ParticleRows(std::span<const Mass<T>> massive) : massive_(massive) {
    if (massive.empty()) return;
    const auto bounds = cpu::bounds_of<T>(massive);
    corners_ = {bounds.low, bounds.high};
  }

  /// The sums of the particles among particles_together neighbours; `problem`: without sources.
  void sum(PairProblem<P> problem, std::span<const Mass<T>> particles,
           std::span<Vec4<typename P::Sum>> sums) const {
    problem.targets = particles, problem.sums = sums;
    problem.self = problem.none;
    problem.sources = corners_;
    const auto scale = cpu::scale_of_rows(problem);
    problem.sources = massive_;
    cpu::rows(problem, scale, 0, particles.size());
  }

 private:
  std::span<const Mass<T>> massive_;
  std::array<Mass<T>, 2> corners_{};
};

}  // namespace pleiad
