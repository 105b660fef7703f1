/// Diagnostics from totals and bodies: energy error, virial ratio, energies by direct sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/radii.hpp"
#include "core/threads.hpp"
#include "engine/added_forces.hpp"
#include "engine/softenings.hpp"
#include "potentials/host_field.hpp"

#include <pleiad/diagnostics.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace pleiad {
double conserved_energy(const Totals& totals, double omega) {
  const double energy = totals.energies.total();
  return omega == 0 ? energy : energy - omega * totals.angular_momentum.z;
}

double virial_ratio(const Energies& energies, const CentreOfMass& centre) {
  if (energies.mutual() == 0) return 0;
  const double internal = energies.kinetic - 0.5 * centre.mass * dot(centre.velocity, centre.velocity);
  return internal / std::abs(energies.mutual());
}

double energy_scale(double energy, const Energies& at_start) {
  const double parts = at_start.kinetic + std::abs(at_start.potential) + std::abs(energy - at_start.total());
  return std::abs(energy) > least_energy_part * parts ? std::abs(energy) : parts;
}

double energy_error(double change, double scale) { return scale == 0 ? change : change / scale; }

Diagnostics diagnose(const Totals& totals, double time, std::uint64_t step, double reference_energy,
                     double omega, std::optional<double> scale) {
  const auto& energies = totals.energies;
  const double change = conserved_energy(totals, omega) - reference_energy;
  return {.time = time,
          .step = step,
          .energies = energies,
          .energy_error = energy_error(change, scale ? *scale : energy_scale(reference_energy, energies)),
          .momentum = totals.momentum,
          .angular_momentum = totals.angular_momentum,
          .centre = totals.centre,
          .virial_ratio = virial_ratio(energies, totals.centre)};
}

void add_radii(Diagnostics& d, const Bodies& b) { d.lagrangian_radii = radii_of(b).lagrangian; }

Energies direct_energies(const Bodies& b, const Gravity& gravity, double time) {
  const std::size_t n = b.size();
  const auto sums = direct_sums(b, gravity);
  const potentials::HostField field(gravity.potentials, gravity.G, time);
  struct Parts {
    double kinetic = 0, potential = 0, external = 0;
    Parts& operator+=(const Parts& o) {
      kinetic += o.kinetic, potential += o.potential, external += o.external;
      return *this;
    }
  };
  const auto sum = blocked_sum<Parts>(n, [&](std::size_t begin, std::size_t end) {
    Parts s;
    for (std::size_t i = begin; i < end; ++i) {
      s.kinetic += 0.5 * b.mass[i] * dot(b.velocity(i), b.velocity(i));
      s.potential += 0.5 * b.mass[i] * sums[i].w;
      s.external += b.mass[i] * field.at(b.position(i)).potential;
    }
    return s;
  });
  const double outer = sum.external + added_energy(gravity, b, time);
  return {sum.kinetic, gravity.G * sum.potential + outer, outer};
}

}  // namespace pleiad
