/// Profiles, rotation curves and phase space of bodies, as columns by name.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "profiles/profiles.hpp"

#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "render/profile_plot.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

namespace pleiad::python {
namespace {

using Triple = std::array<double, 3>;
using MaybeTriple = std::optional<Triple>;

/// What all three functions take, in the order of Python's arguments.
struct Asked {
  std::vector<int> types;
  MaybeTriple centre, axis;
  int bins;
  bool logarithmic;
  double low, high;
};

std::optional<Vec3<double>> vector_of(const MaybeTriple& t) {
  if (!t) return std::nullopt;
  return Vec3<double>{(*t)[0], (*t)[1], (*t)[2]};
}

/// Columns by name; those of the frame under "frame", units under "columns".
template <class Measure>
Dict measured(const Dict& data, const Asked& a, const Measure& measure) {
  const auto s = snapshot_of(data);
  profiles::Choice choice{.centre = vector_of(a.centre), .axis = vector_of(a.axis)};
  for (const int type : a.types) {
    if (type < 0 || std::size_t(type) >= type_names.size())
      throw UsageError(fmt::format("types has {}; there are 0 to {}", type, type_names.size() - 1));
    choice.types.push_back(static_cast<Type>(type));
  }
  const profiles::Bins bins{.count = a.bins, .logarithmic = a.logarithmic, .low = a.low, .high = a.high};
  profiles::Frame frame;
  auto columns = without_gil([&] {
    validate(s.bodies, 1, "the bodies");  // 1: two bodies may be at one place
    frame = profiles::frame_of(s, choice);
    choice.centre = frame.centre, choice.velocity = frame.velocity, choice.axis = frame.axis;
    return measure(s, choice, bins);
  });
  const auto text = [](Vec3<double> v) { return fmt::format("{},{},{}", v.x, v.y, v.z); };
  Dict about, found, all;
  about["centre"] = text(frame.centre), about["centre_velocity"] = text(frame.velocity);
  about["axis"] = text(frame.axis);
  if (const auto units = profiles::units_of(columns, s.units); !units.empty()) about["columns"] = units;
  for (auto& column : columns.all) {
    const std::string name(column.name);
    if (name == "bodies")
      found[name.c_str()] = array_of(std::vector<std::int64_t>(column.values.begin(), column.values.end()));
    else found[name.c_str()] = array_of(std::move(column.values));
  }
  all["about"] = about, all["columns"] = found;
  return all;
}

}  // namespace

void add_profiles(nb::module_& module) {
  module.def(
      "radial_profile",
      [](const Dict& snapshot, const std::vector<int>& types, const MaybeTriple& centre,
         const MaybeTriple& axis, int bins, bool logarithmic, double low, double high) {
        return measured(snapshot, {types, centre, axis, bins, logarithmic, low, high},
                        profiles::radial_profile);
      },
      nb::arg("snapshot"), nb::arg("types"), nb::arg("centre").none(), nb::arg("axis").none(),
      nb::arg("bins"), nb::arg("logarithmic"), nb::arg("low"), nb::arg("high"), "Spherical shells.");
  module.def(
      "rotation_curve",
      [](const Dict& snapshot, const std::vector<int>& types, const MaybeTriple& centre,
         const MaybeTriple& axis, int bins, bool logarithmic, double low, double high, double eps) {
        return measured(snapshot, {types, centre, axis, bins, logarithmic, low, high},
                        [&](const Snapshot& s, const profiles::Choice& choice, const profiles::Bins& b) {
                          return profiles::rotation_curve(s, choice, b, eps);
                        });
      },
      nb::arg("snapshot"), nb::arg("types"), nb::arg("centre").none(), nb::arg("axis").none(),
      nb::arg("bins"), nb::arg("logarithmic"), nb::arg("low"), nb::arg("high"), nb::arg("softening"),
      "Rings about the axis.");
  module.def(
      "phase_space",
      [](const Dict& snapshot, const std::vector<int>& types, const MaybeTriple& centre,
         const MaybeTriple& axis, int bins, bool logarithmic, double low, double high, int speeds,
         double highest) {
        return measured(snapshot, {types, centre, axis, bins, logarithmic, low, high},
                        [&](const Snapshot& s, const profiles::Choice& choice, const profiles::Bins& b) {
                          return profiles::phase_space(s, choice, b, speeds, highest);
                        });
      },
      nb::arg("snapshot"), nb::arg("types"), nb::arg("centre").none(), nb::arg("axis").none(),
      nb::arg("bins"), nb::arg("logarithmic"), nb::arg("low"), nb::arg("high"), nb::arg("speeds"),
      nb::arg("highest"), "Mass in cells of radius and radial velocity.");
  module.def(
      "field_units",
      [](const Dict& units) {
        const auto shown = field_units_of(units_of(units));
        Dict data;
        data["length"] = shown.length, data["velocity"] = shown.velocity, data["mass"] = shown.mass;
        data["length_name"] = shown.length_name, data["velocity_name"] = shown.velocity_name;
        data["mass_name"] = shown.mass_name;
        return data;
      },
      nb::arg("units"), "Factors to the units in which plots show a system, and their names.");
  module.def(
      "time_unit",
      [](const Dict& units, double longest) {
        const auto unit = time_unit_of(units_of(units), longest);
        return std::pair(std::string(unit.name), unit.seconds);
      },
      nb::arg("units"), nb::arg("longest"), "Name and seconds of the unit in which times are shown.");
}

}  // namespace pleiad::python
