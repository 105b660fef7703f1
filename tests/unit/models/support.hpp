/// What the tests of models share: making one, energies by two loops, the Kolmogorov-Smirnov distance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::test {

inline Snapshot made(std::string_view model, const std::vector<std::string>& settings = {},
                     std::uint64_t seed = 1) {
  return make_model(model, settings, seed);
}

inline double kinetic(const Bodies& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += 0.5 * b.mass[i] * dot(b.velocity(i), b.velocity(i));
  return sum;
}

inline double potential(const Bodies& b, double G) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      sum -= G * b.mass[i] * b.mass[j] / norm(b.position(i) - b.position(j));
  return sum;
}

/// T / |W|
inline double virial_ratio(const Snapshot& s) { return kinetic(s.bodies) / -potential(s.bodies, s.G); }

/// Largest distance between the empirical and the given cumulative distribution, times sqrt(n).
/// The probability that it exceeds 2.2 is 2 exp(-2 * 2.2^2) = 1.2e-4 if the draws have that distribution.
template <class Cumulative>
double kolmogorov(std::vector<double> values, Cumulative cumulative) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double worst = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double c = cumulative(values[k]);
    if (std::isnan(c)) return c;
    worst = std::max({worst, c - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - c});
  }
  return worst * std::sqrt(n);
}
inline constexpr double kolmogorov_bound = 2.2;

inline std::vector<double> radii(const Bodies& b) {
  std::vector<double> r(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) r[i] = norm(b.position(i));
  return r;
}

}  // namespace pleiad::test
