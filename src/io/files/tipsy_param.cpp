/// Reading, writing and agreeing on the .param file of a folder.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/tipsy_param.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"
#include "io/files/csv.hpp"
#include "io/files/parts.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
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
  if (!(s.time > 0))
    throw InputError(
        fmt::format("'{}': its time is {}, but '{}' says bComove = 1, and then it is the scale factor, > 0",
                    snapshot.string(), s.time, param));
  for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz}) scale(*v, s.time);
  content.notes.push_back(
      fmt::format("bComove = 1 in '{}': lengths and velocities are multiplied by the scale factor", param));
  remove_cosmology(content, {.h = 1, .a = s.time, .comoving = true, .sqrt_velocities = false});
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
