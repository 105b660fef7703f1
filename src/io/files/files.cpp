/// The formats by name and by content, and the common reader and writer.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/part.hpp"
#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"
#include "io/files/checkpoint.hpp"
#include "io/files/foreign.hpp"
#include "io/files/parts.hpp"
#include "io/files/star_tables.hpp"
#include "io/files/tipsy_param.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {

namespace fs = std::filesystem;

namespace {

/// The first bytes of a file, enough for every signature.
std::string start_of(const fs::path& file) {
  struct stat status {};
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("cannot read '{}': {}", file.string(), why));
  };
  if (::stat(file.c_str(), &status) != 0) fail_to_read(file);
  if (S_ISDIR(status.st_mode)) refuse("it is a directory");
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file");
  std::ifstream in(file, std::ios::binary);
  if (!in) fail_to_read(file);
  std::string start(std::min<std::size_t>(std::size_t(status.st_size), 65536), '\0');
  in.read(start.data(), std::streamsize(start.size()));
  start.resize(std::size_t(std::max<std::streamsize>(in.gcount(), 0)));
  if (start.empty()) refuse("it is empty");
  return start;
}

void note_units(FileContent& content, const std::optional<Units>& units, bool unless_stated) {
  Snapshot& s = content.snapshot;
  if (unless_stated && content.units_stated) return;
  if (units) {
    if (content.units_stated && s.units != *units)
      content.notes.push_back(fmt::format("the file says its units are {}; they are taken as {}, as asked",
                                          s.units.name, units->name));
    // A G of the file's own, which is not just that of its units, belongs to its numbers and stays; so does
    // one that differs from that of the new units as constants do between programs.
    if (s.G == s.units.G() && !(std::abs(s.G - units->G()) <= 1e-3 * units->G())) s.G = units->G();
    s.units = *units;
    content.units_stated = !unless_stated;
  } else if (!content.units_stated) {
    content.notes.push_back(fmt::format("the file does not say its units: {} assumed", s.units.name));
  }
}

std::string lower_first(std::string text) {
  if (!text.empty()) text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

/// A name that cannot be a snapshot at all is a mistake on the command line, not bad data.
void need_readable(const fs::path& file) {
  struct stat status {};
  std::string why;
  bool missing = false;
  if (::stat(file.c_str(), &status) != 0) {
    missing = errno == ENOENT || errno == ENOTDIR;
    why = missing ? "there is no such file" : lower_first(std::strerror(errno));
  } else if (S_ISDIR(status.st_mode)) {
    why = "it is a folder";
  } else if (::access(file.c_str(), R_OK) != 0) {
    why = lower_first(std::strerror(errno));
  }
  if (!why.empty())
    throw UsageError(fmt::format("cannot read '{}': {}", file.string(), why),
                     missing ? Error::Code::missing_file : Error::Code::invalid_argument);
}

}  // namespace

std::span<const std::string_view> format_names() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const Format* format : formats()) all.push_back(format->name);
    return all;
  }();
  return names;
}

