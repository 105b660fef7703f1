/// Bodies of a young universe: their masses, momenta, velocities and their power spectrum.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/initial_conditions.hpp"

#include "core/threads.hpp"
#include "lpt/spectrum.hpp"
#include "structure/measures.hpp"
#include "structure/power.hpp"
#include "unit/lpt/planck.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::lpt {
namespace {

using std::numbers::pi;

Request request(std::size_t n, double box, double redshift, int order) {
  return {.universe = planck(),
          .power = linear_power({.sigma8 = 0.8102}, planck()),
          .box = box,
          .n = n,
          .redshift = redshift,
          .order = order};
}

/// The spectrum of the bodies, in kpc/h.
structure::PowerSpectrum measured(const Snapshot& s) {
  std::vector<std::size_t> all(s.bodies.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return structure::power_spectrum(s.bodies, all, s.boundary, {});
}

/// Means of the linear spectrum over the shells of structure::power_spectrum, in (kpc/h)^3.
std::vector<double> expected(const Request& r, std::size_t shells) {
  const double back = cosmology::scale_back(r.universe, cosmology::scale_factor_of(r.redshift)),
               fundamental = 2 * pi / r.box;
  std::vector<double> sum(shells), count(shells);
  const int most = int(shells) + 1;
  for (int x = -most; x <= most; ++x)
    for (int y = -most; y <= most; ++y)
      for (int z = -most; z <= most; ++z) {
        const double k = std::sqrt(double(x * x + y * y + z * z));
        const auto shell = std::size_t(std::llround(k));
        if (shell < 1 || shell > shells) continue;
        sum[shell - 1] += 1e9 * back * back * r.power.at(k * fundamental), count[shell - 1] += 1;
      }
  for (std::size_t s = 0; s < shells; ++s) sum[s] /= count[s];
  return sum;
}

}  // namespace

/// With fixed amplitudes the spectrum of the bodies is the linear one without scatter. At z = 1000 the
/// largest displacement is 0.3 % of the distance of two bodies, and terms beyond the first are (k psi)^2 <
/// (pi 0.003)^2 = 1e-4. The displaced lattice has the same wave at k + 4 k_Ny of the grid, times (k + 4 k_Ny)
/// / k, which the window leaves in the spectrum: along an axis 2 (k / (4 k_Ny - k))^3 = 2e-3 of the power at
/// the twelfth shell of k_Ny = 32, and less by a factor of about 3 in the mean over the directions.
TEST(CosmologicalBodies, HaveTheLinearSpectrum) {
  for (const int order : {1, 2}) {
    auto r = request(32, 100, 1000, order);
    r.field.fixed = true;
    const auto ic = initial_conditions(r);
    ASSERT_LT(ic.largest_displacement, 0.01);
    const auto spectrum = measured(ic.snapshot);
    const auto linear = expected(r, 12);
    for (std::size_t s = 0; s < linear.size(); ++s)
      EXPECT_NEAR(spectrum.shells[s].power / linear[s], 1, 1e-3) << order << ": shell " << s;
  }
}

/// Of a random field each mode has the scatter of an exponential distribution: a mean of m has 1 / sqrt(m).
TEST(CosmologicalBodies, HaveTheLinearSpectrumWithinItsScatter) {
  const auto r = request(32, 200, 49, 2);
  const auto spectrum = measured(initial_conditions(r).snapshot);
  const auto linear = expected(r, 12);
  for (std::size_t s = 0; s < linear.size(); ++s)
    EXPECT_NEAR(spectrum.shells[s].power / linear[s], 1, 5 / std::sqrt(double(spectrum.shells[s].modes)))
        << s;
}

/// Linear growth: with the same seed the spectrum at two redshifts has the ratio of the squares of D1. At
/// z = 1000 and 400 displacements are below 1 % of the distance of the bodies.
TEST(CosmologicalBodies, GrowWithTheUniverse) {
  const auto early = request(16, 100, 1000, 2), late = request(16, 100, 400, 2);
  const auto first = initial_conditions(early), second = initial_conditions(late);
  const double growth = std::pow(second.scale_back / first.scale_back, 2);
  EXPECT_NEAR(growth, std::pow(1001.0 / 401, 2), 0.01 * growth);
  EXPECT_NEAR(second.rms_density / first.rms_density, std::sqrt(growth), 1e-12);
  const auto a = measured(first.snapshot), b = measured(second.snapshot);
  // The second order is at most delta = 0.01 of the first; modes of a shell may all be such.
  for (std::size_t s = 0; s < 6; ++s)
    EXPECT_NEAR(b.shells[s].power / a.shells[s].power / growth, 1, 0.02) << s;
}

/// All matter is in the bodies: their mass is Omega_m 3 H0^2 / (8 pi G) of the volume, with H0 = 0.1 km/s
/// per kpc/h; the total momentum is 0 but for rounding.
TEST(CosmologicalBodies, HaveAllMatterAndNoMomentum) {
  const auto ic = initial_conditions(request(15, 50, 49, 2));
  const auto& s = ic.snapshot;
  ASSERT_EQ(s.bodies.size(), 3375u);
  EXPECT_EQ(s.time, 0.02);
  EXPECT_EQ(s.G, units_named("galactic").G());
  EXPECT_TRUE(s.boundary.periodic);
  EXPECT_EQ(s.boundary.length.y, 50000);
  const double total = std::accumulate(s.bodies.mass.begin(), s.bodies.mass.end(), 0.0);
  // The kiloparsec of these units is 1e-7 longer than the IAU's.
  const double H0 = cosmology::hubble_constant(s.units);
  EXPECT_NEAR(H0, 0.1, 2e-8);
  EXPECT_NEAR(total / (0.3111 * 3 * H0 * H0 / (8 * pi * s.G) * std::pow(50000, 3)), 1, 1e-12);
  Vec3<double> momentum, size;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const auto v = s.bodies.velocity(i);
    momentum += v, size += Vec3<double>{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  }
  for (const auto& [p, all] : {std::array{momentum.x, size.x}, {momentum.y, size.y}, {momentum.z, size.z}})
    EXPECT_LE(std::abs(p), 1e-14 * all);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    EXPECT_EQ(s.bodies.id[i], i + 1);
    for (const double x : {s.bodies.x[i], s.bodies.y[i], s.bodies.z[i]}) {
      EXPECT_GE(x, 0);
      EXPECT_LT(x, 50000);
    }
  }
}

