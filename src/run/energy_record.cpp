#include "run/energy_record.hpp"

#include "run/energy_note.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* largest_error_name = "largest_energy_error";

}  // namespace

Diagnostics EnergyRecord::diagnose(Simulation& simulation) {
  const auto totals = simulation.totals();
  if (!reference_) reference_ = totals.energies.total();
  auto row = pleiad::diagnose(totals, simulation.time(), simulation.step(), *reference_);
  row.lagrangian_radii = simulation.radii().lagrangian;
  largest_error_ = std::max(largest_error_, std::abs(row.energy_error));
  last_row_ = row;
  return row;
}

void EnergyRecord::save(Checkpoint& c) const {
  c.reference_energy = reference();
  c.extra[largest_error_name] = fmt::format("{:a}", largest_error_);
}

void EnergyRecord::restore(const Checkpoint& c) {
  reference_ = c.reference_energy;
  restore_number(c, largest_error_name, largest_error_);
}

void need_energy(const Options& options, const Simulation& simulation, const Diagnostics& row) {
  double limit = options.limits.max_energy_error;
  if (limit < 0) limit = conserves_energy(simulation.gravity(), simulation.method()) ? 0.5 : 0;
  if (limit > 0 && !(std::abs(row.energy_error) <= limit))
    throw NumericalError(fmt::format(
        "the energy error {:.3g} at step {}, t = {:g} exceeds limits.max_energy_error = {:g}: the step does "
        "not resolve the closest encounter; use a smaller dt, softening, or integrator hermite4 with "
        "time.adaptive = true",
        row.energy_error, row.step, row.time, limit));
}

void restore_number(const Checkpoint& c, const char* name, double& value) {
  if (const auto text = c.extra.find(name); text != c.extra.end())
    value = std::strtod(text->second.c_str(), nullptr);
}

}  // namespace pleiad::run
