/// Diagnostics from totals and bodies: energy error, virial ratio, Lagrangian radii.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/diagnostics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pleiad {
namespace {

/// (distance to `centre`, mass), nearest first; equal distances by index, so the order has one answer.
std::vector<std::pair<double, std::size_t>> by_distance(const Bodies& b, Vec3<double> centre,
                                                        const std::vector<std::size_t>& members) {
  std::vector<std::pair<double, std::size_t>> order(members.size());
  for (std::size_t k = 0; k < members.size(); ++k)
    order[k] = {norm(b.position(members[k]) - centre), members[k]};
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<std::size_t> everyone(const Bodies& b) {
  std::vector<std::size_t> all(b.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

std::vector<double> lagrangian_radii(const Bodies& b, Vec3<double> centre,
                                     std::span<const double> fractions) {
  const auto order = by_distance(b, centre, everyone(b));
  double total = 0;
  for (const auto& [r, i] : order) total += b.mass[i];
  std::vector<double> radii;
  for (const double f : fractions) {
    double inside = 0, radius = 0;
    for (const auto& [r, i] : order) {
      inside += b.mass[i], radius = r;
      if (inside >= f * total) break;
    }
    radii.push_back(radius);
  }
  return radii;
}

Vec3<double> density_centre(const Bodies& b) {
  auto members = everyone(b);
  Vec3<double> centre = centre_of_mass(b).position;
  const std::size_t least = std::max<std::size_t>(b.size() / 10, 1);
  while (members.size() / 2 >= least && members.size() > 8) {
    auto order = by_distance(b, centre, members);
    order.resize(members.size() / 2);
    double mass = 0;
    Vec3<double> sum{};
    members.clear();
    for (const auto& [r, i] : order) {
      mass += b.mass[i];
      sum += b.mass[i] * b.position(i);
      members.push_back(i);
    }
    if (!(mass > 0)) break;
    centre = sum * (1 / mass);
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
