/// Diagnostics of one small system: energies, bound bodies, escapers. In double precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/added_forces.hpp"
#include "engine/softenings.hpp"
#include "ensemble/potentials.hpp"
#include "potentials/host_field.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/ensemble.hpp>
#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace pleiad {

std::vector<double> mutual_potentials(const Bodies& b, const Gravity& gravity) {
  const std::size_t n = b.size();
  const auto sums = direct_sums(b, gravity);
  std::vector<double> potential(n);
  for (std::size_t i = 0; i < n; ++i) potential[i] = gravity.G * sums[i].w;
  return potential;
}

namespace {

/// The smallest separation, squared. One minimum per body, so that the compiler may compare several at once.
template <bool periodic>
double closest_squared(const Bodies& b, const Boundary& boundary) {
  const std::size_t n = b.size();
  const Box<double> box(boundary);
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> minima(n, none);
  const double *x = b.x.data(), *y = b.y.data(), *z = b.z.data();
  double* __restrict__ least = minima.data();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<double> here = b.position(i);
    for (std::size_t j = i + 1; j < n; ++j) {
      Vec3<double> d{x[j] - here.x, y[j] - here.y, z[j] - here.z};
      if constexpr (periodic) d = minimum_image(d, box);
      const double r2 = dot(d, d);
      least[j] = r2 < least[j] ? r2 : least[j];
    }
  }
  return n == 0 ? none : *std::min_element(minima.begin(), minima.end());
}

/// State of one body relative to the rest of the system.
struct Relative {
  double distance = 0, energy = 0;  ///< energy per mass of the relative motion
  bool recedes = false;
};
Relative relative_to_rest(const Bodies& b, const CentreOfMass& all, std::size_t i, double potential) {
  const double rest = all.mass - b.mass[i];
  if (!(rest > 0)) return {.energy = -1};  // its test particles do not move it: never unbound
  // The rest's centre c follows from M C = m x + (M - m) c; so x - c = (x - C) M / (M - m).
  const double stretch = all.mass / rest;
  const auto d = (b.position(i) - all.position) * stretch, v = (b.velocity(i) - all.velocity) * stretch;
  return {.distance = norm(d), .energy = 0.5 * dot(v, v) / stretch + potential, .recedes = dot(d, v) > 0};
}

double half_mass_radius_without(const Bodies& b, const CentreOfMass& all, std::size_t left_out) {
  Bodies rest;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (i != left_out) rest.add(b.mass[i], b.position(i), {});
  const double m = b.mass[left_out];
  const auto centre = (all.mass * all.position - m * b.position(left_out)) * (1 / (all.mass - m));
  return lagrangian_radii(rest, centre, std::array{0.5}).front();
}

void count_escapers(const Bodies& b, const std::vector<double>& potential, MemberDiagnostics& diagnostics) {
  constexpr double far = 10;  // half-mass radii
  const auto all = centre_of_mass(b);
  double farthest = 0;
  std::size_t bound = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto r = relative_to_rest(b, all, i, potential[i]);
    if (!(r.energy >= 0) || b.size() == 1) ++bound;
    else if (r.recedes && r.distance > far * half_mass_radius_without(b, all, i)) {
      ++diagnostics.escapers;
      if (r.distance > farthest) farthest = r.distance, diagnostics.escaper = b.id[i];
    }
  }
  diagnostics.bound = static_cast<double>(bound) / static_cast<double>(b.size());
}

}  // namespace

MemberDiagnostics diagnose(const Snapshot& s, const Gravity& gravity) {
  const auto& b = s.bodies;
  const auto potential = mutual_potentials(b, gravity);
  const auto& space = gravity.boundary;
  const double closest2 = space.periodic ? closest_squared<true>(b, space) : closest_squared<false>(b, space);
  const potentials::HostField field(gravity.potentials, gravity.G, s.time);
  MemberDiagnostics diagnostics{.time = s.time, .step = s.step, .closest = std::sqrt(closest2)};
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto v = b.velocity(i);
    diagnostics.energies.kinetic += 0.5 * b.mass[i] * dot(v, v);
    diagnostics.energies.potential += 0.5 * b.mass[i] * potential[i];
    if (!gravity.potentials.empty()) {
      const double external = b.mass[i] * field.at(b.position(i)).potential;
      diagnostics.energies.potential += external, diagnostics.energies.external += external;
    }
    diagnostics.angular_momentum += b.mass[i] * cross(b.position(i), v);
  }
  if (b.empty()) return diagnostics;
  const double added = added_energy(gravity, b, s.time);
  diagnostics.energies.potential += added, diagnostics.energies.external += added;
  diagnostics.virial_ratio = virial_ratio(diagnostics.energies, centre_of_mass(b));
  if (!std::isfinite(diagnostics.energies.total())) return diagnostics;
  diagnostics.half_mass_radius = lagrangian_radii(b, density_centre(b), std::array{0.5}).front();
  if (!gravity.boundary.periodic) count_escapers(b, potential, diagnostics);
  return diagnostics;
}

void History::add(const MemberDiagnostics& diagnostics, bool periodic) {
  if (diagnosed++ == 0) first = diagnostics;
  last = diagnostics;
  const auto& e = diagnostics.energies;
  if (periodic) largest_part = std::max({largest_part, e.kinetic, std::abs(e.potential)});
  closest = std::min(closest, diagnostics.closest);
  const double error = std::abs(energy_error());
  if (!std::isnan(worst_energy_error) && !(error <= worst_energy_error)) worst_energy_error = error;
  if (diagnostics.escapers == 0) escape_time = std::numeric_limits<double>::quiet_NaN();
  else if (std::isnan(escape_time)) escape_time = diagnostics.time;
}

double History::energy_error() const {
  const double reference = first.energies.total();
  const double scale = largest_part > 0 ? largest_part : energy_scale(reference, first.energies);
  return pleiad::energy_error(last.energies.total() - reference, scale);
}
double History::angular_momentum_error() const {
  const double change = norm(last.angular_momentum - first.angular_momentum);
  const double reference = norm(first.angular_momentum);
  return reference == 0 ? change : change / reference;
}

double quantile(std::span<const double> v, double q) {
  if (v.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double at = q * static_cast<double>(v.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= v.size()) return v.back();
  return v[below] + (at - static_cast<double>(below)) * (v[below + 1] - v[below]);
}

}  // namespace pleiad
