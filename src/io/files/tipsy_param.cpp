/// Reading, writing and agreeing on the .param file of a folder.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/tipsy_param.hpp"

#include "cosmology/cosmology.hpp"
#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"
#include "io/files/csv.hpp"
#include "io/files/parts.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <numbers>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view our_mark = "# pleiad-units:";
constexpr double kpc_cm = 3.0856775814913673e21;
constexpr std::size_t largest_param = std::size_t{1} << 20;

double msun_g() { return units_named("cluster").mass_g; }

void scale(std::vector<double>& values, double factor) {
  for (double& v : values) v *= factor;
}

/// Changes G to G / g by a change of the unit of velocity.
void divide_G(Snapshot& s, double g) {
  if (g == 1) return;
  const double root = std::sqrt(g);
  for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz}) scale(*v, 1 / root);
  for (auto* a : {&s.ax, &s.ay, &s.az, &s.potential}) scale(*a, 1 / g);
  s.time *= root;
  s.G /= g;
}

fs::path folder_of(const fs::path& snapshot) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(snapshot, failed);
  const fs::path folder = failed ? snapshot.parent_path() : real.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// The files in a folder with this ending, or all; none when it cannot be read.
std::vector<fs::path> files_ending(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (std::error_code unknown;
        (ending.empty() || entry->path().extension() == ending) && entry->is_regular_file(unknown))
      files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// TIPSY snapshots, whatever they are called.
std::vector<fs::path> snapshots_in(const fs::path& folder) {
  auto files = files_ending(folder, "");
  std::erase_if(files, [](const fs::path& file) {
    if (file.extension() == ".tipsy") return false;
    std::array<char, 32> start{};
    const Descriptor in = open_file(file, O_RDONLY | O_NONBLOCK);
    const ssize_t n = in ? read_all(in.get(), start.data(), start.size()) : 0;
    return n <= 0 || !looks_like_tipsy({start.data(), static_cast<std::size_t>(n)});
  });
  return files;
}

/// "KEY = VALUE # comment" with this key; nothing when the line is another one.
std::optional<double> value_of(std::string_view line, std::string_view key) {
  line = csv::trimmed(line.substr(0, line.find('#')));
  const auto equal = line.find('=');
  if (equal == line.npos || csv::trimmed(line.substr(0, equal)) != key) return std::nullopt;
  return csv::number(csv::trimmed(line.substr(equal + 1))).value_or(std::nan(""));
}

/// The numbers of TipsyUniverse by name.
struct UniverseKey {
  std::string_view name;
  std::optional<double> TipsyUniverse::*number;
  bool above_0 = false;
};
constexpr std::array universe_keys{UniverseKey{"dOmega0", &TipsyUniverse::dOmega0, true},
                                   UniverseKey{"dLambda", &TipsyUniverse::dLambda},
                                   UniverseKey{"dOmegaDE", &TipsyUniverse::dOmegaDE},
                                   UniverseKey{"dOmegaRad", &TipsyUniverse::dOmegaRad},
                                   UniverseKey{"dOmegab", &TipsyUniverse::dOmegab},
                                   UniverseKey{"w0", &TipsyUniverse::w0},
                                   UniverseKey{"wa", &TipsyUniverse::wa},
                                   UniverseKey{"dHubble0", &TipsyUniverse::dHubble0, true},
                                   UniverseKey{"h", &TipsyUniverse::h, true},
                                   UniverseKey{"dBoxSize", &TipsyUniverse::dBoxSize, true},
                                   UniverseKey{"bPeriodic", &TipsyUniverse::bPeriodic},
                                   UniverseKey{"dPeriod", &TipsyUniverse::dPeriod, true},
                                   UniverseKey{"dxPeriod", &TipsyUniverse::dxPeriod, true},
                                   UniverseKey{"dyPeriod", &TipsyUniverse::dyPeriod, true},
                                   UniverseKey{"dzPeriod", &TipsyUniverse::dzPeriod, true}};

/// "custom LENGTH MASS VELOCITY G" or "galactic ... G" after our mark.
void read_ours(TipsyParam& p, std::string_view line) {
  std::vector<std::string_view> words;
  csv::split(line, words);
  std::array<double, 4> value{};
  bool good = words.size() == 5;
  for (std::size_t k = 0; k < 4 && good; ++k) {
    value[k] = csv::number(words[k + 1]).value_or(0);
    good = value[k] > 0 && std::isfinite(value[k]);
  }
  const auto names = unit_system_names();
  good = good && (words[0] == "custom" || std::find(names.begin(), names.end(), words[0]) != names.end());
  if (!good)
    throw InputError(fmt::format("'{}': the line '{}' needs a unit system and four numbers > 0",
                                 p.file.string(), std::string(our_mark)));
  p.ours = true;
  p.units = words[0] == "custom" ? custom_units(value[0], value[1], value[2]) : units_named(words[0]);
  p.G = value[3];
}

/// Reads a .param file; nothing for a file without units and cosmology.
std::optional<TipsyParam> read_param(const fs::path& file, bool only_cosmology) {
  TipsyParam p{.file = file};
  try {
    p.text = read_file(file, largest_param);
  } catch (const InputError&) {
    return std::nullopt;  // another program's file, too large or not readable: it is ignored
  }
  const auto refuse = [&](std::string_view key, double value, std::string_view right) {
    throw InputError(fmt::format("'{}': {} = {}; it must be {}", file.string(), key, value, right));
  };
  std::optional<double> mass, length;
  for (std::string_view rest = p.text; !rest.empty();) {
    const auto end = rest.find('\n');
    const auto line = csv::trimmed(rest.substr(0, end));
    if (line.starts_with(our_mark) && !only_cosmology) read_ours(p, line.substr(our_mark.size()));
    if (const auto v = value_of(line, "dMsolUnit")) mass = v;
    if (const auto v = value_of(line, "dKpcUnit")) length = v;
    if (const auto v = value_of(line, "bComove")) {
      if (*v != 0 && *v != 1) refuse("bComove", *v, "0 or 1");
      p.comoving = *v == 1;
    }
    for (const auto& key : universe_keys)
      if (const auto v = value_of(line, key.name)) p.universe.*key.number = v;
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  if (!only_cosmology)
    for (const auto& [key, value] : {std::pair{"dMsolUnit", mass}, {"dKpcUnit", length}})
      if (value && !(*value > 0 && std::isfinite(*value))) refuse(key, *value, "a number > 0");
  p.states_units = mass && length && !only_cosmology;
  if (!p.states_units) return p.comoving ? std::optional(p) : std::nullopt;
  if (p.ours) return p;
  const double l = *length * kpc_cm, m = *mass * msun_g();
  p.units = custom_units(l, m, std::sqrt(units_named("cgs").G() * m / l));
  p.G = p.units.G();
  return p;
}

/// Two statements of one number may differ by this: programs write a few digits.
constexpr double agreement = 1e-3;

/// What of the universe the param file states is a number.
void need_numbers(const TipsyParam& p) {
  for (const auto& key : universe_keys)
    if (const auto v = p.universe.*key.number; v && !(std::isfinite(*v) && (*v > 0 || !key.above_0)))
      throw InputError(fmt::format("'{}': {} = {}; it must be a finite number{}", p.file.string(), key.name,
                                   *v, key.above_0 ? " > 0" : ""));
  if (const auto& periodic = p.universe.bPeriodic; periodic && *periodic != 0 && *periodic != 1)
    throw InputError(fmt::format("'{}': bPeriodic = {}; it must be 0 or 1", p.file.string(), *periodic));
}

/// Why bodies do not stay comoving.
struct Lacking {
  std::string why;
};

[[noreturn]] void contradict(std::string_view key, double stated, double expected, std::string_view why) {
  throw Lacking{fmt::format("states {} = {:.6g}; {} it must be {:.6g}", key, stated, why, expected)};
}

/// h, which H0 in units with a physical scale says too; no number where neither is stated.
std::optional<double> hubble_in(const TipsyParam& p) {
  const auto& u = p.universe;
  if (!u.dHubble0 || !p.states_units) return u.h;
  const double h = *u.dHubble0 / cosmology::hubble_constant(p.units);
  if (u.h && !(std::abs(*u.h / h - 1) <= agreement))
    contradict("h", *u.h, h, "with dHubble0, dKpcUnit and dMsolUnit");
  return u.h.value_or(h);
}

/// The units of the snapshot, per h. PKDGRAV3 states the length of its box alone: the critical density is 1
/// where G is.
std::optional<Units> units_per_h(const TipsyParam& p, double h) {
  const auto& box = p.universe.dBoxSize;
  if (p.states_units) {
    if (const double stated = p.units.length_cm * h / (1000 * kpc_cm);
        box && !(std::abs(*box / stated - 1) <= agreement))
      contradict("dBoxSize", *box, stated, "with dKpcUnit and h");
    return custom_units(p.units.length_cm * h, p.units.mass_g * h, p.units.velocity_cm_s);
  }
  if (!box) return std::nullopt;
  const double length = *box * 1000 * kpc_cm, velocity = *box * 1e7 / std::sqrt(8 * std::numbers::pi / 3);
  return custom_units(length, velocity * velocity * length / units_named("cgs").G(), velocity);
}

Vec3<double> box_in(const TipsyUniverse& u) {
  const double all = u.dPeriod.value_or(1);
  return {u.dxPeriod.value_or(all), u.dyPeriod.value_or(all), u.dzPeriod.value_or(all)};
}

void need_time_as_scale_factor(const fs::path& snapshot, const TipsyParam& p, const Snapshot& s) {
  if (!(s.time > 0))
    throw InputError(
        fmt::format("'{}': its time is {}, but '{}' says bComove = 1, and then it is the scale factor, > 0",
                    snapshot.string(), s.time, p.file.filename().string()));
}

std::string param_text(const Units& u, double G) {
  // GADGET's own kpc and solar mass: its units are 1e10 and 1.
  const bool gadget = u.name == "galactic";
  return fmt::format(
      "# The units of the TIPSY snapshots in this folder, in which G = 1: for gasoline, ChaNGa, pynbody and "
      "yt.\n"
      "# Written by Pleiad, which rescales what it reads to the units and the G of the next line.\n"
      "{} {} {:.17g} {:.17g} {:.17g} {:.17g}\n"
      "dMsolUnit = {:.12g}\ndKpcUnit = {:.12g}\nbComove = 0\nbPeriodic = 0\n",
      our_mark, u.name, u.length_cm, u.mass_g, u.velocity_cm_s, G, gadget ? 1e10 : u.mass_g / msun_g(),
      gadget ? 1.0 : u.length_cm / kpc_cm);
}

/// Throws unless a file can be put there: nothing is there, or, with `ours`, a file of Pleiad.
void need_place(const fs::path& file, const fs::path& snapshot, bool ours) {
  std::error_code unknown;
  const auto kind = fs::symlink_status(file, unknown).type();
  if (kind == fs::file_type::not_found || (kind == fs::file_type::regular && ours)) return;
  if (kind != fs::file_type::regular && kind != fs::file_type::symlink)
    throw ResourceError(
        fmt::format("cannot write '{}', the units of '{}': it is no regular file; write the snapshot "
                    "to another folder",
                    file.string(), snapshot.string()),
        Error::Code::cannot_write);
  throw UsageError(fmt::format(
      "'{}' is in the way: the units of '{}' would be written there, and it is {}; move it, or "
      "write the snapshot to another folder",
      file.string(), snapshot.string(),
      kind == fs::file_type::symlink ? "a symbolic link" : "not Pleiad's and does not state both units"));
}

}  // namespace

void make_G_one(Snapshot& s) { divide_G(s, s.units.physical ? s.units.G() : s.G); }

void make_physical(const fs::path& snapshot, const TipsyParam& p, FileContent& content) {
  Snapshot& s = content.snapshot;
  const std::string param = p.file.filename().string();
  need_time_as_scale_factor(snapshot, p, s);
  for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz}) scale(*v, s.time);
  content.notes.push_back(
      fmt::format("bComove = 1 in '{}': lengths and velocities are multiplied by the scale factor", param));
  remove_cosmology(content, {.h = 1, .a = s.time, .comoving = true, .sqrt_velocities = false});
}

