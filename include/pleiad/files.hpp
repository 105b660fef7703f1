/// Snapshot files: GADGET-1/2 binary, GADGET HDF5, TIPSY, CSV.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// Defined below.
struct FileContent;
/// Defined below.
struct WriteOptions;
/// Internal types, defined in src/io/files. Only formats of the library use them. Wanted: the range of the
/// file's bodies that a process reads. Share: the bodies of a snapshot, in one process or divided among
/// ranks.
namespace files {
class Wanted;
class Share;
}  // namespace files

/// The quality of the match of a file's start with a format. The format with the best match reads the file.
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
  /// Properties that the format stores in addition to positions, velocities, masses, ids, types and time.
  /// Without `order` bodies are grouped by type.
  struct Kept {
    bool order = false, accelerations = false, potentials = false, box = false, G = false, step = false,
         softenings = false;
  };
  Kept kept = {};

  std::string_view assumed_units = {};  ///< units of files that do not state them; "": every file does
  /// The units that other programs assume, regardless of those in the file; "": they use those of the file.
  std::string_view readers_units = {};
  std::string_view units_beside = {};  ///< name of a file in the same folder that has the physical units
  bool G_is_one = false;               ///< velocities and times are scaled so that G = 1
  bool read_by_yt = true;
  bool wants_fields = false;  ///< a run writes accelerations and potentials to it

  /// Compares the first bytes of a file, at most 64 KiB, with the format.
  Likeness (*likeness)(std::string_view start) = nullptr;
  /// Returns the damage of a file that matches no format but was probably written in this one; "" otherwise.
  std::string (*damage)(std::string_view start) = nullptr;
  /// Reads a file. `units_given`: the user states the units, so no other file is read. The caller sets
  /// FileContent::format. A format that reads only the bodies in `wanted` sets `count`; otherwise the caller
  /// selects them.
  FileContent (*read)(const std::filesystem::path& file, bool units_given,
                      const files::Wanted& wanted) = nullptr;
  /// Writes a snapshot that is in the units of the file, or the part of it that this process has. The file
  /// is complete or absent.
  void (*write)(const std::filesystem::path& file, const Snapshot& snapshot, const WriteOptions& options,
                const files::Share& share) = nullptr;
  /// Throws the error that `write` would throw for the numbers of a snapshot in the units of the file. Null:
  /// there is none. Collective on several ranks.
  void (*need_writable)(const Snapshot& snapshot, const WriteOptions& options,
                        const files::Share& share) = nullptr;
  /// Returns losses in addition to those that follow from `digits` and `kept`.
  std::vector<std::string> (*losses)(const Snapshot& snapshot) = nullptr;
};

/// All formats, in the order in which a file is tried.
std::span<const Format* const> formats();
/// The names of all formats.
std::span<const std::string_view> format_names();
/// Returns the format with this name; UsageError with the nearest name.
const Format& format_named(std::string_view name);
/// Returns the format with the ending of a file name; null: none.
const Format* format_by_ending(const std::filesystem::path& file);
/// The usual endings, each once.
std::vector<std::string_view> format_endings();
/// Detects the format of a file from its first bytes (and for CSV its text). InputError if it matches none,
/// or if it cannot be read.
const Format& detect_format(const std::filesystem::path& file);
/// Returns the default units of a format for snapshots in `units`; empty: the units of the snapshot.
std::optional<Units> usual_units(const Format& format, const Units& units);
/// Returns the default units of a format for a snapshot. Empty also if all bodies lie within 1e-3 kpc, such
/// as planets, which are kept in their own units.
std::optional<Units> usual_units(const Format& format, const Snapshot& snapshot);

/// The expanding universe of a snapshot with comoving bodies. The time of the snapshot is the scale factor a;
/// lengths and masses are in its units divided by h; velocities are peculiar ones, a dx/dt. Densities are
/// those at a = 1, relative to the critical density; dark energy has w(a) = w0 + wa (1 - a).
struct ComovingUniverse {
  double omega_m = 0, omega_b = 0, omega_lambda = 0,
         omega_r = 0;  ///< matter, baryons in it, dark energy, radiation
  double w0 = -1, wa = 0;
  double h = 1;  ///< the Hubble constant in 100 km/s/Mpc
  /// Masses of massive neutrinos, which are in none of the densities above, eV; 0: none. Their temperature of
  /// today, kelvin.
  std::array<double, 4> neutrino_masses{};
  double t_nu = 1.95176;
};

