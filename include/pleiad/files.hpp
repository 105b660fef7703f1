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

enum class Format { gadget1, gadget2, hdf5, tipsy, tipsy_little, csv };
std::string_view name_of(Format format);
/// In either byte order. Its units stand in a .param file beside it.
constexpr bool is_tipsy(Format format) { return format == Format::tipsy || format == Format::tipsy_little; }
std::span<const std::string_view> format_names();
Format format_named(std::string_view name);
/// The usual ending of a format: ".hdf5", ".gadget1", ".gadget2", ".tipsy", ".csv".
std::string_view ending_of(Format format);
/// What a file holds, from its first bytes (and for CSV its text); InputError when it is none of ours.
Format detect_format(const std::filesystem::path& file);

/// A file as read. `notes` are facts that the user should see (units assumed, h != 1 factors removed, extra
/// blocks skipped, ...).
struct FileContent {
  Format format{};
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
  Format format = Format::hdf5;
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