namespace {

/// The universe of the param file and the bodies in it, as they are. Throws Lacking.
ComovingUniverse universe_of(const TipsyParam& p) {
  const auto& u = p.universe;
  const auto need = [](bool stated, const char* what) {
    if (!stated) throw Lacking{fmt::format("lacks {}", what)};
  };
  need(u.dOmega0.has_value(), "dOmega0, the density of matter");
  need(u.dLambda || u.dOmegaDE, "dLambda, the density of dark energy (0 where there is none)");
  need(u.bPeriodic.value_or(1) == 1, "bPeriodic = 1");
  const auto h = hubble_in(p);
  need(h || !p.states_units, "dHubble0, in the units of the snapshot, or h");
  need(h || !u.dBoxSize, "h");
  return {.omega_m = *u.dOmega0,
          .omega_b = u.dOmegab.value_or(0),
          .omega_lambda = u.dLambda.value_or(0) + u.dOmegaDE.value_or(0),
          .omega_r = u.dOmegaRad.value_or(0),
          .w0 = u.w0.value_or(-1),
          .wa = u.wa.value_or(0),
          .h = h.value_or(1)};
}

/// H0 in units with G = 1 is that of the param file and of its units, for bodies that are all of the matter.
void need_all_matter(const TipsyParam& p, double H0, const std::optional<Units>& units) {
  const auto& u = p.universe;
  if (u.dHubble0 && !(std::abs(*u.dHubble0 / H0 - 1) <= agreement))
    contradict("dHubble0", *u.dHubble0, H0, "for these bodies as all matter of the box");
  if (!units) return;
  const double ratio = H0 / cosmology::hubble_constant(*units);
  if (!(std::abs(ratio - 1) <= agreement))
    contradict("dOmega0", *u.dOmega0, *u.dOmega0 * ratio * ratio,
               "for these bodies as all matter of the box");
}

}  // namespace

