/// Pairs of bodies with block time steps that may come near each other: the parts of their paths between the
/// times at which either of them ends a step.
///
/// A pair is looked at whenever one of the two ends a step, from the later one of the times at which their
/// present steps have begun. The parts of a pair so follow each other without a gap, and both paths are those
/// that pulls see: corrected at the end of a body's own step, predicted before. Bodies whose straight paths
/// stay farther from each other than both reach, with what pulls may bend them by, are left out.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/block_bodies.hpp"
#include "integrate/step_watch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

class BlockPassages {
 public:
  explicit BlockPassages(const BlockBodies& all) : all_(all) {}

  /// The distance from a body, by its place, within which another one matters, as far as it depends on this
  /// one: those of two bodies are added.
  using Reach = std::function<double(std::size_t place)>;

  /// The beginning of a step dt, and wherever all bodies are other ones.
  void begin(const Reach& reach);
  /// Bodies that are new at their places.
  void take(std::span<const std::uint32_t> places, const Reach& reach);
  /// Before the active bodies are corrected: keeps where their steps have begun.
  void keep(std::span<const std::uint32_t> active);
  /// After that, at `now`, in units of dt: the parts of paths, by places, with times within dt.
  std::vector<StepWatch::Part> find(std::span<const std::uint32_t> active, double now);

 private:
  /// A path from the time at which it began.
  struct Begun {
    double from = 0;
    Vec3<double> x{}, v{}, a{}, j{};
    StepWatch::State at(double time) const;
  };
  Begun path(std::size_t k) const;
  static double bend(const Vec3<double>& a, double time) { return norm(a) * time * time; }
  void look_from(std::size_t t, std::span<const std::uint32_t> active, double now,
                 std::vector<StepWatch::Part>& parts) const;

  const BlockBodies& all_;
  std::vector<Begun> begun_;          ///< of the active bodies
  std::vector<std::int32_t> number_;  ///< of each place among the active ones, or -1
  std::vector<double> reach_;         ///< of each place
  std::vector<double> share_;         ///< of each place: what it reaches, and may be bent by in its step
};

}  // namespace pleiad
