/// The largest of some errors, with NaN as the largest of all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace pleiad {

/// Puts x into `largest` if it is larger. NaN counts as infinite: std::max would pass over it, and with
/// `if (!(x <= largest)) largest = x` the next number would replace it.
template <class T>
void take_larger(T& largest, std::type_identity_t<T> x) {
  if (!(x <= largest)) largest = std::isnan(x) ? std::numeric_limits<T>::infinity() : x;
}

}  // namespace pleiad