const Format& format_named(std::string_view name) {
  for (const Format* format : formats())
    if (format->name == name) return *format;
  const auto names = format_names();
  throw UsageError(fmt::format("no format '{}': it is one of {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)),
                   Error::Code::unknown_name);
}

const Format* format_by_ending(const fs::path& file) {
  const auto ending = file.extension().string();
  for (const Format* format : formats())
    if (!ending.empty() && (format->ending == ending || format->other_ending == ending)) return format;
  return nullptr;
}

std::vector<std::string_view> format_endings() {
  std::vector<std::string_view> endings;
  for (const Format* format : formats())
    if (std::ranges::find(endings, format->ending) == endings.end()) endings.push_back(format->ending);
  return endings;
}

const Format& detect_format(const fs::path& named) {
  const fs::path file = files::first_part(named);
  need_readable(file);
  const std::string start = start_of(file);
  for (const Format* format : {&format_checkpoint, &format_mcluster, &format_petar})  // read, not written
    if (format->likeness(start) == Likeness::certain) return *format;
  const Format* found = nullptr;
  Likeness most = Likeness::none;
  for (const Format* format : formats())
    if (const auto likeness = format->likeness(start); likeness > most) found = format, most = likeness;
  if (most > Likeness::slight) return *found;
  if (const auto what = files::foreign(start); !what.empty())
    throw InputError(fmt::format("'{}' is not a snapshot: it is {}", named.string(), what));
  if (found != nullptr) return *found;
  std::vector<std::string_view> families;
  for (const Format* format : formats()) {
    if (format->damage != nullptr)
      if (const auto why = format->damage(start); !why.empty())
        throw InputError(fmt::format("'{}': {}", named.string(), why));
    if (families.empty() || families.back() != format->family) families.push_back(format->family);
  }
  throw InputError(
      fmt::format("'{}' is not a snapshot: neither {}", named.string(), fmt::join(families, " nor ")));
}

void files::keep_wanted(FileContent& content, const Wanted& wanted) {
  const auto range = wanted.of(content.count);
  if (range.count >= content.count) return;
  Snapshot& s = content.snapshot;
  Bodies part;
  append_part(part, s.bodies, range.first, range.count);
  s.bodies = std::move(part);
  for (auto* values : {&s.ax, &s.ay, &s.az, &s.potential})
    if (!values->empty()) {
      const auto from = values->begin() + std::ptrdiff_t(range.first);
      *values = std::vector<double>(from, from + std::ptrdiff_t(range.count));
    }
}

FileContent read_snapshot(const fs::path& file, const std::optional<Units>& units, bool unless_stated) {
  return files::read_snapshot(file, units, unless_stated, files::Wanted());
}

FileContent files::read_snapshot(const fs::path& named, const std::optional<Units>& units, bool unless_stated,
                                 const Wanted& wanted) {
  const fs::path file = files::first_part(named);
  try {
    const Format& format = detect_format(file);
    FileContent content = format.read(file, units.has_value() && !unless_stated, wanted);
    content.format = &format;
    if (content.count == 0) {
      content.count = content.snapshot.bodies.size();
      keep_wanted(content, wanted);
    }
    if (content.files.empty()) content.files = {file.string()};
    note_units(content, units, unless_stated);
    return content;
  } catch (const std::bad_alloc&) {
    throw ResourceError(fmt::format("not enough memory to read '{}'", file.string()),
                        Error::Code::out_of_memory);
  } catch (const std::length_error&) {
    throw ResourceError(fmt::format("not enough memory to read '{}'", file.string()),
                        Error::Code::out_of_memory);
  }
}

namespace {

/// Comoving bodies need a format that can say so, and a scale factor.
void need_comoving(const Snapshot& s, const WriteOptions& o) {
  if (!o.universe) return;
  if (o.format->name != "hdf5")
    throw UsageError(
        fmt::format("the format {} does not say that bodies are comoving; write hdf5", o.format->name));
  if (!(s.time > 0 && std::isfinite(s.time)))
    throw UsageError(fmt::format("the time of comoving bodies is the scale factor, > 0, not {}", s.time));
}

/// Gives the snapshot the numbers that go into the file.
void make_as_written(Snapshot& s, const WriteOptions& o) {
  need_comoving(s, o);
  const double scale_factor = s.time;
  if (o.units) convert(s, *o.units);
  if (o.universe) s.time = scale_factor;
  if (o.format->G_is_one) files::make_G_one(s);
}

Snapshot as_written(const Snapshot& snapshot, const WriteOptions& o) {
  Snapshot s = snapshot;
  make_as_written(s, o);
  return s;
}

}  // namespace

std::vector<std::string> losses(const Snapshot& snapshot, const WriteOptions& o) {
  using Digits = Format::Digits;
  std::vector<std::string> lost;
  const Format& format = *o.format;
  const auto& kept = format.kept;
  const Snapshot s = as_written(snapshot, o);
  if (format.digits == Digits::single || (format.digits == Digits::either && !o.double_precision))
    if (const auto rounded = files::rounding_of(s); !rounded.empty())
      lost.push_back("digits beyond single precision, relative to each value: " + rounded);
  if (format.losses != nullptr)
    for (auto& text : format.losses(snapshot)) lost.push_back(std::move(text));
  if (!kept.order && !std::is_sorted(s.bodies.type.begin(), s.bodies.type.end()))
    lost.push_back("the order of the bodies: the format groups them by type");
  if ((!kept.accelerations || o.universe) && !s.ax.empty()) lost.push_back("accelerations");
  if ((!kept.potentials || o.universe) && !s.potential.empty()) lost.push_back("potentials");
  if (!kept.softenings && !s.bodies.softening.empty()) lost.push_back("the softenings of the bodies");
  if (!kept.box && s.boundary.periodic) lost.push_back("the periodic box");
  if (!kept.G && s.G != s.units.G()) lost.push_back(fmt::format("the gravitational constant {}", s.G));
  if (!kept.step && s.step != 0) lost.push_back("the number of the step");
  return lost;
}

namespace {

void need_writable(const Snapshot& s, const WriteOptions& o, const files::Share& share) {
  if (o.format->need_writable == nullptr) return;
  const bool same = !o.format->G_is_one && (!o.units || *o.units == s.units);
  o.format->need_writable(same ? s : as_written(s, o), o, share);
}

}  // namespace

void need_writable(const Snapshot& snapshot, const WriteOptions& options) {
  need_writable(snapshot, options, files::Share(snapshot.bodies.size()));
}

void need_writable(const Snapshot& own, const WriteOptions& options, ranks::Communicator& ranks) {
  need_writable(own, options, files::Share(own.bodies.size(), ranks));
}

void write_snapshot(const fs::path& file, const Snapshot& snapshot, const WriteOptions& options) {
  const bool same = !options.format->G_is_one && (!options.units || *options.units == snapshot.units);
  if (same) need_comoving(snapshot, options);
  if (same) options.format->write(file, snapshot, options, files::Share(snapshot.bodies.size()));
  else write_snapshot(file, Snapshot(snapshot), options);
}

void write_snapshot(const fs::path& file, Snapshot&& snapshot, const WriteOptions& options) {
  make_as_written(snapshot, options);
  options.format->write(file, snapshot, options, files::Share(snapshot.bodies.size()));
}

void write_snapshot(const fs::path& file, Snapshot&& snapshot, const WriteOptions& options,
                    const AtomicWrite& to) {
  make_as_written(snapshot, options);
  options.format->write(file, snapshot, options, files::Share(snapshot.bodies.size(), to));
}

void write_snapshot(const fs::path& file, Snapshot&& own, const WriteOptions& options,
                    ranks::Communicator& ranks, const AtomicWrite& to) {
  make_as_written(own, options);
  auto how = options;
  if (how.box_size < 0) how.box_size = automatic_box_size(own, std::nullopt, ranks);
  how.format->write(file, own, how, files::Share(own.bodies.size(), ranks, to));
}

}  // namespace pleiad