/// Zel'dovich: the peculiar velocity is a H f1 times the displacement; of second order the rest is a H f2
/// times the difference of the displacements of both orders.
TEST(CosmologicalBodies, MoveAlongTheirDisplacements) {
  constexpr std::size_t n = 12;
  const auto first = initial_conditions(request(n, 50, 24, 1)),
             second = initial_conditions(request(n, 50, 24, 2));
  const auto growth = cosmology::growth(planck(), 0.04);
  const double hubble = cosmology::hubble_constant(units_named("galactic")) *
                        cosmology::expansion_rate(planck(), 0.04),
               box = 50000;
  const auto nearest = [&](double d) { return d - box * std::round(d / box); };
  double largest = 0;
  for (std::size_t i = 0; i < n * n * n; ++i) {
    const double q = double(i / n % n) / n * box, y1 = first.snapshot.bodies.y[i],
                 y2 = second.snapshot.bodies.y[i];
    const double psi1 = nearest(y1 - q), psi2 = nearest(y2 - y1), v1 = first.snapshot.bodies.vy[i],
                 v2 = second.snapshot.bodies.vy[i];
    // Places are rounded to 4e-12 kpc, times 0.04 * 7 km/s/kpc; the Hubble constant to 1e-15.
    EXPECT_NEAR(v1, 0.04 * hubble * growth.f1 * psi1, 1e-10);
    EXPECT_NEAR(v2 - v1, 0.04 * hubble * growth.f2 * psi2, 1e-10);
    largest = std::max(largest, std::abs(v2 - v1));
  }
  EXPECT_GT(largest, 1);
}

