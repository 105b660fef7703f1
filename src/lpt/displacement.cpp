#include "lpt/displacement.hpp"

#include "core/large_pages.hpp"
#include "core/threads.hpp"
#include "lpt/modes.hpp"
#include "structure/fourier.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace pleiad::lpt {
namespace {

using Wave = std::array<double, 3>;

/// Place of a wave number along an axis of n.
std::size_t place_of(std::int64_t wave, std::size_t n) {
  return std::size_t(wave < 0 ? wave + std::int64_t(n) : wave);
}

/// Calls each(wave, place on the grid of n, place on the grid of `large`) for all wave vectors up to
/// largest_wave(n) with k_z >= 0; for those with the same k_x in one thread.
template <class Each>
void for_each_wave(std::size_t n, std::size_t large, const Each& each) {
  const auto most = std::int64_t(largest_wave(n));
  parallel_for(std::size_t(2 * most + 1), [&](std::size_t plane) {
    const std::int64_t x = std::int64_t(plane) - most;
    for (std::int64_t y = -most; y <= most; ++y) {
      const std::size_t row = (place_of(x, n) * n + place_of(y, n)) * (n / 2 + 1),
                        large_row = (place_of(x, large) * large + place_of(y, large)) * (large / 2 + 1);
      for (std::int64_t z = 0; z <= most; ++z)
        each(Wave{double(x), double(y), double(z)}, row + std::size_t(z), large_row + std::size_t(z));
    }
  });
}

/// phi,ij of lap phi = delta on the larger grid.
std::vector<double> second_derivative(const Modes& delta, std::size_t n, std::size_t large, std::size_t i,
                                      std::size_t j) {
  auto modes = zeros_in_large_pages<std::complex<double>>(large * large * (large / 2 + 1));
  for_each_wave(n, large, [&](const Wave& k, std::size_t from, std::size_t to) {
    const double square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (square > 0) modes[to] = k[i] * k[j] / square * delta[from];
  });
  return structure::transformed_back(modes, large, largest_wave(n));
}

}  // namespace

std::size_t padded(std::size_t n) {
  const auto is_fast = [](std::size_t m) {
    for (const std::size_t factor : {2, 3, 5})
      while (m % factor == 0) m /= factor;
    return m == 1;
  };
  std::size_t large = 3 * largest_wave(n) + 1;
  while (!is_fast(large)) ++large;
  return large;
}

Modes second_order_source(const Modes& delta, std::size_t n) {
  const std::size_t large = padded(n);
  // Step by step, so that there are never more than three fields: xx yy, then (xx + yy) zz, then the others.
  auto sum = second_derivative(delta, n, large, 0, 0), source = second_derivative(delta, n, large, 1, 1);
  for_each_index(sum.size(), [&](std::size_t c) {
    const double xx = sum[c], yy = source[c];
    sum[c] = xx + yy, source[c] = xx * yy;
  });
  {
    const auto zz = second_derivative(delta, n, large, 2, 2);
    for_each_index(sum.size(), [&](std::size_t c) { source[c] += sum[c] * zz[c]; });
  }
  sum = {};
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    const auto across = second_derivative(delta, n, large, i, j);
    for_each_index(source.size(), [&](std::size_t c) { source[c] -= across[c] * across[c]; });
  }
  const auto modes = structure::transformed(source, large, largest_wave(n));
  source = {};
  auto out = zeros_in_large_pages<std::complex<double>>(delta.size());
  const double normal = 1 / (double(large) * double(large) * double(large));
  for_each_wave(n, large,
                [&](const Wave&, std::size_t to, std::size_t from) { out[to] = normal * modes[from]; });
  out[0] = 0;  // the mean is 0 but for rounding
  return out;
}

std::vector<double> displacement(const Modes& delta, const Modes& source, std::size_t n, double length,
                                 std::size_t axis, const Factors& factors) {
  auto modes = zeros_in_large_pages<std::complex<double>>(delta.size());
  const double unit = length / (2 * std::numbers::pi);
  for_each_wave(n, n, [&](const Wave& k, std::size_t at, std::size_t) {
    const double square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (!(square > 0)) return;
    // psi1 = i k / k^2 delta, psi2 = -i k / k^2 lap phi2.
    auto sum = factors.first * delta[at];
    if (!source.empty()) sum -= factors.second * source[at];
    modes[at] = std::complex<double>{0, unit * k[axis] / square} * sum;
  });
  return structure::transformed_back(modes, n, largest_wave(n));
}

double bytes_of_source(std::size_t n) {
  const double large = double(padded(n));
  return 3 * 8 * large * large * large + 16 * large * large * (std::floor(large / 2) + 1);
}

double bytes_of_displacement(std::size_t n) {
  const double side = double(n);
  return 8 * side * side * side + 16 * side * side * (std::floor(side / 2) + 1);
}

}  // namespace pleiad::lpt
