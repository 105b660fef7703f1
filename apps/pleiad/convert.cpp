/// `pleiad convert`: a snapshot into another format or other units.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/print.hpp"
#include "format_option.hpp"
#include "output.hpp"
#include "overwrite.hpp"
#include "units_option.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

struct ConvertArguments {
  std::string in, out, format, from_units, to_units;
  bool single = false;
};

/// Readers of GADGET files take them to be in kpc, 1e10 Msun and km/s whatever is written in them: physical
/// snapshots are given those.
std::optional<Units> target_units(const ConvertArguments& a, Format format, const Units& units) {
  if (!a.to_units.empty()) return units_in(a.to_units);
  const bool gadget = format == Format::hdf5 || format == Format::gadget1 || format == Format::gadget2;
  if (gadget && units.physical) return units_named("galactic");
  return std::nullopt;
}

void execute(const ConvertArguments& a) {
  const Format format = format_for(a.out, a.format, "pleiad convert");
  if (a.single && format == Format::csv)
    throw UsageError("pleiad convert: --single does not apply to csv, which is written with 17 digits");
  const FileContent content = read_snapshot(a.in, units_in(a.from_units));
  // One file in its own place is safe: it has been read wholly. A set would lose one of its parts.
  if (content.files.size() > 1) Inputs(content.files).refuse(a.out, "the whole set");
  const Snapshot& s = content.snapshot;
  const WriteOptions how{
      .format = format,
      .units = target_units(a, format, s.units),
      .double_precision = !a.single,
      .provenance = fmt::format("pleiad convert: from {} ({})", a.in, name_of(content.format))};
  write_snapshot(a.out, s, how);
  const auto say = [](const std::string& line) { print_err("{}\n", one_line(line)); };
  for (const auto& note : content.notes) say("note: " + note);
  const Units written = how.units.value_or(s.units);
  say(fmt::format("read {} bodies from '{}': {}, {}", s.bodies.size(), a.in, name_of(content.format),
                  described(s.units)));
  say(fmt::format("wrote '{}': {}, {}", a.out, name_of(format),
                  written == s.units ? "in the same units" : "converted to " + described(written)));
  for (const auto& lost : losses(s, how)) say("not kept: " + lost);
}

}  // namespace

void add_convert(CLI::App& app, int&) {
  auto* command = app.add_subcommand("convert", "Write a snapshot in another format or other units");
  const auto a = std::make_shared<ConvertArguments>();
  command->add_option("IN", a->in, "snapshot in any format (one part, or the common name, of a set of files)")
      ->required();
  command->add_option("OUT", a->out, "file to write; its ending says the format")->required();
  command->add_option("--format", a->format,
                      fmt::format("{} (default: by the ending of OUT)", fmt::join(format_names(), ", ")));
  command->add_option(
      "--from-units", a->from_units,
      fmt::format("take the numbers of IN to be in these units, whatever it says: {}", units_help));
  command->add_option(
      "--to-units", a->to_units,
      fmt::format("convert to these units: {} (default: as IN, but galactic for physical GADGET files)",
                  units_help));
  command->add_flag("--single", a->single,
                    "single precision in hdf5 (gadget1, gadget2 and tipsy always are)");
  command->footer("Example:\n  pleiad convert galaxy.dat galaxy.hdf5 --to-units cluster");
  command->callback([a] { execute(*a); });
}

}  // namespace pleiad::app
