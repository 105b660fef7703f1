/// Gaussian random fields: their statistics, their symmetry, and what they share.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/modes.hpp"

#include "core/threads.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

namespace pleiad::lpt {
namespace {

using Complex = std::complex<double>;

double falling(double k) { return 1 / (1 + k * k); }

struct Field {
  std::size_t n;
  std::vector<Complex> modes;
  Complex at(int x, int y, int z) const {
    const auto place = [&](int k) { return std::size_t(k < 0 ? k + int(n) : k); };
    return modes[(place(x) * n + place(y)) * (n / 2 + 1) + std::size_t(z)];
  }
};
Field field(std::size_t n, const FieldOptions& options = {}, double length = 7) {
  return {n, gaussian_modes(n, variances(n, length, falling), options)};
}

template <class Each>
void for_all(std::size_t n, const Each& each) {
  const int most = int(largest_wave(n));
  for (int x = -most; x <= most; ++x)
    for (int y = -most; y <= most; ++y)
      for (int z = 0; z <= most; ++z) each(x, y, z);
}

}  // namespace

TEST(GaussianModes, HaveTheVarianceOfTheSpectrum) {
  constexpr std::size_t n = 48;
  constexpr double length = 7, fundamental = 2 * std::numbers::pi / length;
  const auto f = field(n);
  // |delta|^2 over its mean has an exponential distribution, with the variance 1, and |delta|^4 the mean 2
  // and the variance 24 - 4; the real and the imaginary part have the variance 1/2, and no covariance.
  double count = 0, square = 0, fourth = 0, real = 0, across = 0;
  for_all(n, [&](int x, int y, int z) {
    if (z == 0) return;  // those are pairs of each other
    const double k = fundamental * std::sqrt(double(x * x + y * y + z * z));
    const Complex mode = f.at(x, y, z) / std::sqrt(falling(k) / (length * length * length));
    const double norm = std::norm(mode);
    count += 1, square += norm, fourth += norm * norm, real += mode.real() * mode.real(),
        across += mode.real() * mode.imag();
  });
  EXPECT_NEAR(square / count, 1, 5 / std::sqrt(count));
  EXPECT_NEAR(fourth / count, 2, 5 * std::sqrt(20 / count));
  EXPECT_NEAR(real / count, 0.5, 5 * std::sqrt(0.5 / count));
  EXPECT_NEAR(across / count, 0, 5 * std::sqrt(0.25 / count));
}

/// Modes of opposite waves are conjugate, to the bit; the mean and the waves of half the grid are 0, for even
/// and odd grids.
TEST(GaussianModes, AreThoseOfARealField) {
  for (const std::size_t n : {2U, 3U, 8U, 9U}) {
    const auto f = field(n);
    for_all(n, [&](int x, int y, int z) {
      if (z == 0) {
        EXPECT_EQ(f.at(x, y, 0), std::conj(f.at(-x, -y, 0))) << n << ": " << x << " " << y;
      }
      EXPECT_EQ(f.at(x, y, z) == Complex{}, x == 0 && y == 0 && z == 0)
          << n << ": " << x << " " << y << " " << z;
    });
    if (n % 2 == 1) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_EQ(f.modes[(i * n + j) * (n / 2 + 1) + n / 2], Complex{});
        EXPECT_EQ(f.modes[(n / 2 * n + i) * (n / 2 + 1) + j / 2], Complex{});
        EXPECT_EQ(f.modes[(i * n + n / 2) * (n / 2 + 1) + j / 2], Complex{});
      }
  }
}

/// A finer grid has the waves of a coarser one, to the bit, and others; so has any number of threads.
TEST(GaussianModes, AreTheSameOnEveryGridAndForAnyNumberOfThreads) {
  const auto coarse = field(12), fine = field(24), odd = field(25);
  for_all(12, [&](int x, int y, int z) {
    EXPECT_EQ(coarse.at(x, y, z), fine.at(x, y, z));
    EXPECT_EQ(coarse.at(x, y, z), odd.at(x, y, z));
  });
  const Threads one(1), three(3);
  std::vector<Complex> first, second;
  {
    const WithThreads with(one);
    first = field(20).modes;
  }
  {
    const WithThreads with(three);
    second = field(20).modes;
  }
  EXPECT_EQ(first, second);
  EXPECT_NE(field(12, {.seed = 2}).modes, coarse.modes);
}

/// Fixed waves have the same phases, and each exactly its mean square (a sine and a cosine, a root: 4
/// roundings); the partner of a field is its negative.
TEST(GaussianModes, CanBeFixedAndPaired) {
  constexpr double length = 7, fundamental = 2 * std::numbers::pi / length;
  const auto plain = field(10), fixed = field(10, {.fixed = true}), pair = field(10, {.paired = true}),
             both = field(10, {.fixed = true, .paired = true});
  for_all(10, [&](int x, int y, int z) {
    if (x == 0 && y == 0 && z == 0) return;
    const double k = fundamental * std::sqrt(double(x * x + y * y + z * z));
    EXPECT_NEAR(std::norm(fixed.at(x, y, z)) * std::pow(length, 3) / falling(k), 1, 4e-15);
    EXPECT_NEAR(std::arg(fixed.at(x, y, z) / plain.at(x, y, z)), 0, 4e-15);
    EXPECT_EQ(pair.at(x, y, z), -plain.at(x, y, z));
    EXPECT_EQ(both.at(x, y, z), -fixed.at(x, y, z));
  });
}

/// Only wave vectors that there are are asked for: the spectrum of a table has no others.
TEST(GaussianModes, AskForThePowerOfTheirOwnScalesAlone) {
  constexpr std::size_t n = 16;
  constexpr double length = 3, fundamental = 2 * std::numbers::pi / length;
  const auto variance = variances(n, length, [&](double k) {
    EXPECT_GE(k, fundamental);
    EXPECT_LE(k, std::sqrt(3.0) * 7 * fundamental * (1 + 1e-15));
    return falling(k);
  });
  ASSERT_EQ(variance.size(), 3 * 49u + 1);
  EXPECT_EQ(variance[0], 0);
  for (int x = 0; x <= 7; ++x)
    for (int y = 0; y <= 7; ++y)
      for (int z = 0; z <= 7; ++z)
        if (x + y + z > 0) {
          EXPECT_GT(variance[std::size_t(x * x + y * y + z * z)], 0);
        }
}

}  // namespace pleiad::lpt
