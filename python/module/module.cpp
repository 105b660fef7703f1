/// The extension module: plain data between the library and the Python files of the package, which users
/// import.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/version.hpp"
#include "engine/device.hpp"
#include "module/parts.hpp"

NB_MODULE(_core, module) {
  using namespace pleiad::python;
  module.doc() = "What the package pleiad is made of; its functions take and give plain data.";
  nb::set_leak_warnings(false);  // at its end Python leaves objects alone that the main script still has
  module.attr("version") = pleiad::version();
  module.attr("has_cuda") = pleiad::built_for_devices;
  add_errors(module);
  add_catalogues(module);
  add_files(module);
  add_looks(module);
  add_profiles(module);
  add_structure(module);
  add_cosmology(module);
  add_orbits(module);
  add_accuracy_curve(module);
  add_forces(module);
  add_simulation(module);
  add_ensemble(module);
}
