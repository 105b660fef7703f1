/// Snapshot files of the field: GADGET-1/2 binary, GADGET HDF5, TIPSY, CSV.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

struct FileContent;
struct WriteOptions;

/// How much the start of a file looks like a format; of several, the one that it looks most like is taken.
enum class Likeness { none, slight, strong, certain };

/// A snapshot format: plain data, at the end of its file in src/io/files.
struct Format {
  std::string_view name;    ///< "hdf5"
  std::string_view family;  ///< what prose calls it and those of its kind
  std::string_view ending;  ///< the usual one, ".hdf5"
  std::string_view other_ending = {};

  /// Numbers in single precision, as WriteOptions::double_precision says, or with all their digits.
  enum class Digits { single, either, all };
  Digits digits = Digits::single;
  /// What else of a snapshot is still there when it is read again. Without `order` bodies are grouped by
  /// type.
  struct Kept {
    bool order = false, accelerations = false, potentials = false, box = false, G = false, step = false;
  };
  Kept kept = {};

  std::string_view assumed_units = {};  ///< where a file does not say them; "": every file does
  /// What its readers take physical numbers to be in, whatever the file says; "": they believe it.
  std::string_view readers_units = {};
  std::string_view units_beside = {};  ///< the file in the same folder that states physical units
  bool G_is_one = false;               ///< velocities and times are scaled so that it is
  bool read_by_yt = true;
  bool wants_fields = false;  ///< a run writes accelerations and potentials into it

  /// Of the first bytes of a file, 64 KiB where there are as many.
  Likeness (*likeness)(std::string_view start) = nullptr;
  /// Why a file that looks like none is a damaged one of this format; "" when it is not.
  std::string (*damage)(std::string_view start) = nullptr;
  /// `units_given`: the user says them; no other file is asked. The caller enters the format.
  FileContent (*read)(const std::filesystem::path& file, bool units_given) = nullptr;
  /// Of a snapshot in the units of the file; whole or not there.
  void (*write)(const std::filesystem::path& file, const Snapshot& snapshot,
                const WriteOptions& options) = nullptr;
  /// What cannot be kept besides what `digits` and `kept` say.
  std::vector<std::string> (*losses)(const Snapshot& snapshot) = nullptr;
};

std::span<const Format* const> formats();
std::span<const std::string_view> format_names();
const Format& format_named(std::string_view name);
/// The format whose ending the file's name has; UsageError that names all endings, and ends with `otherwise`.
const Format& format_by_ending(const std::filesystem::path& file, std::string_view otherwise = "");
/// What a file holds, from its first bytes (and for CSV its text); InputError when it is none of ours.
const Format& detect_format(const std::filesystem::path& file);
/// The units that physical numbers are written in when nobody asks for others; nothing: those they have.
std::optional<Units> usual_units(const Format& format, const Units& units);

/// A file as read. `notes` are facts that the user should see (units assumed, h != 1 factors removed, extra
/// blocks skipped, ...).
struct FileContent {
  const Format* format = nullptr;
  Snapshot snapshot{};
  bool units_stated = false;  ///< false: the format does not say, and its convention was assumed
  std::vector<std::string> notes{};
  std::vector<std::string> files{};  ///< all files that were read: one, or every part of a set
};
/// Reads any supported file, multi-file HDF5 and GADGET sets included; InputError names file, dataset or
/// index, value and range. `units` overrides what the file says or what its format assumes (galactic for
/// GADGET, nbody for TIPSY and CSV); or, `unless_stated`, only the latter, and units_stated stays false.
FileContent read_snapshot(const std::filesystem::path& file, const std::optional<Units>& units = std::nullopt,
                          bool unless_stated = false);

/// Everything in the snapshot, G included, in other units; UsageError when just one of the systems is
/// physical.
void convert(Snapshot& snapshot, const Units& to);

struct WriteOptions {
  const Format* format = &format_named("hdf5");
  std::optional<Units> units{};  ///< converted to these; default: the snapshot's own
  double box_size = -1;  ///< HDF5 BoxSize: -1 a round length >= 4 max|x|, 0 as GADGET writes open runs
  bool double_precision =
      true;  ///< HDF5 only; the binary formats are single precision by definition (CSV: always 17 digits)
  /// Text kept in the file where the format can: HDF5 group /Provenance; of one line, also a comment in CSV.
  std::string provenance{};
};
/// What the chosen format cannot keep of this snapshot, one phrase each; empty when nothing is lost.
std::vector<std::string> losses(const Snapshot& snapshot, const WriteOptions& options);
/// The BoxSize that -1 stands for: 1, 2 or 5 times a power of ten, >= 4 max|x|, in the units that will be
/// written. A run that keeps the box of its first snapshot passes this on as `box_size`.
double automatic_box_size(const Snapshot& snapshot, const std::optional<Units>& units = std::nullopt);

/// Writes to a temporary name, fsyncs, renames: the file is whole or not there. ResourceError when it cannot
/// be written.
void write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot, const WriteOptions& options);
/// The same without a copy of a snapshot whose units are to be others: its numbers become those of the file.
void write_snapshot(const std::filesystem::path& file, Snapshot&& snapshot, const WriteOptions& options);
/// The same in the format that the file's name ends in (".hdf5", ".gadget2", ".tipsy", ".csv", ...);
/// UsageError for another ending.
void write(const Snapshot& snapshot, const std::filesystem::path& file);

}  // namespace pleiad
