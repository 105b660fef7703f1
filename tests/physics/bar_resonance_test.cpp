/// The response of a circular orbit to a weak bar near the outer Lindblad resonance, against linear theory:
/// the bar of Long & Murali (1992) in an exponential disc (Smith et al. 2015).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/simulation.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr double R0 = 2.5;
const std::string disc = "exponential-disc mass=1 scale=1 thickness=0.2",
                  bar = "bar mass=1e-4 length=1 width=0.3 height=0.2";

double potential_at(const std::string& text, double r, double angle) {
  const std::vector<std::string> one{text};
  return field_at(potentials_of(one), 1, {r * std::cos(angle), r * std::sin(angle), 0}).potential;
}
/// Mean over the circle of the bar's potential times cos(m angle).
double bar_mean(int m, double r) {
  double sum = 0;
  for (int k = 0; k < 64; ++k) {
    const double angle = 2 * M_PI * k / 64;
    sum += potential_at(bar, r, angle) * std::cos(m * angle) / 64;
  }
  return sum;
}
double axisymmetric(double r) { return potential_at(disc, r, 0) + bar_mean(0, r); }
/// Of the potential A_2 cos(2 angle).
double amplitude(double r) { return 2 * bar_mean(2, r); }
template <class F>
double slope(const F& f, double r) {
  constexpr double h = 1e-3;
  return (f(r - 2 * h) - f(r + 2 * h) + 8 * (f(r + h) - f(r - h))) / (12 * h);
}

/// Coefficients of the sum of these functions nearest to the values: normal equations by elimination.
template <std::size_t n>
std::array<double, n> fitted(const std::vector<std::array<double, n>>& functions,
                             const std::vector<double>& values) {
  std::array<std::array<double, n + 1>, n> m{};
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) m[i][j] += functions[k][i] * functions[k][j];
      m[i][n] += functions[k][i] * values[k];
    }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double factor = m[j][i] / m[i][i];
      for (std::size_t k = i; k <= n; ++k) m[j][k] -= factor * m[i][k];
    }
  std::array<double, n> result{};
  for (std::size_t i = 0; i < n; ++i) result[i] = m[i][n] / m[i][i];
  return result;
}

}  // namespace

/// Linear theory (Binney & Tremaine 2008, sec. 3.3.3): R - R0 has the part C cos(2 (w - w_b) t) with
/// C = -(A_2' + 2 w A_2 / (R0 (w - w_b))) / (k^2 - 4 (w - w_b)^2), beside the free epicycle. It changes its
/// sign at the resonance w_b = w + k / 2. Terms of second order are some C / R0 of it, 1e-3, times the
/// nearness of the resonance; the bar's part cos(4 angle) is 5 % of the other at 2.5 of its half lengths, but
/// off resonance.
TEST(BarResonance, OfTheOuterLindbladIsThatOfLinearTheory) {
  const double w = std::sqrt(slope(axisymmetric, R0) / R0),
               kappa2 = slope([](double r) { return slope(axisymmetric, r); }, R0) + 3 * w * w,
               kappa = std::sqrt(kappa2);
  std::vector<double> found;
  for (const double nearness : {-0.3, -0.15, 0.15, 0.3}) {
    const double pattern = w + kappa / 2 * (1 + nearness), beat = w - pattern;
    const double expected =
        -(slope(amplitude, R0) + 2 * w * amplitude(R0) / (R0 * beat)) / (kappa2 - 4 * beat * beat);
    const std::vector<std::string> field{disc, fmt::format("{} omega={}", bar, pattern)};
    Snapshot start;
    start.bodies.add(1e-40, {R0, 0, 0}, {0, R0 * w, 0});
    const double dt = 2 * M_PI / w / 200;
    Simulation sim(start, {.softening = {0.1}, .potentials = potentials_of(field)},
                   Method{.integrator = &integrator_named("yoshida6"), .dt = dt},
                   EngineOptions{.precision = Precision::f64, .backend = "cpu"});
    std::vector<std::array<double, 5>> functions;
    std::vector<double> values;
    for (int k = 0; k < 1000; ++k) {
      sim.make_steps(4);
      const auto x = sim.snapshot().bodies.position(0);
      const double t = sim.time();
      functions.push_back(
          {1, std::cos(kappa * t), std::sin(kappa * t), std::cos(2 * beat * t), std::sin(2 * beat * t)});
      values.push_back(std::hypot(x.x, x.y) - R0);
    }
    const auto c = fitted(functions, values);
    EXPECT_NEAR(c[3], expected, 0.05 * std::abs(expected)) << nearness;
    EXPECT_LE(std::abs(c[4]), 0.05 * std::abs(expected)) << nearness;
    found.push_back(c[3]);
  }
  // Away from the resonance on both sides, with opposite signs; nearer to it more.
  EXPECT_LT(found[1] * found[2], 0);
  EXPECT_GT(std::abs(found[1]), 1.5 * std::abs(found[0]));
  EXPECT_GT(std::abs(found[2]), 1.5 * std::abs(found[3]));
}

}  // namespace pleiad
