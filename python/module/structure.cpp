/// Groups of bodies, power spectra, and binaries and shells of star clusters, as columns by name.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "structure/measures.hpp"

#include <pleiad/error.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::python {
namespace {

/// Bodies that may be measured, and which of them are chosen.
struct Chosen {
  Snapshot snapshot;
  std::vector<std::size_t> bodies;
  std::optional<structure::Comoving> comoving;
};

Chosen chosen_of(const Dict& data, const std::vector<int>& numbers) {
  Chosen chosen{snapshot_of(data), {}, {}};
  const auto universe = universe_in(data);
  std::vector<Type> types;
  for (const int type : numbers) types.push_back(static_cast<Type>(type));  // checked by types_of in Python
  without_gil([&] {
    validate(chosen.snapshot.bodies, 1, "the bodies");  // 1: two bodies may be at one place
    chosen.bodies = structure::bodies_of(chosen.snapshot.bodies, types);
    chosen.comoving = structure::comoving_of(chosen.snapshot, universe);
    return 0;
  });
  return chosen;
}

/// Columns by name, those of counts as whole numbers.
Dict arrays_of(profiles::Columns columns, const std::set<std::string>& counts) {
  Dict arrays;
  for (auto& column : columns.all) {
    const std::string name(column.name);
    if (counts.contains(name))
      arrays[name.c_str()] = array_of(std::vector<std::int64_t>(column.values.begin(), column.values.end()));
    else arrays[name.c_str()] = array_of(std::move(column.values));
  }
  return arrays;
}

Dict power_spectrum(const Dict& data, const std::vector<int>& types, std::size_t grid, std::size_t folds) {
  const auto chosen = chosen_of(data, types);
  const auto spectrum = without_gil([&] {
    return structure::power_spectrum(chosen.snapshot.bodies, chosen.bodies, chosen.snapshot.boundary,
                                     {.grid = grid, .folds = folds});
  });
  Dict all, about;
  about["grid"] = std::to_string(spectrum.grid);
  const auto megaparsec = chosen.comoving ? structure::megaparsec_in(chosen.snapshot.units) : std::nullopt;
  if (megaparsec) about["columns"] = "k in h/Mpc, power and shot_noise in (Mpc/h)^3";
  all["about"] = about;
  all["columns"] = arrays_of(structure::table_of(spectrum, megaparsec.value_or(1)), {"modes", "fold"});
  return all;
}

Dict groups(const Dict& data, const std::vector<int>& types, std::optional<double> fraction,
            std::optional<double> distance, std::size_t least, std::optional<double> overdensity,
            std::optional<double> density) {
  const auto chosen = chosen_of(data, types);
  const auto& b = chosen.snapshot.bodies;
  const auto found = without_gil([&] {
    return structure::find_groups(chosen.snapshot, chosen.bodies,
                                  {.fraction = fraction,
                                   .distance = distance,
                                   .least = least,
                                   .overdensity = overdensity,
                                   .density = density,
                                   .comoving = chosen.comoving});
  });
  // The number of the group of each body, -1 outside of groups.
  std::vector<std::int64_t> group_of(b.size(), -1);
  for (std::size_t g = 0; g < found.groups.size(); ++g)
    for (const auto i : found.groups.of(g)) group_of[i] = std::int64_t(g);
  Dict all, about;
  about["linking_length"] = fmt::format("{}", found.facts.linking_length);
  about["min_members"] = std::to_string(found.facts.least);
  for (const auto& named : found.facts.densities)
    about[(named.name + "_density").c_str()] = fmt::format("{}", named.density);
  auto columns = structure::table_of(found);
  if (const auto units = profiles::units_of(columns, chosen.snapshot.units, chosen.comoving.has_value());
      !units.empty())
    about["columns"] = units;
  all["about"] = about;
  all["columns"] = arrays_of(std::move(columns), {"id", "members"});
  all["group_of"] = array_of(std::move(group_of));
  return all;
}

/// Bound systems, or the shells of a cluster, with its core in the notes of both.
Dict cluster(const Dict& data, const std::vector<int>& types, bool binaries) {
  const auto chosen = chosen_of(data, types);
  const auto& s = chosen.snapshot;
  auto [columns, measures] = without_gil([&] {
    const auto systems = structure::find_systems(s, chosen.bodies);
    auto c = structure::measure_cluster(s, systems);
    return std::pair(binaries ? structure::table_of(systems, c, s.bodies) : structure::table_of(c),
                     std::move(c));
  });
  Dict all, about;
  for (const auto& [name, value] : structure::notes_of(measures)) about[name.c_str()] = value;
  if (const auto units = profiles::units_of(columns, s.units); !units.empty()) about["columns"] = units;
  all["about"] = about;
  all["columns"] =
      arrays_of(std::move(columns), {"id_1", "id_2", "stars", "outermost", "objects", "systems"});
  return all;
}

}  // namespace

void add_structure(nb::module_& module) {
  module.def("power_spectrum", power_spectrum, nb::arg("snapshot"), nb::arg("types"), nb::arg("grid"),
             nb::arg("folds"), "Power spectrum of a periodic box.");
  module.def("groups", groups, nb::arg("snapshot"), nb::arg("types"), nb::arg("fraction").none(),
             nb::arg("distance").none(), nb::arg("least"), nb::arg("overdensity").none(),
             nb::arg("density").none(), "Groups by friends of friends.");
  module.def("cluster", cluster, nb::arg("snapshot"), nb::arg("types"), nb::arg("binaries"),
             "Bound systems or shells of a star cluster.");
}

}  // namespace pleiad::python
