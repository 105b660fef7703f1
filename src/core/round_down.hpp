/// Round numbers for people: 1, 2 or 5 times a power of ten.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace pleiad {

/// Returns the largest of 1, 2 or 5 times a power of ten that is not above x, which must be finite and
/// positive. A number that is one of these but for its rounding, to 1e-12 of itself, is returned as that one.
inline double round_down(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x))), lead = x / power * (1 + 1e-12);
  return (lead >= 10 ? 10 : lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

}  // namespace pleiad
