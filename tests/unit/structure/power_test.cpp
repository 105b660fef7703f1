/// Power spectra of sets whose spectrum is known.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/power.hpp"

#include "core/threads.hpp"
#include "unit/structure/chosen.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

Boundary cube(double side) { return {.periodic = true, .length = {side, side, side}}; }

Bodies at_random(std::size_t n, double side) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> u(0, side);
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) b.add(1, {u(random), u(random), u(random)}, {});
  return b;
}

}  // namespace

/// A plane wave of masses on a fine lattice, 1 + A cos(k x): V |delta_k|^2 = V A^2 / 4 at k, along an axis
/// and askew, up to nine tenths of the Nyquist frequency, where a spectrum whose second grid had the wrong
/// phase would lose nearly all.
TEST(PowerSpectrum, OfAPlaneWaveIsItsAmplitude) {
  constexpr double side = 10, amplitude = 0.3;
  for (const auto& k : {Vec3<double>{1, 0, 0}, {0, 3, 0}, {0, 0, 14}, {2, 3, 6}, {5, 5, 5}, {14, 2, 1}}) {
    // A lattice of n points has images of the wave n modes away, which the window damps less the nearer they
    // are.
    const auto points = [](double along) { return along > 6 ? 128 : 64; };
    const int nx = points(k.x), ny = points(k.y), nz = points(k.z);
    Bodies b;
    for (int x = 0; x < nx; ++x)
      for (int y = 0; y < ny; ++y)
        for (int z = 0; z < nz; ++z) {
          const Vec3<double> at{double(x) / nx, double(y) / ny, double(z) / nz};
          b.add(1 + amplitude * std::cos(2 * std::numbers::pi * dot(k, at)), side * at, {});
        }
    const auto spectrum = power_spectrum(b, all_of(b), cube(side), {.grid = 32});
    ASSERT_EQ(spectrum.shells.size(), 15u);
    const auto shell = std::size_t(std::llround(norm(k))) - 1;
    for (std::size_t s = 0; s < spectrum.shells.size(); ++s) {
      const auto& found = spectrum.shells[s];
      const double wave = std::pow(side, 3) * amplitude * amplitude / 4 / double(found.modes);
      // The next image that is left is that at 4 k_Ny - k: (k / (4 k_Ny - k))^8 of its power.
      if (s == shell) EXPECT_NEAR(found.power / wave, 1, 1e-3) << norm(k);
      else EXPECT_LT(found.power, 1e-3 * wave) << norm(k) << " in " << s;
    }
  }
}

/// Bodies at random have the power of shot noise at every k, also where it is folded; masses that differ have
/// V sum m^2 / (sum m)^2.
TEST(PowerSpectrum, OfBodiesAtRandomIsShotNoise) {
  constexpr double side = 3;
  auto b = at_random(40000, side);
  for (std::size_t i = 0; i < b.size(); ++i) b.mass[i] = i % 2 == 0 ? 1 : 3;
  const auto spectrum = power_spectrum(b, all_of(b), cube(side), {.grid = 32, .folds = 2});
  EXPECT_NEAR(spectrum.shot_noise, 27.0 / 40000 * 1.25, 1e-12);
  ASSERT_EQ(spectrum.shells.size(), 15u + 12 + 12);
  double k = 0;
  for (const auto& shell : spectrum.shells) {
    EXPECT_GT(shell.k, k);
    k = shell.k;
    // The power of a mode has an exponential distribution.
    EXPECT_NEAR(shell.power / spectrum.shot_noise, 1, 5 / std::sqrt(double(shell.modes))) << shell.k;
  }
  EXPECT_NEAR(k, 2 * std::numbers::pi / side * 15 * 16, 0.1 * k);
  // The modes of a sphere in k: half of 4 pi / 3 (15.5^3 - 0.5^3).
  const auto modes = std::accumulate(spectrum.shells.begin(), spectrum.shells.begin() + 15, 0.0,
                                     [](double sum, const Shell& s) { return sum + double(s.modes); });
  EXPECT_NEAR(modes, 2 * std::numbers::pi / 3 * (std::pow(15.5, 3) - 0.125), 100);
}

TEST(PowerSpectrum, DoesNotDependOnThreadsOrderOrImages) {
  constexpr double side = 2;
  const auto b = at_random(3000, side);
  const auto numbers = [&](const Bodies& bodies) {
    std::vector<double> all;
    for (const auto& s : power_spectrum(bodies, all_of(bodies), cube(side), {.folds = 1}).shells)
      all.insert(all.end(), {s.k, s.power, double(s.modes)});
    return all;
  };
  const auto once = numbers(b);
  for (const int count : {1, 2, 3}) {
    const Threads threads(count);
    const WithThreads with(threads);
    EXPECT_EQ(numbers(b), once) << count;
  }
  Bodies other;
  for (std::size_t k = b.size(); k-- > 0;) other.add(1, b.position(k), {}), other.id.back() = b.id[k];
  EXPECT_EQ(numbers(other), once);
  // Another image of a body is the same body, but for the rounding of its place.
  for (std::size_t k = 0; k < other.size(); ++k) other.x[k] += side * double(k % 3);
  const auto image = numbers(other);
  for (std::size_t k = 0; k < once.size(); ++k) EXPECT_NEAR(image[k] / once[k], 1, 1e-9);
}

/// The shift of all bodies changes phases alone.
TEST(PowerSpectrum, DoesNotDependOnThePlaceOfTheGrid) {
  auto b = at_random(20000, 1);
  for (auto& x : b.x) x = x * x;  // so that there is power
  const auto before = power_spectrum(b, all_of(b), cube(1), {.grid = 32});
  for (std::size_t i = 0; i < b.size(); ++i) b.x[i] += 0.013, b.y[i] -= 0.2171, b.z[i] += 0.0087;
  const auto after = power_spectrum(b, all_of(b), cube(1), {.grid = 32});
  for (std::size_t s = 0; s < before.shells.size(); ++s)
    EXPECT_NEAR(after.shells[s].power / before.shells[s].power, 1, 0.01) << s;
  EXPECT_GT(before.shells[0].power, 20 * before.shot_noise);
}

TEST(PowerSpectrum, RefusesWhatHasNone) {
  auto b = at_random(10, 1);
  const auto refusal = [&](const Boundary& boundary, const PowerOptions& options) -> std::string {
    try {
      (void)power_spectrum(b, all_of(b), boundary, options);
      return "accepted";
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_NE(refusal({}, {}).find("needs a periodic box"), std::string::npos);
  EXPECT_NE(refusal({.periodic = true, .length = {1, 1, 2}}, {}).find("needs a cube; this box is 1 x 1 x 2"),
            std::string::npos);
  for (const std::size_t grid : {1, 2, 5, 2050})
    EXPECT_NE(refusal(cube(1), {.grid = grid}).find("must be even, 4 to 2048"), std::string::npos);
  EXPECT_NE(refusal(cube(1), {.folds = 9}).find("may be 0 to 8"), std::string::npos);
  std::ranges::fill(b.mass, 0.0);
  EXPECT_NE(refusal(cube(1), {}).find("needs bodies with mass"), std::string::npos);
  EXPECT_EQ(grid_for(1), 16u);
  EXPECT_EQ(grid_for(512), 16u);
  EXPECT_EQ(grid_for(513), 32u);
  EXPECT_EQ(grid_for(100000000), 512u);
}

}  // namespace pleiad::structure
