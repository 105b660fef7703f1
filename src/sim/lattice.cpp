#include "sim/lattice.hpp"

#include "core/lattice.hpp"
#include "core/threads.hpp"
#include "potentials/hill_drift.hpp"
#include "ranks/collective.hpp"

#include <pleiad/added_force.hpp>
#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr std::array positions{&Bodies::x, &Bodies::y, &Bodies::z},
    velocities{&Bodies::vx, &Bodies::vy, &Bodies::vz};
/// The unit of a scale is this share of it.
constexpr double share = 0x1p-53;

bool is_power_of_two(double x) {
  int exponent = 0;
  return x > 0 && std::isfinite(x) && std::frexp(x, &exponent) == 0.5;
}
/// The smallest power of two that is not below x > 0.
double power_of_two_from(double x) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);
  return std::ldexp(1, part == 0.5 ? exponent - 1 : exponent);
}

/// Infinite where one is no number.
double largest(const Bodies& own, const std::array<std::vector<double> Bodies::*, 3>& axes,
               ranks::Communicator& ranks) {
  double most = 0;
  for (const auto axis : axes)
    for (const double value : own.*axis)
      most = std::max(most, std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value));
  return ranks::max(ranks, most);
}

}  // namespace

LatticeFacts lattice_facts_of(const Method& m, const Gravity& g) {
  const auto& i = *m.integrator;
  return {
      .integrator = i.name,
      .leads_back = reads_backwards(i),
      .adaptive = m.adaptive,
      .periodic = g.boundary.periodic,
      .turning_frame = std::ranges::any_of(g.potentials, potentials::is_hill),
      .moving_fields = !std::ranges::all_of(g.potentials, is_static),
      .of_velocities = std::ranges::any_of(g.forces, [](const auto& f) { return kind_of(f).of_velocities; })};
}

void check(const LatticeUnits& units) {
  for (const auto& [what, unit] :
       {std::pair<std::string_view, double>("length", units.length), {"velocity", units.velocity}})
    if (!is_power_of_two(unit) || unit < 0x1p-900 || unit > 0x1p900)
      throw UsageError(fmt::format("the {} unit of the lattice, {}, must be a power of two{}", what, unit,
                                   unit > 0 && std::isfinite(unit)
                                       ? fmt::format(": {} would be right", power_of_two_from(unit))
                                       : ""));
}

LatticeUnits lattice_for(const Bodies& own, const Gravity& gravity, double dt, ranks::Communicator& ranks) {
  const ranks::Collective all(ranks, own.size());
  const double mass = all.blocked_sum<double>(own.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += own.mass[i];
    return sum;
  });
  double length = largest(own, positions, ranks), velocity = largest(own, velocities, ranks);
  if (length > 0) velocity = std::max(velocity, std::sqrt(gravity.G * mass / length));
  if (!(velocity > 0)) velocity = length > 0 ? length / dt : 1;
  if (!(length > 0)) length = velocity * dt;
  return {.length = power_of_two_from(length) * share, .velocity = power_of_two_from(velocity) * share};
}

void put_on(const LatticeUnits& units, Bodies& own, ranks::Communicator& ranks) {
  const double most_length = units.length * 0x1p62, most_velocity = units.velocity * 0x1p62;
  for (const auto& [what, found, most] : {std::tuple<std::string_view, double, double>(
                                              "coordinate", largest(own, positions, ranks), most_length),
                                          {"velocity", largest(own, velocities, ranks), most_velocity}})
    if (!(found <= most))
      throw UsageError(fmt::format("a {} of {:g} is beyond the end of the lattice, {:g}: choose larger units",
                                   what, found, most));
  own.low.resize(own.size());
  for_each_index(own.size(), [&](std::size_t i) {
    auto& low = own.low[i];
    for (std::size_t k = 0; k < 6; ++k) {
      const double unit = k < 3 ? units.length : units.velocity;
      double& high = (own.*(k < 3 ? positions[k] : velocities[k - 3]))[i];
      const auto multiple = lattice::multiple_of(high, low[k], 1 / unit);
      high = lattice::number_of(multiple, unit, low[k]);
    }
  });
}

}  // namespace pleiad
