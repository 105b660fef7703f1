/// Diagnostics from totals and bodies: energy error, virial ratio, Lagrangian radii.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/diagnostics.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace pleiad {
namespace {

/// Squared distance to a centre, and a body; equal distances by index, so that the order has one answer.
using Place = std::pair<double, std::size_t>;

/// Of these members, in their order. What is no number is farthest of all.
std::vector<double> squared_distances(const Bodies& b, Vec3<double> centre,
                                      const std::vector<std::size_t>& members) {
  constexpr double farthest = std::numeric_limits<double>::infinity();
  std::vector<double> r2(members.size());
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto d = b.position(members[k]) - centre;
    const double square = dot(d, d);
    r2[k] = square < farthest ? square : farthest;
  }
  return r2;
}

/// Grows with the distance: exponent and eight bits of the fraction in single precision.
std::uint32_t bucket_of(double r2) { return std::bit_cast<std::uint32_t>(static_cast<float>(r2)) >> 15; }

/// Where the weights of the members, nearest first, reach each of `wanted`; the last one where rounding keeps
/// them from it. A look at a run asks this at every row: only the bodies of the buckets in which an answer
/// lies are sorted, the others are summed.
template <class Weight>
std::vector<Place> reached(const std::vector<double>& r2, const std::vector<std::size_t>& members,
                           Weight weight, std::span<const double> wanted) {
  if (members.empty()) return std::vector<Place>(wanted.size());
  const auto [nearest, farthest] = std::ranges::minmax(r2);
  const std::uint32_t first = bucket_of(nearest), last = bucket_of(farthest);
  std::vector<double> sums(last - first + 1);
  for (std::size_t k = 0; k < r2.size(); ++k) sums[bucket_of(r2[k]) - first] += weight(members[k]);
  std::vector<Place> places;
  for (const double all : wanted) {
    double inside = 0;
    std::uint32_t bucket = first;
    while (bucket < last && inside + sums[bucket - first] < all) inside += sums[bucket++ - first];
    std::vector<Place> here;
    for (std::size_t k = 0; k < r2.size(); ++k)
      if (bucket_of(r2[k]) == bucket) here.emplace_back(r2[k], members[k]);
    std::ranges::sort(here);
    auto place = here.begin();  // there is one: the bucket holds weight, or is the first or the last
    while (!((inside += weight(place->second)) >= all) && place + 1 < here.end()) ++place;
    places.push_back(*place);
  }
  return places;
}

std::vector<std::size_t> everyone(const Bodies& b) {
  std::vector<std::size_t> all(b.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

std::vector<double> lagrangian_radii(const Bodies& b, Vec3<double> centre,
                                     std::span<const double> fractions) {
  const auto all = everyone(b);
  const double total = std::accumulate(b.mass.begin(), b.mass.end(), 0.0);
  std::vector<double> wanted;
  for (const double f : fractions) wanted.push_back(f * total);
  const auto mass = [&](std::size_t i) { return b.mass[i]; };
  std::vector<double> radii;
  for (const auto& [r2, i] : reached(squared_distances(b, centre, all), all, mass, wanted))
    radii.push_back(std::sqrt(r2));
  return radii;
}

Vec3<double> density_centre(const Bodies& b) {
  auto members = everyone(b);
  Vec3<double> centre = centre_of_mass(b).position;
  const std::size_t least = std::max<std::size_t>(b.size() / 10, 1);
  while (members.size() / 2 >= least && members.size() > 8) {
    const auto r2 = squared_distances(b, centre, members);
    const std::array half{static_cast<double>(members.size() / 2)};
    const auto edge = reached(
                          r2, members, [](std::size_t) { return 1.0; }, half)
                          .front();
    double mass = 0;
    Vec3<double> sum{};
    std::vector<std::size_t> inner;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto i = members[k];
      if (Place(r2[k], i) > edge) continue;
      mass += b.mass[i];
      sum += b.mass[i] * b.position(i);
      inner.push_back(i);
    }
    if (!(mass > 0)) break;
    centre = sum * (1 / mass);
    members = std::move(inner);
  }
  return centre;
}

Diagnostics diagnose(const Totals& totals, double time, std::uint64_t step, double reference_energy) {
  const auto& energies = totals.energies;
  const double change = energies.total() - reference_energy;
  return {.time = time,
          .step = step,
          .energies = energies,
          .energy_error = reference_energy == 0 ? change : change / std::abs(reference_energy),
          .momentum = totals.momentum,
          .angular_momentum = totals.angular_momentum,
          .centre = totals.centre,
          .virial_ratio = energies.potential == 0 ? 0 : energies.kinetic / std::abs(energies.potential)};
}

void add_radii(Diagnostics& d, const Bodies& b) {
  const auto radii = lagrangian_radii(b, density_centre(b), lagrangian_fractions);
  std::copy(radii.begin(), radii.end(), d.lagrangian_radii.begin());
}

Energies direct_energies(const Bodies& b, const Gravity& gravity) {
  const std::size_t n = b.size();
  std::vector<Mass<double>> points(n);
  std::vector<Vec4<double>> sums(n);
  for (std::size_t i = 0; i < n; ++i) points[i] = {b.x[i], b.y[i], b.z[i], b.mass[i]};
  const auto choice = choose_direct_kernel(n, Precision::f64, gravity);
  const PairProblem<F64> problem{.targets = points,
                                 .sources = points,
                                 .sums = sums,
                                 .softening = gravity.softening,
                                 .boundary = gravity.boundary,
                                 .self = 0,
                                 .potential = true};
  choice.kernel->f64(problem, choice.shape);
  struct Two {
    double kinetic = 0, potential = 0;
    Two& operator+=(const Two& o) {
      kinetic += o.kinetic, potential += o.potential;
      return *this;
    }
  };
  const auto sum = blocked_sum<Two>(n, [&](std::size_t begin, std::size_t end) {
    Two s;
    for (std::size_t i = begin; i < end; ++i) {
      s.kinetic += 0.5 * b.mass[i] * dot(b.velocity(i), b.velocity(i));
      s.potential += 0.5 * b.mass[i] * sums[i].w;
    }
    return s;
  });
  return {sum.kinetic, gravity.G * sum.potential};
}

}  // namespace pleiad
