/// Accuracy and time of every solver on one set of bodies, as `pleiad accuracy` measures them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/solvers.hpp"
#include "core/threads.hpp"
#include "module/bodies.hpp"

#include <pleiad/error.hpp>
#include <pleiad/precision.hpp>

#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

namespace pleiad::python {
namespace {

nb::object value_of(const bench::Cell& cell) {
  return std::visit(
      [](const auto& value) -> nb::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) return nb::none();
        else return nb::cast(value);
      },
      cell);
}

Dicts rows_of(const bench::Table& table) {
  Dicts rows;
  for (const auto& row : table.rows) {
    Dict one;
    for (std::size_t k = 0; k < row.size(); ++k) one[table.columns[k].key.c_str()] = value_of(row[k]);
    rows.append(one);
  }
  return rows;
}

Dicts measured(const Dict& data, double softening, const std::string& precision, const std::string& backend,
               double longest, int threads, const std::string& name, nb::object progress) {
  if (backend != "cpu" && backend != "cuda")
    throw UsageError(fmt::format("backend must be one of cpu, cuda, not '{}'", backend));
  auto s = snapshot_of(data);
  s.bodies.softening.clear();  // one for all
  const Gravity gravity{.G = s.G, .softening = {softening}, .boundary = s.boundary};
  const bench::CurveOptions options{.name = name,
                                    .precision = precision_named(precision),
                                    .where = backend == "cuda" ? Device::cuda : Device::cpu,
                                    .longest_seconds = longest};
  const auto tell = [&](const std::string& what) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (!progress.is_none()) progress(what);
  };
  return rows_of(without_gil([&] {
                   validate(s.bodies, softening, name);
                   const Threads ours(threads);
                   const WithThreads in_force(ours);
                   return bench::accuracy_curve(s.bodies, gravity, options, tell);
                 }).table);
}

}  // namespace

void add_accuracy_curve(nb::module_& module) {
  module.def("accuracy_curve", measured, nb::arg("snapshot"), nb::arg("softening") = 0.0,
             nb::arg("precision") = "mixed", nb::arg("backend") = "cpu", nb::arg("longest") = 300.0,
             nb::arg("threads") = 0, nb::arg("name") = "bodies", nb::arg("progress").none() = nb::none(),
             "Errors and times of direct sums and of every tree, a row for each setting.");
}

}  // namespace pleiad::python
