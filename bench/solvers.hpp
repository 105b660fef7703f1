/// All solvers on one set of bodies: error and time for every order and setting.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/precision.hpp>

#include <string>

namespace pleiad::bench {

struct CurveOptions {
  std::string name;  ///< of the bodies, for the heading
  Precision precision = Precision::mixed;
  Device where = Device::cpu;  ///< cuda: ResourceError without a GPU
  /// Of all together, but for direct sums, which come first: what would take longer than is left is left out.
  double longest_seconds = 300;
};

/// A row for direct sums in each precision and for each tree, order and accuracy parameter on that device,
/// from the largest error (99th percentile, on a sample) to the smallest; a star marks those that nothing
/// beats in both error and time. UsageError below 2 bodies and in a periodic box, which trees do not know.
Report accuracy_curve(const Bodies& bodies, const Gravity& gravity, const CurveOptions& options,
                      const Progress& progress);

/// The plot of its rows, now or earlier: time against error, a line for each solver and order.
std::optional<Plot> plot_of_curve(const Table& table);

}  // namespace pleiad::bench