std::string keep_comoving(const fs::path& snapshot, const TipsyParam& p, bool units_given,
                          FileContent& content) {
  Snapshot& s = content.snapshot;
  need_time_as_scale_factor(snapshot, p, s);
  need_numbers(p);
  const std::string param = p.file.filename().string();
  const Vec3<double> box = box_in(p.universe);
  ComovingUniverse universe;
  try {
    universe = universe_of(p);
    const auto units = units_given ? std::nullopt : units_per_h(p, universe.h);
    const double density = centre_of_mass(s.bodies).mass / (box.x * box.y * box.z);
    need_all_matter(p, cosmology::hubble_constant({.omega_m = universe.omega_m}, 1, density), units);
    if (units) s.units = *units, s.G = units->G(), content.units_stated = true;
  } catch (const Lacking& lacking) {
    return fmt::format("'{}' {}", param, lacking.why);
  }
  s.boundary = {.periodic = true, .length = box, .images = Images::all};
  content.notes.push_back(
      fmt::format("bComove = 1 in '{}': velocities are multiplied by the scale factor", param));
  const double a = s.time;
  for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz}) scale(*v, a);
  Wanted wanted;
  wanted.comoving = true;
  settle_cosmology(content, {.h = universe.h, .a = a, .comoving = true, .sqrt_velocities = false}, universe,
                   wanted);
  return "";
}

