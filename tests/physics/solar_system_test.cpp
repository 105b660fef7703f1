/// The solar system over long times.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

Snapshot sun_and_planets() { return make_model("solar-system", std::vector<std::string>{}, 1); }
double year_of(const Snapshot& s) { return 2 * pi / std::sqrt(s.G * s.bodies.mass[0]); }
Gravity law_of(const Snapshot& s) { return {.G = s.G}; }

/// Longitude of the perihelion of Mercury, in arcseconds.
double perihelion(const Snapshot& s) {
  const auto& b = s.bodies;
  const auto e = elements_of(s.G * (b.mass[0] + b.mass[1]), b.position(1) - b.position(0),
                             b.velocity(1) - b.velocity(0));
  return (e.node + e.pericentre) * 180 / pi * 3600;
}

/// The same system about other axes: with the same orbits, and other rounding errors.
Snapshot turned(Snapshot s, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::array<double, 4> q{};
  double square = 0;
  for (auto& each : q) each = normal(random), square += each * each;
  for (auto& each : q) each /= std::sqrt(square);
  const auto [w, x, y, z] = q;
  const auto turn = [&](double& a, double& b, double& c) {
    const Vec3<double> axis{x, y, z}, v{a, b, c};
    const auto cross = [](const Vec3<double>& p, const Vec3<double>& r) {
      return Vec3<double>{p.y * r.z - p.z * r.y, p.z * r.x - p.x * r.z, p.x * r.y - p.y * r.x};
    };
    const auto t = 2 * cross(axis, v), to = v + w * t + cross(axis, t);
    a = to.x, b = to.y, c = to.z;
  };
  auto& b = s.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) turn(b.x[i], b.y[i], b.z[i]), turn(b.vx[i], b.vy[i], b.vz[i]);
  return s;
}

}  // namespace

/// Ten thousand years, in steps of 4 days, against Gauss-Radau, whose errors are those of rounding: 0.1
/// arcseconds a century. The perihelion itself moves by 530 arcseconds a century.
TEST(SolarSystem, PerihelionOfMercuryIsThatOfAConvergedIntegration) {
  const auto start = sun_and_planets();
  const double year = year_of(start);
  auto method = fixed("gauss-radau", year);
  method.adaptive = true;
  Simulation exact(start, law_of(start), method, in(Precision::f64)),
      map(start, law_of(start), fixed("wisdom-holman-jacobi", year * 4 / 365.25), in(Precision::f64));
  double moved = 0;
  for (int k = 1; k <= 10; ++k) {
    const double time = start.time + 1000 * k * year;
    exact.run_until(time), map.run_until(time);
    const double off =
        std::remainder(perihelion(map.snapshot()) - perihelion(exact.snapshot()), 360.0 * 3600);
    EXPECT_LE(std::abs(off), 0.1 * 10 * k) << 1000 * k << " years";
    moved = perihelion(exact.snapshot()) - perihelion(start);
  }
  EXPECT_NEAR(moved / 100, 550, 60);
}

/// The Sun and the outer planets for a million years, turned in 16 ways: what their energies differ by at one
/// time are rounding errors, since the oscillation of the map is the same in all. They grow as a random walk.
TEST(OuterPlanets, RoundingErrorsOfTheEnergyAreARandomWalk) {
  auto start = sun_and_planets();
  auto& b = start.bodies;
  Snapshot outer = start;
  outer.bodies = {};
  for (const std::size_t i : {0, 5, 6, 7, 8}) outer.bodies.add(b.mass[i], b.position(i), b.velocity(i));
  const double year = year_of(start), dt = year / 2;
  constexpr std::array<std::uint64_t, 5> at{20'000, 63'000, 200'000, 630'000, 2'000'000};
  constexpr int copies = 16;
  std::mt19937_64 random(3);
  std::array<std::array<double, copies>, at.size()> errors{};
  for (int copy = 0; copy < copies; ++copy) {
    Simulation s(turned(outer, random), law_of(outer), fixed("wisdom-holman-jacobi", dt), in(Precision::f64));
    const double before = s.energies().total();
    std::uint64_t made = 0;
    for (std::size_t k = 0; k < at.size(); made = at[k++]) {
      s.make_steps(at[k] - made);
      errors[k][std::size_t(copy)] = s.energies().total() / before - 1;
    }
  }
  std::array<double, at.size()> rms{};
  for (std::size_t k = 0; k < at.size(); ++k) {
    double mean = 0;
    for (const double e : errors[k]) mean += e / copies;
    for (const double e : errors[k]) rms[k] += (e - mean) * (e - mean) / (copies - 1);
    rms[k] = std::sqrt(rms[k]);
    EXPECT_LE(std::abs(mean), 1e-6);
  }
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double x = std::log(double(at[k])), y = std::log(rms[k]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double n = at.size(), power = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  RecordProperty("power", std::to_string(power));
  EXPECT_LE(std::abs(power - 0.5), 0.15) << rms[0] << " " << rms[2] << " " << rms[4];
  EXPECT_LE(rms.back(), 1e-12);
}
