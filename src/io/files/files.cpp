/// The formats by name, told apart by content, and one way in and one way out for all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.hpp"
#include "io/files/parts.hpp"
#include "io/files/tipsy.hpp"
#include "io/files/tipsy_param.hpp"

#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 6> names{"gadget1", "gadget2", "hdf5", "tipsy", "tipsy-little", "csv"};

/// The first bytes of a file, enough for every signature.
std::string start_of(const fs::path& file) {
  struct stat status {};
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("cannot read '{}': {}", file.string(), why));
  };
  if (::stat(file.c_str(), &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("it is a directory");
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(std::strerror(errno));
  std::string start(std::min<std::size_t>(std::size_t(status.st_size), 65536), '\0');
  in.read(start.data(), std::streamsize(start.size()));
  start.resize(std::size_t(std::max<std::streamsize>(in.gcount(), 0)));
  if (start.empty()) refuse("it is empty");
  return start;
}

bool has_hdf5_signature(std::string_view start) {
  for (const std::size_t offset : {0, 512, 1024, 2048})
    if (start.size() >= offset + 8 && start.substr(offset, 8) == "\x89HDF\r\n\x1a\n") return true;
  return false;
}

/// A first block of GADGET's: begun by its mark, and ended by the same one.
struct GadgetMarks {
  Format format = Format::gadget1;
  bool opened = false, closed = false;
};
GadgetMarks gadget_marks(std::string_view start) {
  const auto has = [&](std::size_t at, std::uint32_t mark, files::Order order) {
    return start.size() >= at + 4 && files::number_at<std::uint32_t>(start, at, order) == mark;
  };
  GadgetMarks found;
  for (const auto order : {files::Order::little, files::Order::big}) {
    const bool labelled = has(0, 8, order) && start.substr(4, 4) == "HEAD";
    if (!labelled && !has(0, 256, order)) continue;
    found.opened = true;
    found.format = labelled ? Format::gadget2 : Format::gadget1;
    found.closed = labelled ? has(12, 8, order) : has(260, 256, order);
    if (found.closed) return found;
  }
  return found;
}

void note_units(FileContent& content, const std::optional<Units>& units, bool unless_stated) {
  Snapshot& s = content.snapshot;
  if (unless_stated && content.units_stated) return;
  if (units) {
    if (content.units_stated && s.units != *units)
      content.notes.push_back(fmt::format("the file says its units are {}; they are taken as {}, as asked",
                                          s.units.name, units->name));
    // A G of the file's own, which is not just that of its units, belongs to its numbers and stays.
    if (s.G == s.units.G()) s.G = units->G();
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
  if (::stat(file.c_str(), &status) != 0)
    why = errno == ENOENT || errno == ENOTDIR ? "there is no such file" : lower_first(std::strerror(errno));
  else if (S_ISDIR(status.st_mode)) why = "it is a folder";
  else if (::access(file.c_str(), R_OK) != 0) why = lower_first(std::strerror(errno));
  if (!why.empty()) throw UsageError(fmt::format("cannot read '{}': {}", file.string(), why));
}

}  // namespace

std::string_view name_of(Format format) { return names.at(std::size_t(format)); }
std::span<const std::string_view> format_names() { return names; }

Format format_named(std::string_view name) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end())
    throw UsageError(fmt::format("no format '{}': it is one of {}{}", name, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
  return Format(it - names.begin());
}

std::string_view ending_of(Format format) {
  constexpr std::array<std::string_view, 6> endings{".gadget1", ".gadget2", ".hdf5",
                                                    ".tipsy",   ".tipsy",   ".csv"};
  return endings.at(std::size_t(format));
}

Format detect_format(const fs::path& named) {
  const fs::path file = files::first_part(named);
  need_readable(file);
  const std::string start = start_of(file);
  if (has_hdf5_signature(start)) return Format::hdf5;
  const auto gadget = gadget_marks(start);
  if (gadget.closed) return gadget.format;
  // A TIPSY file begins with its time, whose first bytes may be a mark of GADGET's.
  if (const auto header = files::tipsy_header(start))
    return header->order == files::Order::big ? Format::tipsy : Format::tipsy_little;
  if (gadget.opened) return gadget.format;
  if (files::csv::looks_like(start)) return Format::csv;
  if (const auto why = files::csv::no_text(start); !why.empty() && files::csv::begins_as_text(start))
    throw InputError(fmt::format("'{}': {}", named.string(), why));
  throw InputError(
      fmt::format("'{}' is not a snapshot: neither GADGET (binary or HDF5) nor TIPSY nor a table with "
                  "columns mass, x, y, z, vx, vy, vz",
                  named.string()));
}

FileContent read_snapshot(const fs::path& named, const std::optional<Units>& units, bool unless_stated) {
  const fs::path file = files::first_part(named);
  const auto read = [&]() -> FileContent {
    switch (detect_format(file)) {
      case Format::hdf5:
        return files::read_hdf5(file);
      case Format::tipsy:
      case Format::tipsy_little:
        return files::read_tipsy(file, units.has_value() && !unless_stated);
      case Format::csv:
        return files::read_csv(file);
      case Format::gadget1:
      case Format::gadget2:
        break;
    }
    return files::read_gadget(file);
  };
  try {
    FileContent content = read();
    if (content.files.empty()) content.files = {file.string()};
    note_units(content, units, unless_stated);
    return content;
  } catch (const std::bad_alloc&) {
    throw ResourceError(fmt::format("not enough memory to read '{}'", file.string()));
  } catch (const std::length_error&) {
    throw ResourceError(fmt::format("not enough memory to read '{}'", file.string()));
  }
}

double automatic_box_size(const Snapshot& snapshot, const std::optional<Units>& units) {
  double reach = 0;
  const Bodies& b = snapshot.bodies;
  for (const auto* a : {&b.x, &b.y, &b.z})
    for (const double v : *a) reach = std::max(reach, std::abs(v));
  if (units && *units != snapshot.units) reach *= snapshot.units.length_cm / units->length_cm;
  if (!(reach > 0 && reach < 1e300)) return 1;
  const double decade = std::pow(10, std::floor(std::log10(4 * reach)));
  for (const double step : {1, 2, 5})
    if (step * decade >= 4 * reach) return step * decade;
  return 10 * decade;
}

namespace {

/// Gives the snapshot the numbers that go into the file.
void make_as_written(Snapshot& s, const WriteOptions& o) {
  if (o.units) convert(s, *o.units);
  if (is_tipsy(o.format)) files::make_G_one(s);
}

Snapshot as_written(const Snapshot& snapshot, const WriteOptions& o) {
  Snapshot s = snapshot;
  make_as_written(s, o);
  return s;
}

void write_as_it_is(const fs::path& file, const Snapshot& s, const WriteOptions& options) {
  switch (options.format) {
    case Format::hdf5:
      return files::write_hdf5(file, s, options);
    case Format::csv:
      return write_file_atomically(file, files::csv_text(s, options.provenance));
    case Format::tipsy:
    case Format::tipsy_little:
      return files::write_tipsy(file, s, options);
    case Format::gadget1:
    case Format::gadget2:
      return write_file_atomically(file, files::gadget_image(s, options.format));
  }
}

}  // namespace

std::vector<std::string> losses(const Snapshot& snapshot, const WriteOptions& o) {
  std::vector<std::string> lost;
  const bool csv = o.format == Format::csv, hdf5 = o.format == Format::hdf5, tipsy = is_tipsy(o.format);
  const Snapshot s = as_written(snapshot, o);
  const Bodies& b = s.bodies;
  if (!csv && !(hdf5 && o.double_precision))
    if (const auto rounded = files::rounding_of(s); !rounded.empty())
      lost.push_back("digits beyond single precision, relative to each value: " + rounded);
  if (tipsy) {
    std::array<std::size_t, 6> count{};
    for (const Type t : b.type) ++count[std::size_t(t)];
    for (const auto& [from, to] :
         {std::pair{Type::disc, "star"}, {Type::bulge, "star"}, {Type::boundary, "dark"}})
      if (const std::size_t n = count[std::size_t(from)]; n > 0)
        lost.push_back(
            fmt::format("TIPSY has no type {}: {} bodies become {}", type_names[std::size_t(from)], n, to));
    std::vector<std::uint64_t> ids(b.size());
    std::iota(ids.begin(), ids.end(), std::uint64_t{0});
    if (b.id != ids) lost.push_back("TIPSY has no ids: bodies are numbered by their place in the file");
    if (!snapshot.units.physical && snapshot.G != 1)
      lost.push_back(fmt::format(
          "G = {}: velocities are divided by its root, and time multiplied, so that G = 1", snapshot.G));
  }
  if (!csv && !std::is_sorted(b.type.begin(), b.type.end()))
    lost.push_back("the order of the bodies: the format groups them by type");
  if (!csv && !hdf5) {
    if (!s.ax.empty()) lost.push_back("accelerations");
    if (!s.potential.empty() && !tipsy) lost.push_back("potentials");
    if (s.boundary.periodic) lost.push_back("the periodic box");
    if (!tipsy && s.G != s.units.G()) lost.push_back(fmt::format("the gravitational constant {}", s.G));
    if (s.step != 0) lost.push_back("the number of the step");
  }
  return lost;
}

void write_snapshot(const fs::path& file, const Snapshot& snapshot, const WriteOptions& options) {
  const bool same = !is_tipsy(options.format) && (!options.units || *options.units == snapshot.units);
  if (same) write_as_it_is(file, snapshot, options);
  else write_snapshot(file, Snapshot(snapshot), options);
}

void write_snapshot(const fs::path& file, Snapshot&& snapshot, const WriteOptions& options) {
  make_as_written(snapshot, options);
  write_as_it_is(file, snapshot, options);
}

namespace files {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "snap.3" or "snap.3.hdf5" is part 3 of a set: what stands before and after the number.
struct PartName {
  std::string before, after;
};
std::optional<PartName> part_name(const fs::path& file) {
  std::string before = file.string(), after;
  for (const std::string_view ending : {".hdf5", ".h5"})
    if (before.ends_with(ending)) after = ending, before.resize(before.size() - ending.size());
  const auto dot = before.rfind('.');
  if (dot == std::string::npos || !is_number(std::string_view(before).substr(dot + 1))) return std::nullopt;
  return PartName{before.substr(0, dot), after};
}

}  // namespace

fs::path first_part(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  for (const std::string_view ending : {".0.hdf5", ".0.h5", ".0"})
    if (fs::path first = file.string() + std::string(ending); fs::exists(first, ignored)) return first;
  return file;
}

std::vector<fs::path> parts_of(const fs::path& file, std::int64_t count) {
  if (count <= 1) return {file};
  const auto name = part_name(file);
  if (!name)
    throw InputError(
        fmt::format("'{}' says that it is one of {} files, but its name does not end with a part's number, "
                    "as in 'name.0'",
                    file.string(), count));
  std::vector<fs::path> parts;
  for (std::int64_t k = 0; k < count; ++k) {
    parts.push_back(fmt::format("{}.{}{}", name->before, k, name->after));
    std::error_code unknown;
    const auto kind = fs::status(parts.back(), unknown).type();
    if (kind != fs::file_type::regular)
      throw InputError(fmt::format("'{}' says that it is one of {} files, but '{}' is {}", file.string(),
                                   count, parts.back().string(),
                                   kind == fs::file_type::not_found ? "not there" : "not a regular file"));
  }
  return parts;
}

}  // namespace files
}  // namespace pleiad
