#include "run/energy_record.hpp"

#include "run/energy_note.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* largest_error_name = "largest_energy_error";
constexpr const char* lost_name = "energy_lost";
constexpr const char* work_names[] = {"work", "work_low"};
constexpr const char* scale_name = "energy_scale";
constexpr const char* largest_part_name = "largest_energy_part";
constexpr const char* massless_name = "massless_energies";

/// The name of a change of the energy that is no error.
const char* change_of_energy(const Gravity& gravity) {
  return pattern_speed_of(gravity.potentials) ? "dE/E by forces that do not keep the energy"
                                              : "dE/E by a field that changes with time";
}

}  // namespace

const char* name_of_energy_error(const Gravity& gravity, std::optional<double> omega) {
  if (gravity.boundary.periodic) return "|dE| / the largest of T and |W|";
  if (!omega) return change_of_energy(gravity);
  return *omega == 0 ? "dE/E" : "dE/E of the Jacobi energy E - omega Lz";
}
const char* name_of_member_error(const Gravity& gravity) {
  if (pattern_speed_of(gravity) == 0) return name_of_energy_error(gravity, 0);
  return change_of_energy(gravity);
}

bool EnergyRecord::of_parts(const Simulation& simulation) const {
  return !simulation.gravity().boundary.periodic && simulation.kept_pattern_speed() &&
         scale_ != std::abs(reference());
}

const char* EnergyRecord::name_of_error(const Simulation& simulation) const {
  if (simulation.method().space) return name_of_layzer_irvine_error;
  return of_parts(simulation) ? name_of_error_in_parts
                              : name_of_energy_error(simulation.gravity(), simulation.kept_pattern_speed());
}

Diagnostics EnergyRecord::diagnose(Simulation& simulation) {
  auto totals = simulation.totals();
  const auto omega = simulation.kept_pattern_speed();
  const bool expands = simulation.method().space != nullptr;
  const double a = expands ? std::exp(simulation.time()) : 1;
  if (expands) make_physical(totals, a);
  const double energy =
      expands ? expanding_.invariant(a, totals.energies) : conserved_energy(totals, omega.value_or(0));
  if (!reference_) reference_ = energy, scale_ = energy_scale(energy, totals.energies);
  auto row =
      pleiad::diagnose(totals, simulation.time(), simulation.step(), *reference_, omega.value_or(0), scale_);
  work_ = simulation.work();
  if (const double lost = lost_ + simulation.energy_lost_inside() - work_[0]; lost != 0)
    row.energy_error = energy_error(energy + lost - *reference_, scale_);
  largest_part_ = std::max(largest_part_, a * larger_part(totals.energies, 0));
  if (simulation.gravity().boundary.periodic && largest_part_ > 0)
    row.energy_error = energy_error(energy - *reference_, largest_part_);
  if (!massless_.counted()) massless_.count(simulation.snapshot().bodies);
  if (massless_.any() && !expands) {
    const auto now = simulation.snapshot_with_fields();
    const bool external = !simulation.gravity().potentials.empty() || !simulation.gravity().forces.empty();
    massless_.look(now.bodies, now.potential, external ? std::nullopt : std::optional(totals.centre.velocity),
                   pattern_speed_of(simulation.gravity()));
  }
  row.lagrangian_radii = simulation.radii().lagrangian;
  largest_error_ = std::max(largest_error_, std::abs(row.energy_error));
  last_row_ = row;
  return row;
}

void EnergyRecord::bodies_changed(double lost, const std::vector<std::uint8_t>& kept_particles,
                                  bool masses_changed, const Bodies& own) {
  lost_ += lost;
  massless_.keep(kept_particles, !masses_changed, own);
}

void EnergyRecord::save(Checkpoint& c, std::array<double, 2> work) const {
  c.reference_energy = reference();
  expanding_.save(c);
  c.extra[largest_error_name] = fmt::format("{:a}", largest_error_);
  if (scale_ != std::abs(reference())) c.extra[scale_name] = fmt::format("{:a}", scale_);
  if (lost_ != 0) c.extra[lost_name] = fmt::format("{:a}", lost_);
  for (std::size_t k = 0; k < work.size(); ++k)
    if (work[k] != 0) c.extra[work_names[k]] = fmt::format("{:a}", work[k]);
  c.extra[largest_part_name] = fmt::format("{:a}", largest_part_);
  if (auto bytes = massless_.bytes(); !bytes.empty()) c.extra[massless_name] = std::move(bytes);
}

void EnergyRecord::restore(const Checkpoint& c, const Bodies& bodies) {
  reference_ = c.reference_energy;
  scale_ = std::abs(c.reference_energy);
  restore_number(c, scale_name, scale_);
  expanding_.restore(c);
  restore_number(c, largest_error_name, largest_error_);
  restore_number(c, largest_part_name, largest_part_);
  restore_number(c, lost_name, lost_);
  for (std::size_t k = 0; k < work_.size(); ++k) restore_number(c, work_names[k], work_[k]);
  if (const auto bytes = c.extra.find(massless_name); bytes != c.extra.end())
    massless_.restore(bytes->second, bodies);
}

double energy_limit(const Options& options, const Method& method) {
  const double limit = options.limits.max_energy_error;
  if (limit >= 0) return limit;
  return method.damping == 1 ? 0.5 : 0;
}

void need_energy(const Options& options, const Simulation& simulation, const Diagnostics& row,
                 const EnergyRecord& energies) {
  const double limit = energy_limit(options, simulation.method());
  if (!(limit > 0) || !simulation.kept_pattern_speed()) return;
  const auto way = "use " + smaller_error_by(simulation.method(), simulation.gravity(),
                                             simulation.size_on_all_ranks(), simulation.describe().kernel());
  if (!(std::abs(row.energy_error) <= limit))
    throw NumericalError(
        fmt::format("the energy error {:.3g} ({}) at step {}, t = {:g} exceeds limits.max_energy_error = "
                    "{:g}: the step does "
                    "not resolve the closest encounter; {}",
                    row.energy_error, energies.name_of_error(simulation), row.step, row.time, limit, way),
        Error::Code::inaccurate);
  if (const auto& change = energies.massless().change();
      change && change->conserved && !(change->p99 <= limit))
    throw NumericalError(
        fmt::format("the energy per mass of massless bodies has changed by {:.3g} of its parts (for 99 %) at "
                    "step {}, t "
                    "= "
                    "{:g}, in a field that keeps it; limits.max_energy_error = {:g}: the step does not "
                    "resolve their closest passages; {}",
                    change->p99, row.step, row.time, limit, way),
        Error::Code::inaccurate);
}

void restore_number(const Checkpoint& c, const char* name, double& value) {
  if (const auto text = c.extra.find(name); text != c.extra.end())
    value = std::strtod(text->second.c_str(), nullptr);
}

}  // namespace pleiad::run
