#include "run/group_note.hpp"

#include "direct/why_not.hpp"
#include "integrate/individual.hpp"
#include "structure/neighbours.hpp"
#include "structure/systems.hpp"

#include <pleiad/radii.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// From this gain on it is worth a line: the steps of groups cost more than those of stars, so that fewer
/// steps begin to save time there (ADR 42).
constexpr double least_gain = 5;
constexpr std::size_t most_systems = 64;

/// The mean mass of a pair that is a group within this distance is that of two bodies: as integrate's groups
/// choose it. Up to three bodies are always one group.
double distance_per_mass(const Bodies& bodies) {
  const std::size_t n = bodies.size();
  if (n <= 3) return std::numeric_limits<double>::infinity();
  const std::array half{0.5};
  const double mass = std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0);
  return lagrangian_radii(bodies, density_centre(bodies), half)[0] / (2 * mass);
}

}  // namespace

CloseBinaries close_binaries(const Snapshot& all, double dt, double eta) {
  CloseBinaries found;
  std::vector<std::size_t> numbers(all.bodies.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto systems = structure::find_systems(all, numbers);
  const double within = distance_per_mass(all.bodies), root = std::sqrt(eta);
  // Steps in a time dt at which the phase of a motion changes by omega in a unit of time.
  const auto steps = [&](double omega) { return std::max(1.0, dt * omega / root); };
  double grouped = 0, left = 0;
  for (const auto& s : systems.systems) {
    const double mass = s.first.mass + s.second.mass;
    const double stars = double((s.first.system ? 0 : 1) + (s.second.system ? 0 : 1)),
                 of_orbit = stars * steps(s.orbit.mean_motion);
    if (!(s.orbit.semi_major_axis < within * mass)) {
      left += of_orbit;
      continue;
    }
    grouped += of_orbit;
    if (s.stars() != 2) continue;
    ++found.binaries;
    const double period = 2 * std::numbers::pi / s.orbit.mean_motion;
    found.shortest_period = found.binaries == 1 ? period : std::min(found.shortest_period, period);
  }
  std::vector<Vec3<double>> places;
  for (const auto& object : systems.objects) places.push_back(object.position);
  const structure::Neighbours tree(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto near = tree.nearest(i, 1);
    if (near.empty()) {
      left += 1;
      continue;
    }
    const double mass = systems.objects[i].mass + systems.objects[near[0].point].mass, r2 = near[0].distance2;
    left += steps(std::sqrt(all.G * mass / (r2 * std::sqrt(r2))));
  }
  if (left > 0) found.share = grouped / (grouped + left), found.gain = (grouped + left) / left;
  return found;
}

std::optional<std::string> group_note(const Snapshot& all, const Gravity& gravity, const Method& method) {
  if (!has_individual_steps(method.integrator) || method.blocks.groups != CloseGroups::off) return {};
  auto facts = facts_of(all.bodies, gravity, Precision::f64);
  facts.integrator = method.integrator, facts.close_groups = true;
  if (why_not(ForceMethod{}, facts)) return {};
  const auto found = close_binaries(all, method.dt, method.eta);
  if (!(found.gain >= least_gain)) return {};
  return fmt::format(
      "{} close binar{} with periods from {:.2g} on take{} {:.3g} % of the steps of all stars; time.groups = "
      "\"regularised\" (on CPUs) follows each as one body, with about {:.2g} times fewer steps",
      found.binaries, found.binaries == 1 ? "y" : "ies", found.shortest_period,
      found.binaries == 1 ? "s" : "", 100 * found.share, found.gain);
}

std::optional<std::string> group_note(std::span<const Member> systems) {
  std::optional<std::string> note;
  double worst = 0;
  const std::size_t every = (systems.size() + most_systems - 1) / most_systems;
  for (std::size_t k = 0; k < systems.size(); k += every) {
    const auto& m = systems[k];
    const auto own = group_note(m.state, m.gravity, m.method);
    if (!own) continue;
    const double gain = close_binaries(m.state, m.method.dt, m.method.eta).gain;
    if (gain > worst) worst = gain, note = fmt::format("system {}: {}", k, *own);
  }
  return note;
}

}  // namespace pleiad::run
