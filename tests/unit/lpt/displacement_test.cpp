/// Displacements of one and of two waves against closed forms.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/displacement.hpp"

#include "core/threads.hpp"
#include "lpt/modes.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

namespace pleiad::lpt {
namespace {

using Wave = std::array<int, 3>;

double scalar(const Wave& a, const Wave& b) { return double(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]); }

/// Adds amplitude cos(k x) to the modes.
void add(Modes& modes, std::size_t n, Wave k, double amplitude) {
  const auto put = [&](const Wave& wave) {
    const auto place = [&](int c) { return std::size_t(c < 0 ? c + int(n) : c); };
    modes[(place(wave[0]) * n + place(wave[1])) * (n / 2 + 1) + std::size_t(wave[2])] += 0.5 * amplitude;
  };
  const Wave opposite{-k[0], -k[1], -k[2]};
  if (k[2] >= 0) put(k);
  if (k[2] <= 0) put(opposite);
}

/// Calls each(place in the box of side 1, index).
template <class Each>
void for_places(std::size_t n, const Each& each) {
  const auto side = double(n);
  std::size_t index = 0;
  for (std::size_t x = 0; x < n; ++x)
    for (std::size_t y = 0; y < n; ++y)
      for (std::size_t z = 0; z < n; ++z)
        each(std::array{double(x) / side, double(y) / side, double(z) / side}, index++);
}
double phase(const Wave& k, const std::array<double, 3>& at) {
  return 2 * std::numbers::pi * (k[0] * at[0] + k[1] * at[1] + k[2] * at[2]);
}

std::vector<double> displaced(const Orders& orders, std::size_t axis, const Factors& factors) {
  Modes work;
  std::vector<double> to;
  displacement(orders, axis, factors, work, to);
  return to;
}

}  // namespace

/// delta = A cos(k x) = -div psi: psi = -A k / k^2 sin(k x), which gathers bodies where the density is high;
/// there is no second order. Transforms round by 1e-16 log2(n^3) of what they add.
TEST(Displacement, OfOneWaveIsZeldovichs) {
  constexpr double amplitude = 0.3, length = 5;
  for (const std::size_t n : {9U, 12U})
    for (const Wave& k : {Wave{1, 0, 0}, {0, 3, 0}, {0, 0, 4}, {2, -3, 4}, {-1, -2, 0}}) {
      Modes delta(n * n * (n / 2 + 1));
      add(delta, n, k, amplitude);
      const auto source = second_order_source(delta, n);
      for (const auto& mode : source) EXPECT_LE(std::abs(mode), 1e-15);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto psi = displaced({delta, source, n, length}, axis, {1, -3.0 / 7});
        for_places(n, [&](const std::array<double, 3>& at, std::size_t i) {
          const double unit = length / (2 * std::numbers::pi);
          EXPECT_NEAR(psi[i], -amplitude * unit * k[axis] / scalar(k, k) * std::sin(phase(k, at)), 1e-14);
        });
      }
    }
}

/// Two waves A cos(k x) and B cos(m x), with the angle t between k and m: lap phi2 = A B sin^2 t cos(k x)
/// cos(m x), waves of k + m and k - m with A B sin^2 t / 2 each, and psi2 = grad phi2 = A B sin^2 t / 2 times
/// (k + m) / |k + m|^2 sin((k + m) x) and the same with k - m. Waves that the grid does not have are left
/// out: here k + m, in the second pair, which without padding would appear as another wave.
TEST(Displacement, OfTwoWavesHasTheirSecondOrder) {
  constexpr std::size_t n = 16;
  constexpr double a = 0.3, b = 0.2, length = 2 * std::numbers::pi;
  for (const auto& [k, m] :
       {std::pair<Wave, Wave>{{1, 0, 0}, {0, 2, 0}}, {{5, 1, 0}, {5, -2, 3}}, {{2, 1, 3}, {1, -3, 2}}}) {
    Modes delta(n * n * (n / 2 + 1));
    add(delta, n, k, a), add(delta, n, m, b);
    const auto source = second_order_source(delta, n);
    const double cosine2 = scalar(k, m) * scalar(k, m) / (scalar(k, k) * scalar(m, m)),
                 size = 0.5 * a * b * (1 - cosine2);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // The second order alone.
      const auto psi = displaced({delta, source, n, length}, axis, {0, 1});
      double largest = 0;
      for_places(n, [&](const std::array<double, 3>& at, std::size_t i) {
        double expected = 0;
        for (const int sign : {1, -1}) {
          const Wave w{k[0] + sign * m[0], k[1] + sign * m[1], k[2] + sign * m[2]};
          if (std::abs(w[0]) > 7 || std::abs(w[1]) > 7 || std::abs(w[2]) > 7) continue;
          expected += size * w[axis] / scalar(w, w) * std::sin(phase(w, at));
        }
        largest = std::max(largest, std::abs(expected));
        EXPECT_NEAR(psi[i], expected, 1e-15) << axis;
      });
      if (axis == 1) {
        EXPECT_GT(largest, 1e-3);
      }
    }
  }
}

/// The padded grid is at least 3/2 of the other, and has fast transforms.
TEST(Displacement, PadsByHalf) {
  EXPECT_EQ(padded(16), 24u);
  EXPECT_EQ(padded(128), 192u);
  EXPECT_EQ(padded(256), 384u);
  for (std::size_t n = 3; n < 200; ++n) EXPECT_GE(padded(n), 3 * largest_wave(n) + 1);
}

/// What an earlier transform has left in the work space does not count.
TEST(Displacement, MayUseItsWorkSpaceAgain) {
  for (const std::size_t n : {10U, 11U}) {
    const auto delta = gaussian_modes(n, variances(n, 1, [](double k) { return 1 / k; }), {});
    const auto source = second_order_source(delta, n);
    const Orders orders{delta, source, n, 1};
    Modes work;
    std::vector<double> to;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      displacement(orders, axis, {1, -0.4}, work, to);
      EXPECT_EQ(to, displaced(orders, axis, {1, -0.4})) << axis;
    }
  }
}

TEST(Displacement, HasTheSameBitsForAnyNumberOfThreads) {
  const auto made = [](int count) {
    const Threads threads(count);
    const WithThreads with(threads);
    constexpr std::size_t n = 10;
    const auto delta = gaussian_modes(n, variances(n, 1, [](double k) { return 1 / k; }), {});
    const auto source = second_order_source(delta, n);
    return displaced({delta, source, n, 1}, 1, {1, -0.4});
  };
  EXPECT_EQ(made(1), made(3));
}

}  // namespace pleiad::lpt
