/// `pleiad convert`: converts a snapshot to another format or other units.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/print.hpp"
#include "format_option.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "io/files/comoving.hpp"
#include "output.hpp"
#include "units_option.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

struct ConvertArguments {
  std::string in, out, format, from_units, to_units;
  bool single = false, physical = false;
};

std::optional<Units> target_units(const ConvertArguments& a, const Format& format, const Snapshot& s) {
  return a.to_units.empty() ? usual_units(format, s) : units_in(a.to_units);
}

/// Errors that a run, and so `pleiad info`, would refuse are converted, but with a note: ids that repeat,
/// masses below 0, numbers that are too large in these units.
std::string refusal_of(const Snapshot& s) {
  try {
    validate(s.bodies, 1, "a run will refuse this file");  // 1: softening is the run's matter
    return "";
  } catch (const InputError& refusal) {
    return refusal.what();
  }
}

/// Numbers that are not finite are refused by a run and every reader: they are not converted.
void need_finite(const Snapshot& s, const std::string& origin) {
  const Bodies& b = s.bodies;
  const std::array<std::pair<const char*, const std::vector<double>*>, 11> columns{
      {{"x", &b.x},
       {"y", &b.y},
       {"z", &b.z},
       {"vx", &b.vx},
       {"vy", &b.vy},
       {"vz", &b.vz},
       {"mass", &b.mass},
       {"ax", &s.ax},
       {"ay", &s.ay},
       {"az", &s.az},
       {"potential", &s.potential}}};
  for (const auto& [name, column] : columns)
    for (std::size_t i = 0; i < column->size(); ++i)
      if (!std::isfinite((*column)[i]))
        throw InputError(fmt::format("{}: body {} has {} = {} in units {}; it must be finite", origin, i,
                                     name, (*column)[i], s.units.name));
}

/// N-body units of a physical snapshot: G = 1, the whole mass 1, and the half-mass radius 1.
Units scale_of(const Snapshot& s) {
  const Bodies& b = s.bodies;
  const double mass = centre_of_mass(b).mass;
  const double length = mass > 0 ? lagrangian_radii(b, density_centre(b), std::array{0.5}).front() : 0;
  if (!(mass > 0 && length > 0 && std::isfinite(mass) && std::isfinite(length)))
    throw UsageError(
        fmt::format("--to-units nbody needs a total mass and a half-mass radius above 0, and they are "
                    "{} and {}; give "
                    "LENGTH,MASS,VELOCITY instead",
                    mass, length));
  const Units& u = s.units;
  return custom_units(length * u.length_cm, mass * u.mass_g,
                      std::sqrt(s.G * mass / length) * u.velocity_cm_s);
}

/// Factors from the units of the input to those of the output.
struct Factors {
  double length = 1, time = 1;
};

/// Converts to the units of the output; `line` describes the conversion. The time is converted, too.
Factors to_target(Snapshot& s, const Units& target, std::string& line) {
  if (s.units == target) return {};
  line = "converted to " + described(target);
  const bool by_scale = s.units.physical && !target.physical;
  const Units scale = by_scale ? scale_of(s) : target;
  const Factors factors{s.units.length_cm / scale.length_cm, s.units.time_s() / scale.time_s()};
  convert(s, scale);
  if (!by_scale) return factors;
  s.units = target, s.G = 1;
  line = fmt::format(
      "converted to nbody: G = 1, total mass 1, half-mass radius 1; convert back with --from-units {},{},{}",
      scale.length_cm, scale.mass_g, scale.velocity_cm_s);
  return factors;
}

/// The units that readers of a file with G = 1 will find.
std::string said_beside(const ConvertArguments& a, const Format& format, const Units& u) {
  const bool alone = format.units_beside.empty() || replaceable(a.out).empty();
  return fmt::format("velocities in it are in units of {:.10g} cm/s, so that G = 1 as its readers assume; {}",
                     u.velocity_cm_s * std::sqrt(u.G()),
                     alone ? "no .param file beside it can state this"
                           : fmt::format("{} beside it states this", format.units_beside));
}

