/// The terms of the polynomial that the further images of a periodic box are, for the host and for devices:
/// see lattice.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

namespace pleiad::tree::lattice {

constexpr int degree = 12;
/// Number of terms of this degree at most in three coordinates, below degree n.
PLEIAD_HD constexpr int below(int n) { return n * (n + 1) * (n + 2) / 6; }
constexpr int terms = below(degree + 1);
/// Even powers along an axis.
constexpr int half = degree / 2 + 1;

/// The place of x^a y^b z^c: those with a smaller first exponent are before it, then those with a smaller
/// second one, then c.
PLEIAD_HD constexpr int place_of(int a, int b, int c) {
  const int left = degree + 1 - a;
  return terms - below(left) + left * (left + 1) / 2 - (left - b) * (left - b + 1) / 2 + c;
}

PLEIAD_HD constexpr double binomial(int n, int k) {
  double value = 1;
  for (int i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
  return value;
}

}  // namespace pleiad::tree::lattice
