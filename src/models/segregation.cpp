#include "models/segregation.hpp"

#include "core/threads.hpp"

#include <pleiad/rng.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace pleiad {
namespace {

/// The numbers 0 to n - 1, from which the one at a place is taken out: a tree of counts (Fenwick 1994).
class Remaining {
 public:
  explicit Remaining(std::size_t n) : counts_(n + 1) {
    for (std::size_t k = 1; k <= n; ++k) counts_[k] = k & (~k + 1);
  }
  std::size_t take(std::size_t place) {
    const std::size_t n = counts_.size() - 1;
    std::size_t at = 0;
    for (std::size_t step = std::bit_floor(n); step > 0; step /= 2)
      if (at + step <= n && counts_[at + step] <= place) at += step, place -= counts_[at];
    for (std::size_t k = at + 1; k <= n; k += k & (~k + 1)) --counts_[k];
    return at;
  }

 private:
  std::vector<std::size_t> counts_;  ///< of the numbers that are left in a range that ends at each
};

/// Numbers of the elements in the order of `before`, equal ones in that of their numbers.
template <class Before>
std::vector<std::size_t> sorted(std::size_t n, const Before& before) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

/// The stars from the deepest orbit on.
std::vector<std::size_t> deepest_first(const std::vector<double>& masses, double degree, std::uint64_t seed) {
  const std::size_t n = masses.size();
  const auto by_mass = sorted(n, [&](std::size_t i, std::size_t j) { return masses[i] > masses[j]; });
  Remaining remaining(n);
  Random random(seed, 0, purpose_of("cluster/segregation"));
  std::vector<std::size_t> stars(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double left = static_cast<double>(n - i);
    const double place = left * (1 - std::pow(random.uniform(), 1 - degree));
    stars[i] = by_mass[remaining.take(std::min(static_cast<std::size_t>(place), n - i - 1))];
  }
  return stars;
}

}  // namespace

std::vector<std::size_t> segregated_orbits(const std::vector<double>& masses, double degree,
                                           std::uint64_t seed,
                                           const std::function<double(std::size_t)>& energy_of) {
  const std::size_t n = masses.size();
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  const double least = *std::min_element(masses.begin(), masses.end());
  // Enough for one in the part of the mass that the lightest star has; 32 for each star at most.
  constexpr double most = 32;
  const auto each = static_cast<std::size_t>(std::clamp(std::ceil(total / double(n) / least), 1.0, most));
  const std::size_t orbits = n * each;
  std::vector<double> energy(orbits);
  for_each_index(orbits, [&](std::size_t k) { energy[k] = energy_of(k); });
  const auto by_energy = sorted(orbits, [&](std::size_t i, std::size_t j) { return energy[i] < energy[j]; });

  const auto stars = deepest_first(masses, degree, seed);
  Random random(seed, 1, purpose_of("cluster/segregation"));
  std::vector<std::size_t> chosen(n);
  double before = 0;
  for (std::size_t i = 0, next = 0; i < n; ++i) {
    const double mass = masses[stars[i]];
    const double part = (before + mass * random.uniform()) / total;
    const auto place = static_cast<std::size_t>(part * static_cast<double>(orbits));
    const std::size_t last = orbits - (n - i);  // leaves one for each that follows
    const std::size_t k = std::clamp(place, next, last);
    chosen[stars[i]] = by_energy[k];
    next = k + 1, before += mass;
  }
  return chosen;
}

}  // namespace pleiad
