#include "lpt/modes.hpp"

#include "core/large_pages.hpp"
#include "core/threads.hpp"

#include <pleiad/rng.hpp>

#include <cmath>
#include <numbers>
#include <utility>

namespace pleiad::lpt {
namespace {

/// A wave vector with each component in 21 bits.
std::uint64_t key_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 21) - 1;
  return (std::uint64_t(x) & mask) | (std::uint64_t(y) & mask) << 21 | (std::uint64_t(z) & mask) << 42;
}

/// Whether this one of a wave vector and its opposite has the random numbers.
bool is_drawn(std::int64_t x, std::int64_t y, std::int64_t z) {
  return z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
}

}  // namespace

std::vector<std::complex<double>> gaussian_modes(std::size_t n, const std::vector<double>& variance,
                                                 const FieldOptions& options) {
  const auto side = std::int64_t(n), most = std::int64_t(largest_wave(n));
  const std::size_t half = n / 2 + 1;
  const std::uint32_t purpose = purpose_of("cosmology/mode");
  auto modes = zeros_in_large_pages<std::complex<double>>(n * n * half);
  const auto drawn = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    Random random(options.seed, key_of(x, y, z), purpose);
    const double u = random.uniform(), phase = 2 * std::numbers::pi * random.uniform();
    double size = std::sqrt(variance[std::size_t(x * x + y * y + z * z)]);
    if (!options.fixed) size *= std::sqrt(-std::log(u));
    // An exact sign, so that the sum with the field of the other sign is 0.
    if (options.paired) size = -size;
    return std::complex<double>{size * std::cos(phase), size * std::sin(phase)};
  };
  parallel_for(n, [&](std::size_t i) {
    const std::int64_t x = std::int64_t(i) <= most ? std::int64_t(i) : std::int64_t(i) - side;
    if (x < -most) return;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t y = std::int64_t(j) <= most ? std::int64_t(j) : std::int64_t(j) - side;
      if (y < -most) continue;
      for (std::int64_t z = 0; z <= most; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        modes[(i * n + j) * half + std::size_t(z)] =
            is_drawn(x, y, z) ? drawn(x, y, z) : std::conj(drawn(-x, -y, -z));
      }
    }
  });
  return modes;
}

std::vector<double> variances(std::size_t n, double length, const std::function<double(double)>& power) {
  const std::size_t most = largest_wave(n);
  std::vector<double> variance(3 * most * most + 1);
  const double volume = length * length * length, fundamental = 2 * std::numbers::pi / length;
  // A number 4^i (8 j + 7) is no sum of three squares.
  const auto is_sum = [](std::size_t square) {
    while (square % 4 == 0) square /= 4;
    return square % 8 != 7;
  };
  for_each_index(variance.size(), [&](std::size_t square) {
    if (square > 0 && is_sum(square))
      variance[square] = power(fundamental * std::sqrt(double(square))) / volume;
  });
  return variance;
}

}  // namespace pleiad::lpt
