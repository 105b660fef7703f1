/// Sums of two doubles, high and low, to which increments are added without the loss of their last digits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

namespace pleiad {

/// Returns high + low + increment, rounded to double, and sets `low` to the remainder (Knuth's two-sum, the
/// low parts first).
PLEIAD_HD inline double two_sum(double high, double& low, double increment) {
  const double part = increment + low, all = high + part, rest = all - high;
  low = (high - (all - rest)) + (part - rest);
  return all;
}

}  // namespace pleiad
