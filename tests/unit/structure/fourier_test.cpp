/// Fourier transforms: one plane wave, and back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/fourier.hpp"

#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

using Complex = std::complex<double>;

std::vector<double> random_grid(std::size_t n) {
  Random random(5, n);
  std::vector<double> values(n * n * n);
  for (double& value : values) value = random.normal();
  return values;
}

}  // namespace

/// cos(2 pi k x / n + 1) has the modes k and -k with n^3 / 2 e^(+-i); a transform rounds by 1e-16 log2(n^3).
TEST(Fourier, OfAPlaneWaveIsItsTwoModes) {
  for (const std::size_t n : {6U, 7U}) {
    std::vector<double> values(n * n * n);
    const auto side = double(n);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::cos(
          2 * std::numbers::pi * (2 * double(i / n / n) - double(i / n % n) + double(i % n)) / side + 1);
    const auto modes = transformed(values, n);
    const double size = side * side * side / 2;
    for (std::size_t x = 0; x < n; ++x)
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t z = 0; z <= n / 2; ++z) {
          const bool wave = x == 2 && y == n - 1 && z == 1;
          const auto expected = wave ? size * std::polar(1.0, 1.0) : Complex{};
          EXPECT_LE(std::abs(modes[(x * n + y) * (n / 2 + 1) + z] - expected), 1e-15 * 2 * size) << n;
        }
  }
}

TEST(Fourier, BackGivesTheValuesTimesTheirNumber) {
  for (const std::size_t n : {1U, 2U, 5U, 8U, 14U}) {
    const auto values = random_grid(n);
    auto modes = transformed(values, n);
    std::vector<double> back;
    transform_back(modes, n, back);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(back[i] / double(values.size()), values[i], 1e-14) << n;
  }
}

/// Modes that are said to be 0, or not wanted, are left out, with the same bits of the others.
TEST(Fourier, OfFewModesHasTheBitsOfAll) {
  for (const std::size_t n : {9U, 12U}) {
    const std::size_t most = 2, half = n / 2 + 1;
    const auto all = transformed(random_grid(n), n);
    std::vector<Complex> few;
    transform(random_grid(n), n, few, most);
    std::vector<Complex> kept(all.size());
    for (std::size_t x = 0; x < n; ++x)
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t z = 0; z <= most; ++z)
          if (std::min(x, n - x) <= most && std::min(y, n - y) <= most) {
            const std::size_t i = (x * n + y) * half + z;
            EXPECT_EQ(few[i], all[i]);
            kept[i] = all[i];
          }
    auto same = kept;
    std::vector<double> first, second;
    transform_back(kept, n, first, most);
    transform_back(same, n, second);
    EXPECT_EQ(first, second);
  }
}

}  // namespace pleiad::structure
