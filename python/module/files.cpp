/// Snapshots from files and models, and into files.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/comoving.hpp"
#include "module/bodies.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/variant.h>

namespace pleiad::python {
namespace {

Dict read(const std::string& path, nb::handle units, bool physical) {
  const auto asked = maybe_units(units);
  const auto content =
      without_gil([&] { return physical ? read_snapshot(path, asked) : files::read_comoving(path, asked); });
  auto data = dict_of(content.snapshot);
  if (content.universe) data["universe"] = dict_of(*content.universe);
  data["format"] = std::string(content.format->name);
  data["units_stated"] = content.units_stated;
  data["notes"] = nb::cast(content.notes);
  data["files"] = nb::cast(content.files);
  return data;
}

const Format* format_of(const std::string& path, const std::optional<std::string>& name) {
  if (name) return &format_named(*name);
  const Format* format = format_by_ending(path);
  if (format == nullptr)
    throw UsageError(fmt::format("'{}': the ending of a snapshot says its format: {}", path,
                                 fmt::join(format_endings(), ", ")));
  return format;
}

std::vector<std::string> write(const Dict& data, const std::string& path,
                               const std::optional<std::string>& format, nb::handle units, double box_size,
                               bool double_precision, const std::string& provenance) {
  const auto snapshot = snapshot_of(data);
  const WriteOptions options{.format = format_of(path, format),
                             .units = maybe_units(units),
                             .box_size = box_size,
                             .double_precision = double_precision,
                             .provenance = provenance,
                             .universe = universe_in(data)};
  return without_gil([&] {
    validate(snapshot.bodies, 1, "the snapshot");  // 1: bodies at one place are no matter of a file's
    write_snapshot(path, snapshot, options);
    return losses(snapshot, options);
  });
}

/// A number, or the word of a choice.
using ParameterValue = std::variant<double, std::string>;

Dict make(const std::string& name, const std::map<std::string, ParameterValue>& parameters,
          std::uint64_t seed) {
  std::vector<std::string> settings;
  for (const auto& [parameter, value] : parameters)
    settings.push_back(std::visit([&](const auto& v) { return fmt::format("{}={}", parameter, v); }, value));
  return dict_of(without_gil([&] { return make_model(name, settings, seed); }));
}

Dict convert_to(const Dict& data, nb::handle units) {
  auto snapshot = snapshot_of(data);
  const double time = snapshot.time;
  convert(snapshot, units_of(units));
  const auto universe = universe_in(data);
  if (universe) snapshot.time = time;  // the scale factor
  auto converted = dict_of(snapshot);
  if (universe) converted["universe"] = dict_of(*universe);
  return converted;
}

}  // namespace

void add_files(nb::module_& module) {
  module.def("read", read, nb::arg("path"), nb::arg("units").none() = nb::none(), nb::arg("physical") = true,
             "A snapshot of any supported format.");
  module.def("write", write, nb::arg("snapshot"), nb::arg("path"), nb::arg("format") = nb::none(),
             nb::arg("units").none() = nb::none(), nb::arg("box_size") = -1.0,
             nb::arg("double_precision") = true, nb::arg("provenance") = "",
             "Into a file, whole or not there; what its format cannot keep.");
  module.def("model", make, nb::arg("name"), nb::arg("parameters") = std::map<std::string, ParameterValue>{},
             nb::arg("seed") = 1, "The bodies of a model.");
  module.def("convert", convert_to, nb::arg("snapshot"), nb::arg("units"), "The same in other units.");
}

}  // namespace pleiad::python
