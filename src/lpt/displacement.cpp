#include "lpt/displacement.hpp"

#include "core/large_pages.hpp"
#include "core/threads.hpp"
#include "lpt/modes.hpp"
#include "structure/fourier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace pleiad::lpt {
namespace {

using Wave = std::array<double, 3>;

/// The modes of a grid of `large` places: value(wave, place on the grid of n) for all wave vectors up to
/// largest_wave(n), and 0 for others. `modes` is empty, or such a set that was transformed.
template <class Value>
void set_waves(Modes& modes, std::size_t large, std::size_t n, const Value& value) {
  const std::size_t most = largest_wave(n), half = large / 2 + 1, half_of_n = n / 2 + 1;
  if (modes.empty()) modes = zeros_in_large_pages<std::complex<double>>(large * large * half);
  struct Place {
    bool known;
    double wave;
    std::size_t on_n;
  };
  const auto place_of = [&](std::size_t at) -> Place {
    if (at <= most) return {true, double(at), at};
    if (large - at <= most) return {true, -double(large - at), n - (large - at)};
    return {false, 0, 0};
  };
  parallel_for(large, [&](std::size_t i) {
    const Place x = place_of(i);
    for (std::size_t j = 0; j < large; ++j) {
      const Place y = place_of(j);
      std::complex<double>* const row = modes.data() + (i * large + j) * half;
      if (!x.known || !y.known) {
        std::fill(row, row + most + 1, 0.0);
        continue;
      }
      for (std::size_t z = 0; z <= most; ++z)
        row[z] = value(Wave{x.wave, y.wave, double(z)}, (x.on_n * n + y.on_n) * half_of_n + z);
    }
  });
}

double square_of(const Wave& k) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }

/// Second derivatives phi,ij of lap phi = delta on the larger grid.
struct SecondDerivatives {
  const Modes& delta;
  std::size_t n, large;
  Modes work{};

  void find(std::size_t i, std::size_t j, std::vector<double>& to) {
    set_waves(work, large, n, [&](const Wave& k, std::size_t at) {
      const double square = square_of(k);
      return square > 0 ? k[i] * k[j] / square * delta[at] : 0.0;
    });
    structure::transform_back(work, large, to, largest_wave(n));
  }
};

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
  SecondDerivatives derivatives{.delta = delta, .n = n, .large = large};
  // Step by step, so that there are never more than three fields: xx yy, then (xx + yy) zz, then the others.
  std::vector<double> sum, source, other;
  derivatives.find(0, 0, sum);
  derivatives.find(1, 1, source);
  derivatives.find(2, 2, other);
  for_each_index(source.size(),
                 [&](std::size_t c) { source[c] = sum[c] * source[c] + (sum[c] + source[c]) * other[c]; });
  sum = {};
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    derivatives.find(i, j, other);
    for_each_index(source.size(), [&](std::size_t c) { source[c] -= other[c] * other[c]; });
  }
  other = {};
  auto& modes = derivatives.work;
  structure::transform(source, large, modes, largest_wave(n));
  source = {};
  const double normal = 1 / (double(large) * double(large) * double(large));
  const auto to_large = [&](double wave) { return std::size_t(wave < 0 ? wave + double(large) : wave); };
  Modes out;
  set_waves(out, n, n, [&](const Wave& k, std::size_t) -> std::complex<double> {
    if (!(square_of(k) > 0)) return 0;  // the mean is 0 but for rounding
    return normal * modes[(to_large(k[0]) * large + to_large(k[1])) * (large / 2 + 1) + std::size_t(k[2])];
  });
  return out;
}

void displacement(const Orders& o, std::size_t axis, const Factors& factors, Modes& work,
                  std::vector<double>& to) {
  const double unit = o.length / (2 * std::numbers::pi);
  set_waves(work, o.n, o.n, [&](const Wave& k, std::size_t at) -> std::complex<double> {
    const double square = square_of(k);
    if (!(square > 0)) return 0;
    // psi1 = i k / k^2 delta, psi2 = -i k / k^2 lap phi2.
    auto sum = factors.first * o.delta[at];
    if (!o.source.empty()) sum -= factors.second * o.source[at];
    return std::complex<double>{0, unit * k[axis] / square} * sum;
  });
  structure::transform_back(work, o.n, to, largest_wave(o.n));
}

double bytes_of_source(std::size_t n) {
  const double large = double(padded(n));
  return 3 * 8 * large * large * large + 16 * large * large * (std::floor(large / 2) + 1);
}

}  // namespace pleiad::lpt