/// Paired fields have displacements of opposite sign at first order and equal ones at second order.
TEST(CosmologicalBodies, OfPairedFieldsMoveApart) {
  constexpr std::size_t n = 10;
  auto r = request(n, 50, 49, 2);
  const auto plain = initial_conditions(r);
  r.field.paired = true;
  const auto pair = initial_conditions(r);
  r.order = 1;
  const auto first = initial_conditions(r);
  for (std::size_t i = 0; i < n * n * n; ++i) {
    const double sum = plain.snapshot.bodies.vx[i] + pair.snapshot.bodies.vx[i],
                 second = pair.snapshot.bodies.vx[i] - first.snapshot.bodies.vx[i];
    EXPECT_NEAR(sum, 2 * second, 1e-11);
  }
}

/// A grid with twice the bodies has the same long waves: bodies of the coarse lattice are moved alike by a
/// spectrum that has nothing else. The fine lattice rounds like the coarse one.
TEST(CosmologicalBodies, AreMovedAlikeOnFinerLattices) {
  auto coarse = request(10, 50, 49, 1), fine = request(20, 50, 49, 1);
  const auto long_waves = [](double k) { return k < 4.5 * 2 * pi / 50 ? 100 * std::exp(-k) : 0; };
  coarse.power.at = fine.power.at = long_waves;
  const auto a = initial_conditions(coarse).snapshot.bodies, b = initial_conditions(fine).snapshot.bodies;
  for (std::size_t x = 0; x < 10; ++x)
    for (std::size_t y = 0; y < 10; ++y)
      for (std::size_t z = 0; z < 10; ++z) {
        const std::size_t i = (x * 10 + y) * 10 + z, j = (2 * x * 20 + 2 * y) * 20 + 2 * z;
        EXPECT_NEAR(a.x[i], b.x[j], 1e-8);
        EXPECT_NEAR(a.vz[i], b.vz[j], 1e-11);
      }
}

TEST(CosmologicalBodies, AreTheSameForAnyNumberOfThreads) {
  const auto made = [](int count) {
    const Threads threads(count);
    const WithThreads with(threads);
    return initial_conditions(request(14, 50, 49, 2));
  };
  const auto one = made(1), three = made(3);
  EXPECT_EQ(one.snapshot.bodies, three.snapshot.bodies);
  EXPECT_EQ(one.rms_displacement, three.rms_displacement);
}

TEST(CosmologicalBodies, AreRefusedWhereTheyMakeNoSense) {
  const auto refused = [](auto change) {
    auto r = request(16, 50, 49, 2);
    change(r);
    EXPECT_THROW(initial_conditions(r), UsageError);
  };
  refused([](Request& r) { r.n = 2; });
  refused([](Request& r) { r.n = 5000; });
  refused([](Request& r) { r.box = 0; });
  refused([](Request& r) { r.box = std::numeric_limits<double>::quiet_NaN(); });
  refused([](Request& r) { r.redshift = -0.5; });
  refused([](Request& r) { r.order = 3; });
  refused([](Request& r) { r.universe.omega_m = 0; });
  // A table without the longest wave, and one without the shortest, of sqrt(3) 7 2 pi / 50 = 1.52 h/Mpc.
  refused([](Request& r) { r.power.range = {0.13, 10}; });
  refused([](Request& r) { r.power.range = {0.01, 1.5}; });
  auto enough = request(16, 50, 49, 2);
  enough.power.range = {0.12, 1.6};
  EXPECT_EQ(initial_conditions(enough).snapshot.bodies.size(), 4096u);
  auto much = request(4096, 50, 49, 2);
  EXPECT_THROW(initial_conditions(much), ResourceError);
}

}  // namespace pleiad::lpt