/// The content of a file. `notes` are messages for the user (units assumed, h != 1 factors removed, extra
/// blocks skipped, ...).
struct FileContent {
  const Format* format = nullptr;
  Snapshot snapshot{};
  bool units_stated = false;  ///< false: the file states none; the convention of the format was used
  std::vector<std::string> notes{};
  std::vector<std::string> files{};  ///< the files of the snapshot that were read: one, or all parts of a set
  std::vector<std::string> beside{};  ///< other files that were read, which state its units
  /// Side lengths of a box in the file, if the file does not state whether it is periodic.
  std::optional<Vec3<double>> box{};
  /// Softening length that the file suggests for its bodies, in its units (0: none is needed), if it does.
  std::optional<double> suggested_softening{};
  /// Time step that the file suggests for its bodies with this softening, in its units and > 0, if it does.
  std::optional<double> suggested_step{};
  std::size_t count = 0;  ///< number of bodies in the file or set; each of several ranks reads a part of them
  /// The universe of bodies that were read as comoving ones; empty: they are physical. What a file does not
  /// state of radiation and the equation of state has the values of this type.
  std::optional<ComovingUniverse> universe{};
};
/// Reads a file of any supported format, including HDF5 and GADGET sets of several files. InputError for a
/// file that is damaged or that is not understood; it names file, dataset or index, value and range. The
/// bodies may still be invalid for a run: see validate. `units` replaces the units stated in the file or
/// assumed by its format (galactic for GADGET, nbody for TIPSY and CSV). With `unless_stated` it replaces
/// only assumed ones.
FileContent read_snapshot(const std::filesystem::path& file, const std::optional<Units>& units = std::nullopt,
                          bool unless_stated = false);

/// Converts all quantities of a snapshot, G and the box included, to other units, and sets Snapshot::units.
/// UsageError if only one of the two systems is physical.
void convert(Snapshot& snapshot, const Units& to);

/// Options of a snapshot file.
struct WriteOptions {
  const Format* format = &format_named("hdf5");
  std::optional<Units> units{};  ///< units of the file; default: the snapshot's own
  double box_size = -1;          ///< HDF5 BoxSize of a snapshot in open space, in the units of the file; -1:
                                 ///< automatic_box_size; 0: as GADGET writes open runs
  bool double_precision =
      true;  ///< HDF5 only; the binary formats are always in single precision, CSV has 17 digits
  /// Text stored in the file: in HDF5 the group /Provenance; in CSV a comment, if it is one line.
  std::string provenance{};
  /// Softening length that goes with the bodies, in the units of the file (0: none is needed). HDF5 and CSV
  /// store it, and `pleiad run` takes it unless another one is set.
  std::optional<double> suggested_softening{};
  /// Time step that goes with the bodies and this softening, in the units of the file. HDF5 and CSV store it,
  /// and `pleiad run` takes it unless another one is set.
  std::optional<double> suggested_step{};
  /// The universe of comoving bodies, HDF5 only: the header has GADGET's cosmological numbers, velocities are
  /// stored over the root of a, and equal masses of a type once. Accelerations and potentials are not stored.
  std::optional<ComovingUniverse> universe{};
};
/// Returns the properties of a snapshot that the format cannot store, one phrase each; empty: nothing is
/// lost.
std::vector<std::string> losses(const Snapshot& snapshot, const WriteOptions& options);
/// The BoxSize that -1 stands for: 1, 2 or 5 times a power of ten, >= 4 max|x|, in the units of the file
/// (`units`, or those of the snapshot). To keep the box of a first snapshot, pass this value as `box_size`
/// for the next ones.
double automatic_box_size(const Snapshot& snapshot, const std::optional<Units>& units = std::nullopt);

/// Throws the InputError or UsageError that write_snapshot would throw for this snapshot: for numbers that
/// the format cannot store.
void need_writable(const Snapshot& snapshot, const WriteOptions& options);

/// Writes a snapshot file under a temporary name, then fsyncs and renames it: after an error or a crash the
/// file is as it was before. Converts a copy of the snapshot to the units of the file. ResourceError if the
/// file cannot be written, InputError or UsageError as need_writable.
void write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot, const WriteOptions& options);
/// Writes a snapshot file without a copy: the snapshot itself is converted to the units of the file.
void write_snapshot(const std::filesystem::path& file, Snapshot&& snapshot, const WriteOptions& options);
/// Writes a snapshot in the format of the file name's ending (".hdf5", ".gadget2", ".tipsy", ".csv", ...),
/// with the default options. UsageError for any other ending.
void write(const Snapshot& snapshot, const std::filesystem::path& file);

}  // namespace pleiad
