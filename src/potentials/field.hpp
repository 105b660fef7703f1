/// The field of an external potential at one position, for numbers of any kind: double on the CPU and on the
/// GPU, Dual where the time derivative along an orbit is needed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cmath>

namespace pleiad::potentials {

/// G included.
template <class T>
struct Field {
  Vec3<T> acceleration{};
  T potential{};
};

/// A number and its time derivative. The functions below give both (forward differentiation), so an
/// acceleration of Duals holds the jerk.
struct Dual {
  double value = 0, rate = 0;
  constexpr Dual() = default;
  PLEIAD_HD constexpr Dual(double v, double r = 0) : value(v), rate(r) {}

  PLEIAD_HD constexpr Dual& operator+=(Dual b) { return value += b.value, rate += b.rate, *this; }
  PLEIAD_HD constexpr Dual& operator-=(Dual b) { return value -= b.value, rate -= b.rate, *this; }
  PLEIAD_HD constexpr Dual& operator*=(Dual b) {
    rate = rate * b.value + value * b.rate;
    value *= b.value;
    return *this;
  }
  PLEIAD_HD constexpr Dual& operator/=(Dual b) {
    value /= b.value;
    rate = (rate - value * b.rate) / b.value;
    return *this;
  }
  PLEIAD_HD friend constexpr Dual operator+(Dual a, Dual b) { return a += b; }
  PLEIAD_HD friend constexpr Dual operator-(Dual a, Dual b) { return a -= b; }
  PLEIAD_HD friend constexpr Dual operator*(Dual a, Dual b) { return a *= b; }
  PLEIAD_HD friend constexpr Dual operator/(Dual a, Dual b) { return a /= b; }
  PLEIAD_HD friend constexpr Dual operator-(Dual a) { return {-a.value, -a.rate}; }
  PLEIAD_HD friend constexpr bool operator<(Dual a, Dual b) { return a.value < b.value; }
  PLEIAD_HD friend constexpr bool operator>(Dual a, Dual b) { return a.value > b.value; }
  PLEIAD_HD friend constexpr bool operator==(Dual a, Dual b) { return a.value == b.value; }
};
/// The derivative at 0 is taken as 0: the field of a kind that needs the root of 0 vanishes there.
PLEIAD_HD inline Dual sqrt(Dual a) {
  const double root = std::sqrt(a.value);
  return {root, root > 0 ? a.rate / (2 * root) : 0};
}
PLEIAD_HD inline Dual sin(Dual a) { return {std::sin(a.value), std::cos(a.value) * a.rate}; }
PLEIAD_HD inline Dual cos(Dual a) { return {std::cos(a.value), -std::sin(a.value) * a.rate}; }
PLEIAD_HD inline Dual exp(Dual a) {
  const double value = std::exp(a.value);
  return {value, value * a.rate};
}
PLEIAD_HD inline Dual log(Dual a) { return {std::log(a.value), a.rate / a.value}; }
PLEIAD_HD inline Dual log1p(Dual a) { return {std::log1p(a.value), a.rate / (1 + a.value)}; }

}  // namespace pleiad::potentials
