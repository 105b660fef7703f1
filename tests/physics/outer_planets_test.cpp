/// Rounding errors of the energy over long times: the Sun and the outer planets by Wisdom-Holman maps.
///
/// Copies that are turned about the z axis have the same motion, and the same oscillation of the energy by
/// the map, however it changes with time. What differs is rounding.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

constexpr std::size_t copies = 16;
constexpr std::array<std::uint64_t, 6> moments{4096, 8192, 16'384, 32'768, 49'152, 65'536};

/// Of the bodies with their low parts, in long double.
long double exact_energy(const Snapshot& s) {
  using Wide = long double;
  const auto& b = s.bodies;
  std::vector<std::array<Wide, 6>> states(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::array<double, 6> high{b.x[i], b.y[i], b.z[i], b.vx[i], b.vy[i], b.vz[i]};
    for (std::size_t c = 0; c < 6; ++c) states[i][c] = Wide(high[c]) + (b.low.empty() ? 0 : b.low[i][c]);
  }
  Wide energy = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto& p = states[i];
    energy += Wide(b.mass[i]) * (p[3] * p[3] + p[4] * p[4] + p[5] * p[5]) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      Wide d2 = 0;
      for (std::size_t c = 0; c < 3; ++c) d2 += (p[c] - states[j][c]) * (p[c] - states[j][c]);
      energy -= Wide(s.G) * b.mass[i] * b.mass[j] / std::sqrt(d2);
    }
  }
  return energy;
}

/// The Sun and the planets from Jupiter on, with so many times their masses, turned by an angle.
Snapshot outer_planets(double masses, double angle) {
  auto s = make_model("solar-system", std::vector<std::string>{}, 1);
  const Bodies all = s.bodies;
  s.bodies = {};
  const auto turned = [&](Vec3<double> v) {
    return Vec3<double>{std::cos(angle) * v.x - std::sin(angle) * v.y,
                        std::sin(angle) * v.x + std::cos(angle) * v.y, v.z};
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i == 0 || i > 4)
      s.bodies.add(i == 0 ? all.mass[0] : masses * all.mass[i], turned(all.position(i)),
                   turned(all.velocity(i)));
  return s;
}

/// dE/E of each copy at the moments, in steps of half a year: the mean of 64 looks.
std::vector<std::array<double, moments.size()>> energies_of_copies(const char* map, double masses,
                                                                   int corrector) {
  std::vector<std::array<double, moments.size()>> found(copies);
  for (std::size_t copy = 0; copy < copies; ++copy) {
    const auto start = outer_planets(masses, 0.37 + 0.7 * double(copy));
    const double year = 2 * pi / std::sqrt(start.G * start.bodies.mass[0]);
    auto method = fixed(map, year / 2);
    method.corrector = corrector;
    Simulation s(start, Gravity{.G = start.G}, method, in(Precision::f64));
    const auto before = exact_energy(start);
    for (std::size_t m = 0; m < moments.size(); ++m) {
      long double sum = 0;
      for (std::uint64_t look = 0; look < 64; ++look) {
        s.run_towards(1e9, moments[m] + 7 * look - s.step());
        sum += exact_energy(s.snapshot()) / before - 1;
      }
      found[copy][m] = double(sum / 64);
    }
  }
  return found;
}

struct Spread {
  double mean = 0, rms = 0;  ///< rms: about the mean
};
Spread spread_at(const std::vector<std::array<double, moments.size()>>& all, std::size_t moment) {
  Spread s;
  for (const auto& copy : all) s.mean += copy[moment] / double(all.size());
  for (const auto& copy : all) s.rms += (copy[moment] - s.mean) * (copy[moment] - s.mean);
  s.rms = std::sqrt(s.rms / double(all.size() - 1));
  return s;
}

}  // namespace

// From 2000 to 33,000 years: 0.5 for a random walk, 1 for a drift. The rms of sixteen is uncertain by a
// sixth, and the power by 0.08.
TEST(OuterPlanets, RoundingErrorsOfTheEnergyAreARandomWalk) {
  for (const char* map : {"wisdom-holman", "wisdom-holman-jacobi"}) {
    const auto all = energies_of_copies(map, 1, 11);
    const double first = spread_at(all, 0).rms, last = spread_at(all, moments.size() - 1).rms;
    const double power = std::log(last / first) / std::log(double(moments.back()) / double(moments.front()));
    std::cout << map << ": rms " << first << " to " << last << ", power " << power << "\n";
    EXPECT_LE(std::abs(power - 0.5), 0.2) << map;
    // Five times a walk of a fifth of 2^-53 a step.
    EXPECT_LE(last, 5 * 0.2 * 0x1p-53 * std::sqrt(65'536.0)) << map;
  }
}

// Of light planets the error of the corrected map is below rounding, so the mean of all copies shows a common
// drift from 2000 to 33,000 years. It is within four of its deviations of 0.
TEST(OuterPlanets, RoundingErrorsOfTheEnergyHaveNoPreferredSign) {
  for (const char* map : {"wisdom-holman", "wisdom-holman-jacobi"}) {
    auto all = energies_of_copies(map, 1e-4, 11);
    for (auto& copy : all) copy.back() -= copy.front();
    const auto s = spread_at(all, moments.size() - 1);
    std::cout << map << ": mean " << s.mean << ", rms " << s.rms << "\n";
    EXPECT_LE(std::abs(s.mean), 4 * s.rms / std::sqrt(double(copies))) << map;
    EXPECT_LE(s.rms, 5e-15) << map;
  }
}
