#include "integrate/corrector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace pleiad::corrector {
namespace {

/// Pairs are as many times this away from the middle (Wisdom, Holman & Touma 1996): sqrt(7 / 40).
const long double spacing = std::sqrt(7.0L / 40);
constexpr std::size_t most_pairs = 5;

std::size_t pairs_of(int order) { return order == 11 ? 5 : std::size_t(order - 1) / 2; }

/// The coefficients of x^2, x^4, ... in (x / 2) coth(x / 2): cosh(x / 2) divided by sinh(x / 2) / (x / 2).
std::array<long double, most_pairs> series_of_map() {
  std::array<long double, most_pairs + 1> cosh{1}, sinh{1}, quotient{1};
  for (std::size_t k = 1; k <= most_pairs; ++k) {
    const auto n = static_cast<long double>(2 * k);
    cosh[k] = cosh[k - 1] / (4 * n * (n - 1)), sinh[k] = sinh[k - 1] / (4 * n * (n + 1));
    quotient[k] = cosh[k];
    for (std::size_t j = 0; j < k; ++j) quotient[k] -= quotient[j] * sinh[k - j];
  }
  std::array<long double, most_pairs> found{};
  std::copy(quotient.begin() + 1, quotient.end(), found.begin());
  return found;
}

/// The lengths b of n pairs at a, of 2 sum b a^(2k - 1) / (2k - 1)! = -coefficient of x^2k, by elimination.
std::vector<long double> lengths(std::size_t n) {
  const auto series = series_of_map();
  std::array<std::array<long double, most_pairs + 1>, most_pairs> rows{};
  long double factorial = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (k > 0) factorial *= static_cast<long double>(2 * k * (2 * k + 1));
    for (std::size_t i = 0; i < n; ++i)
      rows[k][i] = 2 * std::pow(static_cast<long double>(i + 1) * spacing, static_cast<int>(2 * k + 1));
    rows[k][n] = -series[k] * factorial;
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot)
    for (std::size_t k = 0; k < n; ++k) {
      if (k == pivot) continue;
      const auto factor = rows[k][pivot] / rows[pivot][pivot];
      for (std::size_t i = pivot; i <= n; ++i) rows[k][i] -= factor * rows[pivot][i];
    }
  std::vector<long double> found(n);
  for (std::size_t i = 0; i < n; ++i) found[i] = rows[i][n] / rows[i][i];
  return found;
}

std::vector<Kick> kicks_of(std::size_t pairs) {
  const auto b = lengths(pairs);
  std::vector<Kick> found;
  for (std::size_t i = pairs; i-- > 0;) {
    const auto at = double(static_cast<long double>(i + 1) * spacing), length = double(b[i]);
    found.push_back({-at, -length}), found.push_back({at, length});
  }
  return found;
}

/// What marks a kept state, in place of the last coefficient of a series: no acceleration has so small a one.
double mark_of(int order) { return order * std::numeric_limits<double>::denorm_min(); }
constexpr std::size_t at_dt = 12, at_shown = 13, at_mass = 19, at_mark = 20;

}  // namespace

std::span<const Kick> kicks(int order) {
  static const std::array<std::vector<Kick>, most_pairs + 1> all{kicks_of(0), kicks_of(1), kicks_of(2),
                                                                 kicks_of(3), kicks_of(4), kicks_of(5)};
  return all.at(order == 0 ? 0 : pairs_of(order));
}

void keep_map_state(const Map& map, const DoubleState::Particles& bodies) {
  const std::size_t n = bodies.x.size();
  bodies.series.assign(n, {});
  for (std::size_t i = 0; i < n; ++i) {
    const auto& x = bodies.x[i];
    const auto& v = bodies.v[i];
    auto& kept = bodies.series[i];
    kept = {x.x, x.y, x.z, v.x, v.y, v.z};
    std::ranges::copy(bodies.low[i], kept.begin() + 6);
    kept[at_dt] = map.dt, kept[at_mark] = mark_of(map.order);
  }
}

void keep_shown_state(const DoubleState::Particles& bodies) {
  for (std::size_t i = 0; i < bodies.series.size(); ++i) {
    const auto& x = bodies.x[i];
    const auto& v = bodies.v[i];
    std::ranges::copy(std::array{x.x, x.y, x.z, v.x, v.y, v.z, x.m}, bodies.series[i].begin() + at_shown);
  }
}

bool take_map_state(const Map& map, const DoubleState::Particles& bodies) {
  if (bodies.series.size() != bodies.x.size()) return false;
  for (std::size_t i = 0; i < bodies.series.size(); ++i) {
    const auto& x = bodies.x[i];
    const auto& v = bodies.v[i];
    const auto& kept = bodies.series[i];
    const std::array shown{x.x, x.y, x.z, v.x, v.y, v.z, x.m};
    if (kept[at_mark] != mark_of(map.order) || kept[at_dt] != map.dt ||
        !std::equal(shown.begin(), shown.end(), kept.begin() + at_shown))
      return false;
  }
  for (std::size_t i = 0; i < bodies.series.size(); ++i) {
    auto& x = bodies.x[i];
    auto& v = bodies.v[i];
    const auto& kept = bodies.series[i];
    x.x = kept[0], x.y = kept[1], x.z = kept[2], v.x = kept[3], v.y = kept[4], v.z = kept[5];
    std::copy(kept.begin() + 6, kept.begin() + at_dt, bodies.low[i].begin());
  }
  return true;
}

bool has_map_state(std::span<const std::array<double, 21>> series) {
  const double mark = series.empty() ? 0 : series.front()[at_mark];
  return mark != 0 && mark == mark_of(int(mark / std::numeric_limits<double>::denorm_min())) &&
         mark <= mark_of(11);
}

}  // namespace pleiad::corrector
