#include "structure/measures.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
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
    const double mean = mean_density(s), times = o.overdensity.value_or(200);
    if (!o.comoving || times != 200)
      facts.densities.push_back({fmt::format("Mean{:g}", times), times * mean});
    if (o.comoving) facts.densities.push_back({"Mean200", 200 * mean, "mass_200m", "radius_200m"});
  }
  if (const auto& c = o.comoving) {
    const double critical = c->critical_density(s.G);
    facts.densities.push_back({"Crit200", 200 * critical, "mass_200c", "radius_200c"});
    facts.densities.push_back(
        {"TopHat200", cosmology::virial_overdensity(c->universe, c->a) * critical, "mass_vir", "radius_vir"});
    facts.comoving = c;
  }
  if (o.density) facts.densities.push_back({"Density", *o.density, "density_mass", "density_radius"});
  std::vector<double> densities;
  for (const auto& named : facts.densities) densities.push_back(named.density);
  found.groups = friends_of_friends(s.bodies, chosen, s.boundary, facts.linking_length, facts.least);
  found.properties = properties_of(found.groups, s, densities, o.comoving);
  return found;
}

namespace {

/// Adds a column of one value of each row.
template <class Rows, class Value>
void add_column(Columns& table, std::string_view name, Quantity quantity, const Rows& rows, const Value& of) {
  auto& column = table.all.emplace_back(profiles::Column{.name = name, .quantity = quantity});
  for (const auto& row : rows) column.values.push_back(double(of(row)));
}

}  // namespace

