#include "control/pair_times.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace pleiad::control {
namespace {

/// The shorter of the times of a fall and of a passage of a pair with its distance, speed and masses.
double shortest_time(double r, double speed, double Gm) {
  const double falls = r * std::sqrt(r / Gm);
  return speed > 0 ? std::min(falls, r / speed) : falls;
}

/// Infinite where the pair is not bound.
double period_of(double r, double speed2, double Gm) {
  const double energy = Gm / r - 0.5 * speed2, a = 0.5 * Gm / energy;
  if (!(energy > 0)) return std::numeric_limits<double>::infinity();
  return 2 * std::numbers::pi * a * std::sqrt(a / Gm);
}

}  // namespace

PairTimes pair_times(const Bodies& b, double G, double eps) {
  constexpr std::size_t most_pairs = 20'000'000;
  const std::size_t n = b.size();
  if (n == 0) return {};
  const std::size_t taken = std::clamp<std::size_t>(most_pairs / n, 64, 4096),
                    every = (n + taken - 1) / taken;
  std::vector<PairTimes> of((n + every - 1) / every);
  for_each_index(of.size(), [&](std::size_t k) {
    const std::size_t i = k * every;
    auto& mine = of[k];
    double period = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < n; ++j) {
      const double mass = b.mass[i] + b.mass[j];
      if (j == i || !(mass > 0)) continue;
      const auto d = b.position(j) - b.position(i), u = b.velocity(j) - b.velocity(i);
      const double r = std::sqrt(dot(d, d) + eps * eps);
      if (!(r > 0)) continue;
      mine.shortest = std::min(mine.shortest, shortest_time(r, norm(u), G * mass));
      period = std::min(period, period_of(r, dot(u, u), G * mass));
      const double lost = 0x1p-53 * norm(b.position(i)) / r * (G * b.mass[i] * b.mass[j] / r);
      mine.rounding = std::max(mine.rounding, lost);
    }
    if (std::isfinite(period)) mine.period = period;
  });
  PairTimes all;
  for (const auto& mine : of) {
    all.shortest = std::min(all.shortest, mine.shortest), all.period = std::max(all.period, mine.period);
    all.rounding = std::max(all.rounding, mine.rounding);
  }
  double mass = 0, heaviest = 0;
  for (const double m : b.mass) mass += m, heaviest = std::max(heaviest, m);
  all.dominated = heaviest > mass / 2;
  return all;
}

}  // namespace pleiad::control
