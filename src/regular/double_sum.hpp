/// Sums of two doubles, a high and a low part, in which differences of nearly equal places keep their digits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cmath>

namespace pleiad::regular {

/// high + low, with |low| at most half a unit in the last place of high; relative errors are about 2^-104
/// (Dekker 1971, Numer. Math. 18, 224; Knuth's two-sum).
struct DoubleSum {
  double high = 0, low = 0;

  constexpr DoubleSum& operator+=(const DoubleSum& b) {
    const double sum = high + b.high, part = sum - high;
    const double rest = (high - (sum - part)) + (b.high - part) + (low + b.low);
    high = sum + rest;
    low = rest - (high - sum);
    return *this;
  }
  constexpr DoubleSum& operator-=(const DoubleSum& b) { return *this += {-b.high, -b.low}; }
  friend constexpr DoubleSum operator+(DoubleSum a, const DoubleSum& b) { return a += b; }
  friend constexpr DoubleSum operator-(DoubleSum a, const DoubleSum& b) { return a -= b; }
  friend DoubleSum operator*(const DoubleSum& a, double b) {
    const double product = a.high * b;
    return DoubleSum{product, 0} + DoubleSum{std::fma(a.high, b, -product) + a.low * b, 0};
  }
  friend DoubleSum operator*(const DoubleSum& a, const DoubleSum& b) { return a * b.high + a * b.low; }
  /// The quotient of two of them.
  friend DoubleSum operator/(const DoubleSum& a, const DoubleSum& b) {
    const double first = a.high / b.high;
    const double second = (a - b * first).value() / b.high;
    return DoubleSum{first, 0} + DoubleSum{second, 0};
  }
  constexpr double value() const { return high + low; }
};

/// A vector of them.
struct DoubleVec {
  DoubleSum x{}, y{}, z{};
  DoubleVec& operator+=(const DoubleVec& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  friend DoubleVec operator-(DoubleVec a, const DoubleVec& b) {
    a.x -= b.x, a.y -= b.y, a.z -= b.z;
    return a;
  }
  friend DoubleVec operator+(DoubleVec a, const DoubleVec& b) { return a += b; }
  friend DoubleVec operator*(const DoubleVec& a, const DoubleSum& b) { return {a.x * b, a.y * b, a.z * b}; }
};

inline Vec3<double> rounded(const DoubleVec& a) { return {a.x.value(), a.y.value(), a.z.value()}; }

}  // namespace pleiad::regular
