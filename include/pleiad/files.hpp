/// Snapshot files: GADGET-1/2 binary, GADGET HDF5, TIPSY, CSV.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// Both are below.
struct FileContent;
/// See there.
struct WriteOptions;
/// In src/io/files: wanted.hpp and share.hpp.
namespace files {
class Wanted;
class Share;
}  // namespace files

/// How well the start of a file matches a format. The format with the best match reads the file.
enum class Likeness { none, slight, strong, certain };

/// A snapshot format as plain data. Each one stands at the end of its file in src/io/files.
struct Format {
  std::string_view name;    ///< "hdf5"
  std::string_view family;  ///< the name of this and related formats in messages
  std::string_view ending;  ///< the usual file name ending, ".hdf5"
  std::string_view other_ending = {};

  /// Numbers in single precision, in that of WriteOptions::double_precision, or with all digits.
  enum class Digits { single, either, all };
  Digits digits = Digits::single;
  /// The other properties of a snapshot that the format stores. Without `order` bodies are grouped by
  /// type.
  struct Kept {
    bool order = false, accelerations = false, potentials = false, box = false, G = false, step = false;
  };
  Kept kept = {};

  std::string_view assumed_units = {};  ///< units of files that do not state them; "": every file does
  /// The units that other readers assume, whatever the file states; "": they use those of the file.
  std::string_view readers_units = {};
  std::string_view units_beside = {};  ///< name of the file in the same folder with the physical units
  bool G_is_one = false;               ///< velocities and times are scaled so that G = 1
  bool read_by_yt = true;
  bool wants_fields = false;  ///< a run writes accelerations and potentials to it

  /// Matches the first bytes of a file, at most 64 KiB.
  Likeness (*likeness)(std::string_view start) = nullptr;
  /// Why a file that matches no format is a damaged one of this format; "" if it is not.
  std::string (*damage)(std::string_view start) = nullptr;
  /// `units_given`: the user states the units, so no other file is read. The caller sets `format`. A format
  /// that reads only the wanted bodies sets `count`; from the others the caller takes those.
  FileContent (*read)(const std::filesystem::path& file, bool units_given,
                      const files::Wanted& wanted) = nullptr;
  /// Writes a snapshot that is in the units of the file, or the part of it that this process has. The file
  /// is complete or absent.
  void (*write)(const std::filesystem::path& file, const Snapshot& snapshot, const WriteOptions& options,
                const files::Share& share) = nullptr;
  /// Refuses a snapshot that `write` would refuse for what it holds, in the units of the file; null: none is.
  /// Collective.
  void (*need_writable)(const Snapshot& snapshot, const WriteOptions& options,
                        const files::Share& share) = nullptr;
  /// Losses in addition to those of `digits` and `kept`.
  std::vector<std::string> (*losses)(const Snapshot& snapshot) = nullptr;
};

/// All formats, in the order in which a file is tried.
std::span<const Format* const> formats();
/// Their names.
std::span<const std::string_view> format_names();
/// UsageError with the nearest name.
const Format& format_named(std::string_view name);
/// The format that a file name's ending stands for; null: none.
const Format* format_by_ending(const std::filesystem::path& file);
/// The usual endings, each once.
std::vector<std::string_view> format_endings();
/// The format of a file, from its first bytes (and for CSV its text); InputError if it matches none.
const Format& detect_format(const std::filesystem::path& file);
/// The default units of a format for physical snapshots; empty: the snapshot's own.
std::optional<Units> usual_units(const Format& format, const Units& units);
/// The same for these bodies: empty also where all of them lie within 1e-3 kpc, such as planets, which are
/// kept in their own units.
std::optional<Units> usual_units(const Format& format, const Snapshot& snapshot);

/// The content of a file. `notes` are messages for the user (units assumed, h != 1 factors removed, extra
/// blocks skipped, ...).
struct FileContent {
  const Format* format = nullptr;
  Snapshot snapshot{};
  bool units_stated = false;  ///< false: the file states none; the convention of the format was used
  std::vector<std::string> notes{};
  std::vector<std::string> files{};  ///< the files of the snapshot that were read: one, or all parts of a set
  std::vector<std::string> beside{};  ///< other files that were read, which say its units
  /// The lengths of a box that the file states without saying whether space repeats in it.
  std::optional<Vec3<double>> box{};
  std::size_t count = 0;  ///< bodies in the file or set, of which each of several ranks reads a part
};
/// Reads a file of any supported format, including HDF5 and GADGET sets of several files. An InputError names
/// file, dataset or index, value and range. `units` replaces the units stated in the file or assumed by its
/// format (galactic for GADGET, nbody for TIPSY and CSV). With `unless_stated` it replaces only assumed ones.
FileContent read_snapshot(const std::filesystem::path& file, const std::optional<Units>& units = std::nullopt,
                          bool unless_stated = false);

/// Converts everything in the snapshot, G included, to other units. UsageError if only one of the two systems
/// is physical.
void convert(Snapshot& snapshot, const Units& to);

/// How a snapshot is written.
struct WriteOptions {
  const Format* format = &format_named("hdf5");
  std::optional<Units> units{};  ///< units of the file; default: the snapshot's own
  double box_size = -1;  ///< HDF5 BoxSize; -1: a round length >= 4 max|x|; 0: as GADGET writes open runs
  bool double_precision =
      true;  ///< HDF5 only; the binary formats are always in single precision, CSV has 17 digits
  /// Text stored in the file: in HDF5 the group /Provenance; in CSV a comment, if it is one line.
  std::string provenance{};
};
/// Properties of this snapshot that the format cannot store, one phrase each; empty: nothing is lost.
std::vector<std::string> losses(const Snapshot& snapshot, const WriteOptions& options);
/// The BoxSize that -1 stands for: 1, 2 or 5 times a power of ten, >= 4 max|x|, in the units of the
/// file. To keep the box of a first snapshot, pass this value as `box_size` for the next ones.
double automatic_box_size(const Snapshot& snapshot, const std::optional<Units>& units = std::nullopt);

/// Refuses what write_snapshot would refuse, whatever the file: numbers that the format cannot hold.
/// InputError or UsageError.
void need_writable(const Snapshot& snapshot, const WriteOptions& options);

/// Writes under a temporary name, then fsyncs and renames: the file is complete or absent. ResourceError if
/// it cannot be written.
void write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot, const WriteOptions& options);
/// The same without a copy: the numbers of the snapshot are converted to the units of the file.
void write_snapshot(const std::filesystem::path& file, Snapshot&& snapshot, const WriteOptions& options);
/// The same in the format of the file name's ending (".hdf5", ".gadget2", ".tipsy", ".csv", ...);
/// UsageError for any other ending.
void write(const Snapshot& snapshot, const std::filesystem::path& file);

}  // namespace pleiad
