/// The nodes of Gauss-Radau quadrature with eight points, and the change between the two forms of a
/// polynomial that passes through values at them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace pleiad::radau {

/// Number of nodes after the first one, which is 0.
inline constexpr std::size_t order = 7;

/// A polynomial without a constant term is b1 s + b2 s^2 + ... + b7 s^7, or in Newton's form
/// g1 s + g2 s (s - h1) + ... + g7 s (s - h1) ... (s - h6). Index 0 of each array is b1, g1 or h1.
struct Constants {
  std::array<double, order> node{};  ///< h, the roots of P7(2 s - 1) + P8(2 s - 1), P being Legendre's
  /// inverse[n][0] = 1 / h(n), inverse[n][k] = 1 / (h(n) - h(k-1)) for 0 < k <= n.
  std::array<std::array<double, order>, order> inverse{};
  /// b[k] = sum over n >= k of power[n][k] g[n].
  std::array<std::array<double, order>, order> power{};
  /// g[k] = sum over n >= k of newton[n][k] b[n].
  std::array<std::array<double, order>, order> newton{};
};

/// The mean over a step of the polynomial through these values at its start and at the nodes.
double mean(double at_start, const std::array<double, order>& at_nodes);

/// Computed in long double from the definitions above, at the first call.
const Constants& constants();

}  // namespace pleiad::radau
