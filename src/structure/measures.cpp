#include "structure/measures.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pleiad::structure {

using profiles::Columns, profiles::Quantity;

std::vector<std::size_t> bodies_of(const Bodies& bodies, std::span<const Type> types) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (types.empty() || std::ranges::find(types, bodies.type[i]) != types.end()) chosen.push_back(i);
  if (!chosen.empty()) return chosen;
  std::string names;
  for (const Type type : types)
    names += (names.empty() ? "" : " or ") + std::string(type_names[static_cast<std::size_t>(type)]);
  throw InputError(types.empty() ? "there are no bodies"
                                 : fmt::format("there are no bodies of type {}", names));
}

FoundGroups find_groups(const Snapshot& s, std::span<const std::size_t> chosen, const GroupOptions& o) {
  if (o.fraction && o.distance)
    throw UsageError(
        "a linking length and a linking distance are two ways to give one length; give one of them");
  if (!s.boundary.periodic && !o.distance)
    throw UsageError(
        "groups in open space need a linking distance (--linking-distance): without a box there is no mean "
        "distance");
  if (!s.boundary.periodic && o.overdensity)
    throw UsageError("an overdensity is of the mean density of a periodic box; in open space give a density");
  for (const auto& [given, what] : {std::pair(o.overdensity, "overdensity"), std::pair(o.density, "density")})
    if (given && !(*given > 0 && std::isfinite(*given)))
      throw UsageError(fmt::format("the {} of a sphere is {}; it must be a number above 0", what, *given));
  FoundGroups found;
  auto& facts = found.facts;
  facts.linking_length =
      o.distance ? *o.distance : linking_length(o.fraction.value_or(0.2), chosen.size(), s.boundary);
  facts.least = o.least;
  if (s.boundary.periodic) {
    const auto& l = s.boundary.length;
    const double times = o.overdensity.value_or(200);
    facts.densities.push_back(
        {fmt::format("Mean{:g}", times), times * centre_of_mass(s.bodies).mass / (l.x * l.y * l.z)});
  }
  if (o.density) facts.densities.push_back({"Density", *o.density});
  std::vector<double> densities;
  for (const auto& named : facts.densities) densities.push_back(named.density);
  found.groups = friends_of_friends(s.bodies, chosen, s.boundary, facts.linking_length, facts.least);
  found.properties = properties_of(found.groups, s, densities);
  return found;
}

Columns table_of(const FoundGroups& found) {
  Columns table;
  const auto add = [&](std::string_view name, Quantity quantity, const auto& of) {
    auto& column = table.all.emplace_back(profiles::Column{.name = name, .quantity = quantity});
    for (const auto& group : found.properties) column.values.push_back(double(of(group)));
  };
  using P = GroupProperties;
  add("id", Quantity::number, [](const P& p) { return p.id; });
  add("members", Quantity::number, [](const P& p) { return p.members; });
  add("mass", Quantity::mass, [](const P& p) { return p.mass; });
  add("x", Quantity::length, [](const P& p) { return p.centre.x; });
  add("y", Quantity::length, [](const P& p) { return p.centre.y; });
  add("z", Quantity::length, [](const P& p) { return p.centre.z; });
  add("vx", Quantity::velocity, [](const P& p) { return p.velocity.x; });
  add("vy", Quantity::velocity, [](const P& p) { return p.velocity.y; });
  add("vz", Quantity::velocity, [](const P& p) { return p.velocity.z; });
  add("velocity_dispersion", Quantity::velocity, [](const P& p) { return p.velocity_dispersion; });
  add("extent", Quantity::length, [](const P& p) { return p.extent; });
  add("circular_velocity", Quantity::velocity, [](const P& p) { return p.circular_velocity; });
  add("circular_radius", Quantity::length, [](const P& p) { return p.circular_radius; });
  // Names of columns are views of texts that stay.
  static constexpr std::array<std::string_view, 2> masses{"sphere_mass", "density_mass"},
      radii{"sphere_radius", "density_radius"};
  for (std::size_t d = 0; d < found.facts.densities.size(); ++d) {
    const std::size_t name = found.facts.densities[d].name == "Density" ? 1 : 0;
    add(masses[name], Quantity::mass, [d](const P& p) { return p.spheres[d].mass; });
    add(radii[name], Quantity::length, [d](const P& p) { return p.spheres[d].radius; });
  }
  return table;
}

Columns table_of(const PowerSpectrum& spectrum) {
  Columns table;
  auto& all = table.all;
  all = {{.name = "k"}, {.name = "power"}, {.name = "modes"}, {.name = "shot_noise"}, {.name = "fold"}};
  for (const auto& shell : spectrum.shells) {
    all[0].values.push_back(shell.k), all[1].values.push_back(shell.power);
    all[2].values.push_back(double(shell.modes)), all[3].values.push_back(spectrum.shot_noise);
    all[4].values.push_back(double(shell.fold));
  }
  return table;
}

}  // namespace pleiad::structure