Columns table_of(const FoundGroups& found) {
  Columns table;
  const auto add = [&](std::string_view name, Quantity quantity, const auto& of) {
    add_column(table, name, quantity, found.properties, of);
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
  for (std::size_t d = 0; d < found.facts.densities.size(); ++d) {
    const auto& named = found.facts.densities[d];
    add(named.mass, Quantity::mass, [d](const P& p) { return p.spheres[d].mass; });
    add(named.radius, Quantity::length, [d](const P& p) { return p.spheres[d].radius; });
  }
  return table;
}

std::vector<double> masses_of(const FoundGroups& found, std::string_view which) {
  const auto& densities = found.facts.densities;
  const auto named = std::ranges::find_if(densities, [&](const NamedDensity& density) {
    return density.mass == fmt::format("mass_{}", which) || density.mass == fmt::format("{}_mass", which);
  });
  if (which != "members" && named == densities.end()) {
    std::string known = "members";
    for (const auto& other : densities) {
      const auto name = other.mass.starts_with("mass_") ? other.mass.substr(5)
                                                        : other.mass.substr(0, other.mass.size() - 5);
      known += fmt::format(", {}", name);
    }
    throw UsageError(fmt::format("no mass '{}' of these groups: it is one of {}", which, known));
  }
  const auto d = std::size_t(named - densities.begin());
  std::vector<double> masses;
  for (const auto& p : found.properties)
    if (const double mass = which == "members" ? p.mass : p.spheres[d].mass; mass > 0) masses.push_back(mass);
  return masses;
}

Columns table_of(std::span<const MassBin> bins) {
  Columns table;
  const auto add = [&](std::string_view name, Quantity quantity, const auto& of) {
    add_column(table, name, quantity, bins, of);
  };
  using B = MassBin;
  add("mass_low", Quantity::mass, [](const B& b) { return b.low; });
  add("mass_high", Quantity::mass, [](const B& b) { return b.high; });
  add("mass", Quantity::mass, [](const B& b) { return b.mean; });
  add("groups", Quantity::number, [](const B& b) { return b.groups; });
  add("dn_dlogm", Quantity::number, [](const B& b) { return b.density; });
  add("error", Quantity::number, [](const B& b) { return b.error; });
  add("above", Quantity::number, [](const B& b) { return b.above; });
  return table;
}

Columns table_of(const PowerSpectrum& spectrum, double length) {
  const double volume = length * length * length;
  Columns table;
  auto& all = table.all;
  all = {{.name = "k"}, {.name = "power"}, {.name = "modes"}, {.name = "shot_noise"}, {.name = "fold"}};
  for (const auto& shell : spectrum.shells) {
    all[0].values.push_back(shell.k * length), all[1].values.push_back(shell.power / volume);
    all[2].values.push_back(double(shell.modes)), all[3].values.push_back(spectrum.shot_noise / volume);
    all[4].values.push_back(double(shell.fold));
  }
  return table;
}

Columns table_of(const Systems& systems, const ClusterMeasures& cluster, const Bodies& bodies) {
  Columns table;
  const auto add = [&](std::string_view name, Quantity quantity, const auto& of) {
    add_column(table, name, quantity, systems.systems, of);
  };
  using S = BoundSystem;
  const auto place = [](const S& s) { return s.together().position; };
  const auto velocity = [](const S& s) { return s.together().velocity; };
  add("id_1", Quantity::number, [&](const S& s) { return bodies.id[s.first.star]; });
  add("id_2", Quantity::number, [&](const S& s) { return bodies.id[s.second.star]; });
  add("stars", Quantity::number, [](const S& s) { return s.stars(); });
  add("mass_1", Quantity::mass, [](const S& s) { return s.first.mass; });
  add("mass_2", Quantity::mass, [](const S& s) { return s.second.mass; });
  add("semi_major_axis", Quantity::length, [](const S& s) { return s.orbit.semi_major_axis; });
  add("eccentricity", Quantity::number, [](const S& s) { return s.orbit.eccentricity; });
  add("inclination", Quantity::number,
      [](const S& s) { return s.orbit.inclination * (180 / std::numbers::pi); });
  add("period", Quantity::time, [](const S& s) { return s.orbit.period; });
  add("binding_energy", Quantity::number, [](const S& s) { return s.binding_energy; });
  add("hardness", Quantity::number, [&](const S& s) { return s.binding_energy / cluster.kT; });
  add("perturbation", Quantity::number, [](const S& s) { return s.perturbation; });
  add("stability", Quantity::number, [](const S& s) { return s.stability.value_or(NAN); });
  add("outermost", Quantity::number, [](const S& s) { return s.outermost; });
  add("x", Quantity::length, [&](const S& s) { return place(s).x; });
  add("y", Quantity::length, [&](const S& s) { return place(s).y; });
  add("z", Quantity::length, [&](const S& s) { return place(s).z; });
  add("vx", Quantity::velocity, [&](const S& s) { return velocity(s).x; });
  add("vy", Quantity::velocity, [&](const S& s) { return velocity(s).y; });
  add("vz", Quantity::velocity, [&](const S& s) { return velocity(s).z; });
  add("distance", Quantity::length, [&](const S& s) { return norm(place(s) - cluster.centre); });
  return table;
}

Columns table_of(const ClusterMeasures& cluster) {
  Columns table;
  const auto add = [&](std::string_view name, Quantity quantity, const auto& of) {
    add_column(table, name, quantity, cluster.shells, of);
  };
  using S = ClusterShell;
  add("mass_fraction", Quantity::number, [](const S& s) { return s.fraction; });
  add("radius", Quantity::length, [](const S& s) { return s.radius; });
  add("objects", Quantity::number, [](const S& s) { return s.objects; });
  add("stars", Quantity::number, [](const S& s) { return s.stars; });
  add("systems", Quantity::number, [](const S& s) { return s.systems; });
  add("mass", Quantity::mass, [](const S& s) { return s.mass; });
  add("mean_mass", Quantity::mass, [](const S& s) { return s.mean_mass; });
  add("radial_velocity", Quantity::velocity, [](const S& s) { return s.radial_velocity; });
  add("radial_dispersion", Quantity::velocity, [](const S& s) { return s.radial_dispersion; });
  add("tangential_dispersion", Quantity::velocity, [](const S& s) { return s.tangential_dispersion; });
  return table;
}

Columns table_of(const ClusterMeasures& c, const Systems& systems, double time) {
  Columns table;
  const auto add = [&](std::string_view name, Quantity quantity, double value) {
    table.all.push_back({.name = name, .quantity = quantity, .values = {value}});
  };
  double binaries = 0;
  for (const auto& s : systems.systems)
    if (s.stars() == 2) binaries += s.binding_energy;
  add("time", Quantity::time, time);
  add("stars", Quantity::number, double(c.stars)), add("objects", Quantity::number, double(c.objects));
  add("binaries", Quantity::number, double(c.binaries));
  add("hierarchies", Quantity::number, double(c.hierarchies));
  add("mass", Quantity::mass, c.mass);
  add("x", Quantity::length, c.centre.x), add("y", Quantity::length, c.centre.y);
  add("z", Quantity::length, c.centre.z), add("vx", Quantity::velocity, c.velocity.x);
  add("vy", Quantity::velocity, c.velocity.y), add("vz", Quantity::velocity, c.velocity.z);
  add("core_radius", Quantity::length, c.core_radius);
  add("core_density", Quantity::density, c.core_density);
  add("core_mass", Quantity::mass, c.core_mass), add("core_stars", Quantity::number, double(c.core_stars));
  add("half_mass_radius", Quantity::length, c.half_mass_radius);
  add("relaxation_time", Quantity::time, c.relaxation_time);
  add("kT", Quantity::number, c.kT), add("binary_energy", Quantity::number, binaries);
  static constexpr std::array<std::string_view, shell_fractions.size()> radii{
      "radius_1",  "radius_2",  "radius_5",  "radius_10", "radius_20",
      "radius_30", "radius_50", "radius_70", "radius_90", "radius_100"};
  for (std::size_t k = 0; k < radii.size(); ++k)
    add(radii[k], Quantity::length, c.shells.empty() ? NAN : c.shells[k].radius);
  return table;
}

std::vector<std::pair<std::string, std::string>> notes_of(const ClusterMeasures& c) {
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  const auto vector = [&](const Vec3<double>& v) {
    return fmt::format("{} {} {}", number(v.x), number(v.y), number(v.z));
  };
  return {{"stars", std::to_string(c.stars)},
          {"binaries", std::to_string(c.binaries)},
          {"hierarchies", std::to_string(c.hierarchies)},
          {"mass", number(c.mass)},
          {"centre", vector(c.centre)},
          {"velocity", vector(c.velocity)},
          {"core_radius", number(c.core_radius)},
          {"core_density", number(c.core_density)},
          {"core_mass", number(c.core_mass)},
          {"core_stars", std::to_string(c.core_stars)},
          {"half_mass_radius", number(c.half_mass_radius)},
          {"half_mass_relaxation_time", number(c.relaxation_time)},
          {"kT", number(c.kT)}};
}

}  // namespace pleiad::structure
