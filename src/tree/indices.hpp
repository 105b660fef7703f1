/// Multi-indices (a, b, c) of x^a y^b z^c in one order: by n = a + b + c, then by b + c, then by c.
///
/// In a harmonic function the components with c >= 2 follow from the others (the trace vanishes), so "folded"
/// arrays have only those with c <= 1: 2n + 1 of order n.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::tree {

/// The number of multi-indices of an order below n.
constexpr int below(int n) { return n * (n + 1) * (n + 2) / 6; }
constexpr int index_of(int a, int b, int c) { return below(a + b + c) + (b + c) * (b + c + 1) / 2 + c; }

struct Exponents {
  int a, b, c;
  constexpr int order() const { return a + b + c; }
};
constexpr Exponents exponents(int index) {
  int n = 0;
  while (below(n + 1) <= index) ++n;
  const int rest = index - below(n);
  int s = 0;
  while ((s + 1) * (s + 2) / 2 <= rest) ++s;
  const int c = rest - s * (s + 1) / 2;
  return {n - s, s - c, c};
}

/// The place of a component with c <= 1 among the folded ones of all orders: n^2 are of an order below n.
constexpr int folded_index(int a, int b, int c) {
  const int n = a + b + c, first = n * n;
  return first + 2 * (b + c) - (b + c > 0 ? 1 : 0) + (c > 0 ? 1 : 0);
}

/// For forces of order p. Moments have the orders 0 to p-1, about the centre of mass, so that order 1 is not
/// there; local expansions have the orders 0 to p.
constexpr int moments(int p) { return below(p) - 3; }
constexpr int moment_index(int index) { return index == 0 ? 0 : index - 3; }
constexpr int folded_moments(int p) { return p * p - 3; }
constexpr int folded_moment_index(int folded) { return folded == 0 ? 0 : folded - 3; }
constexpr int locals(int p) { return below(p + 1); }
constexpr int folded_locals(int p) { return (p + 1) * (p + 1); }

/// Multipole record of a cell for bodies: mass, unit of length, then polynomials for each order n from 2 to p
/// - 1: all of trace k = 0 (the Newtonian ones end here), then those of the k-fold traces, n after n.
constexpr int components(int n) { return (n + 1) * (n + 2) / 2; }
constexpr int m2p_numbers(int p) { return below(p) - 2; }
constexpr int softened_m2p_numbers(int p) {
  int count = m2p_numbers(p);
  for (int n = 2; n < p; ++n)
    for (int k = 1; 2 * k <= n; ++k) count += components(n - 2 * k);
  return count;
}

}  // namespace pleiad::tree
