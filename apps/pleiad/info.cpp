/// `pleiad info`: describes the contents of a snapshot file, or of the last state of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/json_text.hpp"
#include "core/print.hpp"
#include "exit.hpp"
#include "info_orbits.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/paths.hpp"
#include "io/files/comoving.hpp"
#include "live/timeline.hpp"
#include "output.hpp"
#include "structure/comoving.hpp"
#include "summary.hpp"
#include "units_option.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {
namespace {

using nlohmann::ordered_json;

struct InfoArguments {
  std::string file, units, about = "heaviest";
  bool json = false, orbits = false;
};

/// The call that opens the file in yt with plots that show all of it; "" for formats where it does not apply.
/// yt assumes kpc, 1e10 Msun and km/s for GADGET files, and space to be [0, BoxSize), regardless of the file.
std::string yt_line(const std::string& file, const FileContent& c) {
  if (c.format == nullptr) return "";
  const Format& format = *c.format;
  if (!format.read_by_yt) return "";
  const Snapshot& s = c.snapshot;
  Units u = s.units;
  const Units galactic = units_named("galactic");
  std::string line = fmt::format("yt.load({:?}", file);
  const bool gadget = format.readers_units == galactic.name;
  // yt reads the file with physical units next to TIPSY files.
  if (!(gadget ? u == galactic : u.physical && !format.units_beside.empty())) {
    if (!u.physical)
      u = custom_units(galactic.length_cm, galactic.mass_g, galactic.velocity_cm_s * std::sqrt(galactic.G()));
    line += fmt::format(", unit_base={{'length': ({}, 'cm'), 'mass': ({}, 'g'), 'velocity': ({}, 'cm/s')}}",
                        u.length_cm, u.mass_g, u.velocity_cm_s);
  }
  if (gadget && !s.boundary.periodic) {
    const double half = automatic_box_size(s) / 2;
    line += fmt::format(", bounding_box=[[{0:g}, {1:g}]] * 3", -half, half);
  }
  return line + ")";
}

/// A checkpoint is in no format of snapshots.
std::string_view format_name(const FileContent& c) {
  return c.format != nullptr ? c.format->name : std::string_view("checkpoint");
}

/// Columns of the file other than masses, positions, velocities, ids and types.
std::vector<std::string> more_columns(const Snapshot& s) {
  std::vector<std::string> names;
  if (!s.ax.empty()) names.emplace_back("accelerations");
  if (!s.potential.empty()) names.emplace_back("potentials");
  return names;
}

ordered_json triple(Vec3<double> v) { return {v.x, v.y, v.z}; }

/// The age of the universe at the time of comoving bodies, in years; none where H0 is no stated number.
std::optional<double> age_of(const structure::Comoving& c, const Units& units) {
  if (!units.physical) return std::nullopt;
  // 1 / (100 km/s/Mpc), 9.78e9 Julian years: a megaparsec in km over 100 km/s and the seconds of a year.
  constexpr double hubble_time = 3.0856775814913673e19 / 100 / 3.15576e7;
  return cosmology::age(c.universe, c.a) * hubble_time / c.universe.h;
}

double redshift_of(const structure::Comoving& c) {
  const double z = cosmology::redshift_of(c.a);
  return std::abs(z) < 1e-12 ? 0 : z;
}

ordered_json universe_json(const structure::Comoving& c, const Units& units) {
  const auto& u = c.universe;
  ordered_json out{{"scale_factor", c.a},
                   {"redshift", redshift_of(c)},
                   {"omega_m", u.omega_m},
                   {"omega_b", u.omega_b},
                   {"omega_lambda", u.omega_lambda},
                   {"omega_r", u.omega_r},
                   {"omega_nu", u.omega_nu()},
                   {"w0", u.w0},
                   {"wa", u.wa},
                   {"h", u.h}};
  if (const auto age = age_of(c, units)) out["age_years"] = *age;
  return out;
}

void print_info_json(const std::string& file, const FileContent& c, const Summary& s,
                     const std::optional<structure::Comoving>& comoving) {
  const Snapshot& snap = c.snapshot;
  const Units& u = snap.units;
  ordered_json types = ordered_json::object();
  for (std::size_t t = 0; t < 6; ++t)
    if (s.count[t] > 0) types[std::string(type_names[t])] = {{"bodies", s.count[t]}, {"mass", s.mass[t]}};
  ordered_json out{
      {"file", file}, {"format", format_name(c)}, {"bodies", snap.bodies.size()}, {"types", types}};
  out["units"] = {{"system", u.name}, {"stated", c.units_stated}, {"G", snap.G}};
  if (u.physical)
    out["units"].update(
        {{"length_cm", u.length_cm}, {"mass_g", u.mass_g}, {"velocity_cm_s", u.velocity_cm_s}});
  if (c.suggested_softening) out["suggested_softening"] = *c.suggested_softening;
  if (c.suggested_step) out["suggested_time_step"] = *c.suggested_step;
  out["time"] = snap.time, out["step"] = snap.step;
  if (comoving) out["universe"] = universe_json(*comoving, u);
  out["boundary"] = snap.boundary.periodic ? triple(snap.boundary.length) : ordered_json("open");
  if (snap.boundary.periodic) out["images"] = name_of(snap.boundary.images);
  out["low"] = triple(s.low), out["high"] = triple(s.high);
  if (s.problem.empty()) {
    out["mass"] = s.centre.mass;
    out["centre_of_mass"] = triple(s.centre.position),
    out["centre_of_mass_velocity"] = triple(s.centre.velocity);
    out["half_mass_radius"] = s.half_mass_radius;
    if (s.virial)
      out["virial_ratio"] = {
          {"value", s.virial->value}, {"standard_error", s.virial->standard_error}, {"how", s.virial->how}};
  } else {
    out["problem"] = s.problem;
  }
  out["also"] = more_columns(snap);
  if (const auto& eps = snap.bodies.softening; !eps.empty()) {
    const auto [least, most] = std::ranges::minmax(eps);
    out["softenings"] = {least, most};
  }
  out["state_hash"] = state_hash(snap.bodies);
  out["notes"] = c.notes;
  if (const auto yt = yt_line(file, c); !yt.empty()) out["yt"] = yt;
  print_out("{}\n", json_text(out));
}

std::string words(Vec3<double> v) { return fmt::format("{:.6g} {:.6g} {:.6g}", v.x, v.y, v.z); }

void print_info_text(const std::string& file, const FileContent& c, const Summary& s,
                     const std::optional<structure::Comoving>& comoving) {
  const Snapshot& snap = c.snapshot;
  const auto line = [](std::string_view key, const std::string& value) {
    print_out("{:<16} {}\n", key, value);
  };
  line("file", file);
  line("format", std::string(format_name(c)));
  double mass = 0;
  for (std::size_t t = 0; t < 6; ++t) {
    mass += s.mass[t];
    if (s.count[t] > 0) line(type_names[t], fmt::format("{} bodies, mass {:.6g}", s.count[t], s.mass[t]));
  }
  line("all", fmt::format("{} bodies, mass {:.6g}", snap.bodies.size(), mass));
  line("units", fmt::format("{}: {}{}", c.units_stated ? "stated" : "assumed", described(snap.units),
                            comoving ? "; lengths comoving and per h, masses per h" : ""));
  line("G", fmt::format("{}", snap.G));
  if (comoving) {
    const auto& u = comoving->universe;
    const auto age = age_of(*comoving, snap.units);
    line("time",
         fmt::format("scale factor {:.9g}, redshift {:.9g}{}, step {}", comoving->a, redshift_of(*comoving),
                     age ? fmt::format(", age {:.4g} Gyr", *age / 1e9) : "", snap.step));
    line("universe",
         fmt::format("omega_m {:g}, omega_lambda {:g}, omega_r {:.4g}{}, h {:g}{}", u.omega_m, u.omega_lambda,
                     u.omega_r,
                     u.has_massive_neutrinos() ? fmt::format(", omega_nu {:.4g}", u.omega_nu()) : "", u.h,
                     u.w0 == -1 && u.wa == 0 ? "" : fmt::format(", w0 {:g}, wa {:g}", u.w0, u.wa)));
  }
  const auto in_words = snap.units.physical ? fmt::format(" ({})", time_in_words(snap.time, snap.units)) : "";
  if (!comoving) line("time", fmt::format("{}{}, step {}", snap.time, in_words, snap.step));
  if (c.suggested_softening)
    line("softening", fmt::format("{:g}, suggested for a run", *c.suggested_softening));
  if (c.suggested_step) line("time step", fmt::format("{:g}, suggested for a run", *c.suggested_step));
  line("boundary", snap.boundary.periodic
                       ? fmt::format("periodic box {}, {}", words(snap.boundary.length),
                                     snap.boundary.all_images() ? "all images" : "nearest images")
                       : "open");
  if (const auto more = more_columns(snap); !more.empty())
    line("also", fmt::format("{} of every body, G included", fmt::join(more, " and ")));
  if (const auto& eps = snap.bodies.softening; !eps.empty()) {
    const auto [least, most] = std::ranges::minmax(eps);
    line("softenings", fmt::format("of every body, {:g} to {:g}", least, most));
  }
  line("extent", fmt::format("x {:.6g} to {:.6g}, y {:.6g} to {:.6g}, z {:.6g} to {:.6g}", s.low.x, s.high.x,
                             s.low.y, s.high.y, s.low.z, s.high.z));
  if (s.problem.empty()) {
    line("centre of mass",
         fmt::format("{}, velocity {}", words(s.centre.position), words(s.centre.velocity)));
    line("half-mass radius", fmt::format("{:.6g} about the density centre", s.half_mass_radius));
    if (s.virial)
      line(
          "virial ratio",
          fmt::format("T/|W| = {:.4g}{} ({}; unsoftened, about the centre of mass)", s.virial->value,
                      s.virial->standard_error > 0 ? fmt::format(" +- {:.1g}", s.virial->standard_error) : "",
                      s.virial->how));
  }
  line("state hash", state_hash(snap.bodies));
  if (const auto yt = yt_line(file, c); !yt.empty()) line("in yt", yt);
  for (const auto& note : c.notes) line("note", one_line(note));
}

/// The snapshot; of the directory of a run the last one, or its checkpoint if it has none. `a.file` is then
/// that file.
FileContent content_of(InfoArguments& a) {
  const auto units = units_in(a.units);
  if (!is_input_folder(a.file)) return files::read_comoving(a.file, units);
  const auto run = live::timeline_of(a.file);
  const std::filesystem::path folder = a.file;
  if (const auto last = folder / "snapshots" / run.setting.list.back().name; has_entry(last)) {
    a.file = last.string();
    return files::read_comoving(last, units);
  }
  if (units)
    throw UsageError(
        fmt::format("--units is for files that state none; the checkpoint of '{}' has its own", a.file));
  a.file = (folder / "checkpoint.pleiad").string();
  auto content = run.read_comoving(run.setting.list.size() - 1);
  content.format = nullptr, content.units_stated = true;
  content.notes.clear(), content.suggested_softening.reset(), content.suggested_step.reset();
  return content;
}

}  // namespace

