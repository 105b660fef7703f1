/// The largest of some errors.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace pleiad::bench {

/// Puts x into `largest` if it is larger. NaN counts as infinite, so that no later number replaces it.
inline void take_larger(double& largest, double x) {
  if (!(x <= largest)) largest = std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
}

}  // namespace pleiad::bench
