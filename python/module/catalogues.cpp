/// Catalogues: models, formats, units, integrators, keys of the configuration.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "module/bodies.hpp"

#include <pleiad/added_force.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/units.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pleiad::python {
namespace {

nb::str text(std::string_view s) { return nb::str(s.data(), s.size()); }

Dicts model_catalogue() {
  Dicts all;
  for (const auto* model : models()) {
    nb::list parameters;
    for (const auto& p : model->parameters) {
      Dict one;
      one["name"] = text(p.name);
      one["default"] = p.value;
      one["low"] = p.low;
      one["high"] = p.high;
      one["meaning"] = text(p.meaning);
      nb::list words;
      for (const auto word : p.words) words.append(text(word));
      one["words"] = words;
      if (!p.words.empty()) one["default"] = text(p.words[static_cast<std::size_t>(p.value)]);
      parameters.append(one);
    }
    Dict one;
    one["name"] = text(model->name);
    one["summary"] = text(model->idea);
    one["origin"] = text(model->origin);
    one["suggested_softening"] = model->suggested_softening;
    one["parameters"] = parameters;
    all.append(one);
  }
  return all;
}

const char* name_of(Format::Digits digits) {
  return digits == Format::Digits::single ? "single" : digits == Format::Digits::either ? "either" : "all";
}

Dicts format_catalogue() {
  Dicts all;
  for (const auto* format : formats()) {
    const auto& k = format->kept;
    nb::list keeps;
    const auto add = [&](bool is_kept, const char* what) {
      if (is_kept) keeps.append(what);
    };
    add(k.order, "order"), add(k.accelerations, "accelerations"), add(k.potentials, "potentials");
    add(k.box, "box"), add(k.G, "G"), add(k.step, "step");
    Dict one;
    one["name"] = text(format->name);
    one["family"] = text(format->family);
    one["ending"] = text(format->ending);
    one["other_ending"] = text(format->other_ending);
    one["digits"] = name_of(format->digits);
    one["keeps"] = keeps;
    one["assumed_units"] = text(format->assumed_units);
    all.append(one);
  }
  return all;
}

Dict units_dict(const Units& units) {
  auto one = dict_of(units);
  one["G"] = units.G();
  one["time_s"] = units.time_s();
  return one;
}
Dicts unit_systems() {
  Dicts all;
  for (const auto name : unit_system_names()) all.append(units_dict(pleiad::units_named(name)));
  return all;
}

Dicts integrator_catalogue() {
  Dicts all;
  for (const auto* i : integrators()) {
    Dict one;
    one["name"] = text(i->name);
    one["idea"] = text(i->idea);
    one["order"] = i->order;
    one["symplectic"] = i->symplectic;
    one["time_reversible"] = i->time_reversible;
    one["evaluations"] = i->evaluations;
    all.append(one);
  }
  return all;
}

Dicts potential_catalogue() {
  Dicts all;
  for (const auto& kind : potential_kinds()) {
    Dict one;
    one["name"] = text(kind.name);
    one["idea"] = text(kind.idea);
    all.append(one);
  }
  return all;
}

Dicts force_catalogue() {
  Dicts all;
  for (const auto& kind : added_force_kinds()) {
    Dict one;
    one["name"] = text(kind.name);
    one["idea"] = text(kind.idea);
    all.append(one);
  }
  return all;
}

Dicts keys() {
  Dicts all;
  for (const auto& key : option_keys()) {
    Dict one;
    one["section"] = key.section;
    one["key"] = key.key;
    one["type"] = key.type;
    one["default"] = key.default_value;
    one["range"] = key.range;
    one["meaning"] = key.meaning;
    one["former_name"] = key.former_name;
    all.append(one);
  }
  return all;
}

std::string hint(const std::string& name, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return did_you_mean(name, views);
}

}  // namespace

void add_catalogues(nb::module_& module) {
  nb::list types;
  for (const auto name : type_names) types.append(text(name));
  module.attr("type_names") = nb::tuple(types);
  module.def("model_catalogue", model_catalogue, "Every model: name, summary, parameters with their ranges.");
  module.def("formats", format_catalogue, "Every format of snapshots, and what it keeps.");
  module.def("unit_systems", unit_systems, "Every named system of units.");
  module.def(
      "units_named", [](const std::string& name) { return units_dict(units_named(name)); }, nb::arg("name"));
  module.def(
      "custom_units",
      [](double length_cm, double mass_g, double velocity_cm_s) {
        return units_dict(custom_units(length_cm, mass_g, velocity_cm_s));
      },
      nb::arg("length_cm"), nb::arg("mass_g"), nb::arg("velocity_cm_s"));
  module.def("integrators", integrator_catalogue, "Every integrator: order, evaluations for each step.");
  module.def("potential_kinds", potential_catalogue, "Every kind of external potential: formula and source.");
  module.def("added_force_kinds", force_catalogue, "Every kind of added force: formula and source.");
  module.def("option_keys", keys, "Every key of the configuration: section, type, default, range, meaning.");
  module.def("did_you_mean", hint, nb::arg("name"), nb::arg("candidates"),
             "\"; did you mean 'x'?\" of the nearest candidate, or \"\".");
}

}  // namespace pleiad::python