void execute(const ConvertArguments& a) {
  const Format& format = format_for(a.out, a.format, "pleiad convert");
  if (a.single && format.digits == Format::Digits::all)
    throw UsageError(fmt::format(
        "pleiad convert: --single does not apply to {}, which is written with 17 digits", format.name));
  Claims claims;
  claims.reads(a.in);
  claims.writes(a.out, "OUT");
  // Other formats do not say that bodies are comoving.
  const bool may_stay = format.name == "hdf5" && !a.physical;
  FileContent content = may_stay ? files::read_comoving(a.in, units_in(a.from_units))
                                 : read_snapshot(a.in, units_in(a.from_units));
  claims.reads_all(content.files);
  claims.reads_all(content.beside);
  Snapshot& s = content.snapshot;
  need_finite(s, a.in);
  const Units read = s.units;
  std::string converted = "in the same units";
  auto softening = content.suggested_softening, step = content.suggested_step;
  if (const auto target = target_units(a, format, s)) {
    const double time = s.time;
    const auto factors = to_target(s, *target, converted);
    if (content.universe) s.time = time;  // the scale factor
    if (softening) *softening *= factors.length;
    if (step) *step *= factors.time;
  }
  need_finite(s, a.in);
  const WriteOptions how{
      .format = &format,
      .units = {},
      .double_precision = !a.single,
      .provenance = fmt::format("pleiad convert: from {} ({})", a.in, content.format->name),
      .suggested_softening = softening,
      .suggested_step = step,
      .universe = content.universe};
  write_snapshot(a.out, s, how);
  const auto say = [](const std::string& line) { print_err("{}\n", one_line(line)); };
  for (const auto& note : content.notes) say("note: " + note);
  if (const auto refusal = refusal_of(s); !refusal.empty()) say("note: " + refusal);
  say(fmt::format("read {} bodies from '{}': {}, {}", s.bodies.size(), a.in, content.format->name,
                  described(read)));
  say(fmt::format("wrote '{}': {}, {}", a.out, format.name, converted));
  if (s.units != read && s.G != s.units.G())
    say(fmt::format("note: G = {} is that of '{}' in these units, whose own is {}", s.G, a.in, s.units.G()));
  if (format.G_is_one && s.units.physical) say("note: " + said_beside(a, format, s.units));
  for (const auto& lost : losses(s, how)) say("not kept: " + lost);
}

}  // namespace

void add_convert(Command app, int&) {
  auto command = app.add_subcommand("convert", "Convert a snapshot to another format or other units");
  const auto a = std::make_shared<ConvertArguments>();
  command.add_option("IN", a->in, "snapshot in any format (one part, or the common name, of a set of files)")
      .required();
  command.add_option("OUT", a->out, "output file; its extension selects the format").required();
  command.add_option("--format", a->format,
                     fmt::format("{} (default: by the extension of OUT)", fmt::join(format_names(), ", ")));
  command.add_option(
      "--from-units", a->from_units,
      fmt::format("interpret the numbers of IN in these units, whatever it states: {}", units_help));
  command.add_option("--to-units", a->to_units,
                     fmt::format("convert to these units: {} (default: those of IN, but galactic for GADGET "
                                 "and hdf5 files of physical "
                                 "bodies that extend over 1e-3 kpc). nbody from physical units: G = 1, the "
                                 "total mass and the half-mass radius are the units",
                                 units_help));
  command.add_flag("--single", a->single, "single precision in hdf5 (gadget1, gadget2 and tipsy always are)");
  command.add_flag("--physical", a->physical,
                   "make the bodies of a cosmological file physical; other formats than hdf5 always do");
  command.footer("Example:\n  pleiad convert galaxy.dat galaxy.hdf5 --to-units cluster");
  command.callback([a] { execute(*a); });
}

}  // namespace pleiad::app