void add_info(Command app, int& result) {
  auto command = app.add_subcommand("info", "Describe the contents of a snapshot file, or of a run");
  const auto a = std::make_shared<InfoArguments>();
  command
      .add_option(
          "FILE", a->file,
          "snapshot in any format (one part, or the common name, of a set of files), or the directory of "
          "a run: its last snapshot, or its checkpoint")
      .required();
  command.add_option(
      "--units", a->units,
      fmt::format("interpret the numbers in these units, whatever the file states: {}", units_help));
  command.add_flag("--json", a->json, "print JSON");
  command.add_flag("--orbits", a->orbits, "print the orbital elements of the bodies instead");
  command.add_option("--about", a->about,
                     "what orbits are about: heaviest, barycentre, jacobi, an id, or two ids such as 0,1");
  command.footer(
      "Example:\n  pleiad info galaxy.dat --json | jq .virial_ratio.value\n"
      "  pleiad info planets.csv --orbits --about barycentre\n  pleiad info output --orbits");
  command.callback([a, &result] {
    const FileContent content = content_of(*a);
    Claims claims;
    claims.reads_all(content.files);
    claims.reads_all(content.beside);
    if (a->orbits && content.universe)
      throw UsageError(
          "pleiad info --orbits: orbits are of physical bodies; convert the file with --physical");
    if (a->orbits) return print_orbits(content.snapshot, a->about, a->json);
    if (a->about != InfoArguments().about) throw UsageError("pleiad info: --about goes with --orbits");
    const auto comoving = structure::comoving_of(content.snapshot, content.universe);
    const Summary summary = summarise(content.snapshot, comoving ? comoving->a : 1);
    (a->json ? print_info_json : print_info_text)(a->file, content, summary, comoving);
    if (!summary.problem.empty()) {
      complain(summary.problem);
      result = int(Exit::bad_input);
    }
  });
}

}  // namespace pleiad::app
