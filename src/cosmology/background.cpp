/// Integrals over the scale factor: kick, drift, time and distance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace pleiad::cosmology {
namespace {

/// The rule of Gauss and Legendre on [-1, 1].
struct Rule {
  static constexpr std::size_t points = 8;
  std::array<double, points> place{}, weight{};

  /// Places are the roots of the Legendre polynomial P, weights 2 / ((1 - x^2) P'(x)^2).
  Rule() {
    for (std::size_t k = 0; k < points; ++k) {
      double x = std::cos(std::numbers::pi * (double(k) + 0.75) / (points + 0.5)), slope = 1;
      for (int iteration = 0; iteration < 50; ++iteration) {
        double before = 1, p = x;
        for (std::size_t n = 2; n <= points; ++n) {
          const double next = (double(2 * n - 1) * x * p - double(n - 1) * before) / double(n);
          before = p, p = next;
        }
        slope = double(points) * (x * p - before) / (x * x - 1);
        const double change = p / slope;
        x -= change;
        if (std::abs(change) < 1e-16) break;
      }
      place[k] = x, weight[k] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

/// Integral over ln a of a^power / E(a), in panels of at most a quarter: the integrand has its nearest
/// singularity at a distance of about pi / 3, where matter and dark energy cancel, so that the rule's error
/// in a panel is (2 (pi / 3) / (1 / 8))^-16 = 3e-20.
double integral(const Cosmology& c, double from, double to, int power) {
  if (from == to) return 0;
  static const Rule rule;
  const double begin = std::log(from), length = std::log(to / from);
  const int panels = int(std::ceil(std::abs(length) * 4));
  const double half = 0.5 * length / panels;
  double sum = 0;
  for (int panel = 0; panel < panels; ++panel)
    for (std::size_t k = 0; k < Rule::points; ++k) {
      const double a = std::exp(begin + half * (2 * panel + 1 + rule.place[k]));
      const double scale = power == 0 ? 1 : power == -1 ? 1 / a : 1 / (a * a);
      sum += rule.weight[k] * scale / expansion_rate(c, a);
    }
  return half * sum;
}

}  // namespace

double kick(const Cosmology& c, double from, double to) { return integral(c, from, to, -1); }
double drift(const Cosmology& c, double from, double to) { return integral(c, from, to, -2); }
double elapsed(const Cosmology& c, double from, double to) { return integral(c, from, to, 0); }

double age(const Cosmology& c, double a) {
  // What is before: t is proportional to a^(3/2) or a^2 at early times, so 1e-12 a is 1e-18 of the time.
  return elapsed(c, 1e-12 * a, a);
}

double comoving_distance(const Cosmology& c, double a) { return kick(c, a, 1); }

}  // namespace pleiad::cosmology
