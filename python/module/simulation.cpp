/// A simulation from settings of the configuration: the implementation of pleiad.Simulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/stepper.hpp"
#include "tune/cache.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

namespace pleiad::python {

void add_simulation(nb::module_& module) {
  using Text = std::optional<std::string>;
  module.def(
      "cache_file",
      [](const Text& cache_home, const Text& home) {
        return tune::cache_file(cache_home ? cache_home->c_str() : nullptr, home ? home->c_str() : nullptr)
            .string();
      },
      nb::arg("cache_home").none(), nb::arg("home").none(),
      "The file of what was measured, of these two variables.");
  nb::class_<View>(module, "View", "A simulation in a browser; pleiad.Simulation.view makes it.")
      .def_prop_ro("url", &View::url)
      .def("close", [](View& view) { without_gil([&] { view.close(); }); });
  nb::class_<Stepper>(module, "Simulation", "Bodies that step; pleiad.Simulation makes them.")
      .def_static("start", &Stepper::start, nb::arg("state").none(), nb::arg("settings"),
                  nb::arg("cache") = "", nb::arg("progress").none() = nb::none())
      .def_static("load", &Stepper::load, nb::arg("folder"), nb::arg("threads") = 0)
      .def("run_until", &Stepper::run_until, nb::arg("time"), nb::arg("progress").none() = nb::none(),
           nb::arg("tell").none() = nb::none(), nb::arg("force").none() = nb::none())
      .def("make_steps", &Stepper::make_steps, nb::arg("steps"), nb::arg("progress").none() = nb::none(),
           nb::arg("force").none() = nb::none())
      .def("reverse", &Stepper::reverse)
      .def("with_force", &Stepper::with_force, nb::arg("added"))
      .def("every", &Stepper::every, nb::arg("interval"))
      .def("change", &Stepper::change, nb::arg("settings"), nb::arg("bodies").none() = nb::none())
      .def("state", &Stepper::state)
      .def_static("restore", &Stepper::restore, nb::arg("state"), nb::arg("cache") = "",
                  nb::arg("notes") = std::vector<std::string>())
      .def_prop_ro("units", &Stepper::units)
      .def_prop_ro("universe", &Stepper::universe)
      .def_prop_ro("cache", &Stepper::cache)
      .def_prop_ro("time", &Stepper::time)
      .def_prop_ro("step", &Stepper::step)
      .def_prop_ro("size", &Stepper::size)
      .def_prop_ro("is_stepping", &Stepper::is_stepping)
      .def_prop_ro("notes", &Stepper::notes)
      .def("snapshot", &Stepper::snapshot, nb::arg("fields") = false)
      .def("copy_state", &Stepper::copy_state, nb::arg("positions"), nb::arg("velocities"), nb::arg("masses"))
      .def("put_state", &Stepper::put_state, nb::arg("positions"), nb::arg("velocities"), nb::arg("masses"))
      .def("device_view", &Stepper::device_view, nb::arg("column"))
      .def("take_changes", &Stepper::take_changes)
      .def("energies", &Stepper::energies)
      .def("encounters", &Stepper::encounters)
      .def_prop_ro("stopped_by", &Stepper::stopped_by)
      .def("diagnostics", &Stepper::diagnostics)
      .def("force_errors", &Stepper::force_errors)
      .def("describe", &Stepper::describe)
      .def("view", &Stepper::view, nb::arg("port").none() = nb::none(), nb::arg("control") = false,
           nb::arg("title") = "", nb::arg("frames") = false)
      .def("save", &Stepper::save, nb::arg("folder"));
}

}  // namespace pleiad::python
