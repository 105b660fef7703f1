/// Orbital elements of bodies, and bodies on orbits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/arrays.hpp"
#include "module/bodies.hpp"

#include <pleiad/orbits.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace pleiad::python {
namespace {

Dict orbits_about(const Dict& data, const std::string& about) {
  const auto s = snapshot_of(data);
  const auto orbits = without_gil([&] { return orbits_of(s, orbit_centre_named(about)); });
  Dict columns;
  std::vector<std::uint64_t> ids;
  for (const auto& orbit : orbits) ids.push_back(orbit.id);
  columns["id"] = array_of(std::move(ids));
  const auto add = [&](const char* name, const auto& value) {
    std::vector<double> values;
    for (const auto& orbit : orbits) values.push_back(value(orbit));
    columns[name] = array_of(values);
  };
  const auto element = [&](const char* name, double OrbitalElements::*field) {
    add(name, [field](const Orbit& orbit) { return orbit.elements.*field; });
  };
  element("a", &OrbitalElements::semi_major_axis);
  element("e", &OrbitalElements::eccentricity);
  element("inclination", &OrbitalElements::inclination);
  element("node", &OrbitalElements::node);
  element("pericentre", &OrbitalElements::pericentre);
  element("true_anomaly", &OrbitalElements::true_anomaly);
  element("mean_anomaly", &OrbitalElements::mean_anomaly);
  element("q", &OrbitalElements::pericentre_distance);
  element("mean_motion", &OrbitalElements::mean_motion);
  element("period", &OrbitalElements::period);
  add("mu", [](const Orbit& orbit) { return orbit.mu; });
  return columns;
}

/// The snapshot with one more body. NaN: not given.
Dict with_body_on_orbit(const Dict& data, double mass, double a, double q, double e, double inclination,
                        double node, double pericentre, double true_anomaly, double mean_anomaly,
                        const std::string& about) {
  auto s = snapshot_of(data);
  const auto given = [](double value) { return std::isnan(value) ? StatedOrbit::unset : value; };
  add_on_orbit(s, mass,
               {.semi_major_axis = given(a),
                .pericentre_distance = given(q),
                .eccentricity = e,
                .inclination = inclination,
                .node = node,
                .pericentre = pericentre,
                .true_anomaly = given(true_anomaly),
                .mean_anomaly = given(mean_anomaly)},
               orbit_centre_named(about));
  return dict_of(s);
}

}  // namespace

void add_orbits(nb::module_& module) {
  module.def("orbits", orbits_about, nb::arg("snapshot"), nb::arg("about"),
             "Columns of orbital elements; angles are radians.");
  module.def("with_body_on_orbit", with_body_on_orbit, nb::arg("snapshot"), nb::arg("mass"), nb::arg("a"),
             nb::arg("q"), nb::arg("e"), nb::arg("inclination"), nb::arg("node"), nb::arg("pericentre"),
             nb::arg("true_anomaly"), nb::arg("mean_anomaly"), nb::arg("about"));
}

}  // namespace pleiad::python
