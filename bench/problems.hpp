/// The bodies of the scans: one problem per size and precision, shared by all kernels.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/force_problem.hpp"
#include "bench/measure.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/precision.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pleiad::bench {

/// Plummer spheres with eps = 0.01 in Henon units, made when asked for: of equal masses, or of any, which are
/// then 0.5 to 1.5 times these.
class Problems {
 public:
  /// UsageError below 2 bodies: one alone has no error to measure.
  /// In the space that the kernel knows: a kernel for all images gets a periodic box of side 8.
  ForceProblem& get(std::size_t n, Precision precision, Masses masses = Masses::equal,
                    const DirectKernel* kernel = nullptr);
  /// Of unit masses at random in the unit square, without softening: in the plane, or in the periodic square.
  ForceProblem& square(std::size_t n, Precision precision, bool periodic);
  /// A razor-thin exponential disc of scale length 1 whose bodies are in no order, eps 0.001. It
  /// has errors, and for some kernels a speed, that a sphere in open space does not show. UsageError as
  /// above.
  ForceProblem& disc(std::size_t n, Precision precision);
  /// In double precision; UsageError as above.
  const Bodies& bodies(std::size_t n, Masses masses = Masses::equal);

 private:
  std::map<std::pair<std::size_t, Masses>, Bodies> bodies_;
  std::map<std::tuple<std::size_t, Masses, Precision, bool>, std::unique_ptr<ForceProblem>> made_;
  std::map<std::pair<std::size_t, Precision>, std::unique_ptr<ForceProblem>> discs_;
  std::map<std::tuple<std::size_t, Precision, bool>, std::unique_ptr<ForceProblem>> squares_;
};

/// Where a kernel is measured in that precision: cuda/periodic-2d in the plane, and in single precision, that
/// of its publication, in the periodic one too; all others in open space.
std::vector<Space> spaces_of(const DirectKernel& kernel, Precision precision);

/// Their law.
inline const Gravity problem_gravity{.G = 1, .softening = {.eps = 0.01}, .boundary = {}, .dimension = 3};

/// What they are, and how rates are counted: a line of a report.
std::string problem_in_words();

}  // namespace pleiad::bench
