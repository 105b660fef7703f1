/// Common header of the parts of the extension module: each part adds its functions and classes to the
/// module.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <string>
#include <utility>

#include <nanobind/nanobind.h>
// In every file, so that all convert alike.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace pleiad::python {

namespace nb = nanobind;

// Types for Python's type checkers.
using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using Dicts = nb::typed<nb::list, Dict>;
using Any = nb::any;

void add_errors(nb::module_& module);
void add_catalogues(nb::module_& module);
void add_files(nb::module_& module);
void add_looks(nb::module_& module);
void add_profiles(nb::module_& module);
void add_structure(nb::module_& module);
void add_cosmology(nb::module_& module);
void add_orbits(nb::module_& module);
void add_accuracy_curve(nb::module_& module);
void add_forces(nb::module_& module);
void add_simulation(nb::module_& module);
void add_ensemble(nb::module_& module);

/// Returns the result of `work`, with other threads of Python running meanwhile.
template <class Work>
auto without_gil(const Work& work) {
  const nb::gil_scoped_release others_run;
  return work();
}
/// As without_gil, for an object that one thread uses at a time: `busy` is its own, read and changed under
/// the GIL only. UsageError if it is in use.
template <class Work>
void alone(bool& busy, const char* what, const Work& work) {
  if (busy)
    throw UsageError(std::string("this ") + what + " is at work in another thread: one uses it at a time");
  struct Busy {
    bool& flag;
    explicit Busy(bool& f) : flag(f) { flag = true; }
    ~Busy() { flag = false; }
  } const while_it_works(busy);
  without_gil(work);
}
/// An object in a slot for the time of a call: kept longer, it would keep its simulation alive through
/// Python.
class Lent {
 public:
  Lent(nb::object& slot, nb::object object) : slot_(slot) { slot_ = std::move(object); }
  ~Lent() { slot_ = nb::none(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  nb::object& slot_;
};
/// Handles Ctrl-C and other signals, whose handlers raise; the caller must hold the GIL.
inline void obey_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace pleiad::python