void restore_G(Snapshot& s, const TipsyParam& p) {
  s.units = p.units;
  s.G = 1;
  if (p.ours) divide_G(s, 1 / p.units.G());
  s.G = p.G;
}

std::vector<TipsyParam> params_beside(const fs::path& snapshot, bool only_cosmology) {
  std::vector<TipsyParam> found;
  for (const auto& file : files_ending(folder_of(snapshot), ".param"))
    if (auto param = read_param(file, only_cosmology)) found.push_back(std::move(*param));
  return found;
}

UnitsBeside::UnitsBeside(const fs::path& snapshot, const Units& units, double G,
                         std::shared_ptr<const OpenFolder> opened)
    : folder_(std::move(opened)), text_(units.physical ? param_text(units, G) : "") {
  const fs::path folder = folder_of(snapshot);
  file_ = folder / param_name;
  if (snapshot.filename() == param_name && units.physical)
    throw UsageError(
        fmt::format("'{}' is the name of the file with the units of the TIPSY snapshots in its folder; "
                    "name another file",
                    snapshot.string()));
  for (auto& old : params_beside(snapshot)) {
    const bool here = old.file == file_;
    if (here) old_ = old.text;
    if (old.text == text_) {
      said_ = true;
      continue;
    }
    auto others = snapshots_in(folder);
    std::erase_if(others, [&](const fs::path& f) { return f.filename() == snapshot.filename(); });
    if (!old.ours || !here || !others.empty())
      throw UsageError(
          fmt::format("'{}' states the units of all TIPSY snapshots in its folder, and '{}' would have "
                      "others; write it to "
                      "another folder",
                      old.file.string(), snapshot.string()));
  }
  said_ = said_ || text_ == old_.value_or("");
  if (!said_) need_place(file_, snapshot, old_.has_value());
}

void UnitsBeside::put(const std::string& text) const {
  AtomicWrite how;
  how.folder = folder_;
  how.only_new = !old_;
  if (!text.empty()) return write_file_atomically(file_, text, how);
  if (folder_) return folder_->remove(file_.filename());
  std::error_code failed;
  if (!fs::remove(file_, failed))
    throw ResourceError(fmt::format("cannot remove '{}', which states other units", file_.string()),
                        Error::Code::cannot_write);
}

void UnitsBeside::write() {
  if (said_) return;
  put(text_);
  written_ = true;
}

UnitsBeside::~UnitsBeside() {
  if (!written_) return;
  try {
    auto before = old_.value_or("");
    if (!before.empty()) old_ = text_;  // it is replaced once more
    put(before);
  } catch (const std::exception&) {
    // The error of the snapshot is the one to be reported.
  }
}

}  // namespace pleiad::files
