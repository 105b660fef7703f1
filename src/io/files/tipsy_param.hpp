/// The .param file next to TIPSY snapshots: the units in which G = 1, and whether positions are comoving.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {
class OpenFolder;
}

namespace pleiad::files {

/// The one that we write.
inline constexpr std::string_view param_name = "pleiad.param";

/// What a .param file states of the universe and the box, in the words of gasoline, ChaNGa and PKDGRAV3.
struct TipsyUniverse {
  std::optional<double> dOmega0{}, dLambda{}, dOmegaDE{}, dOmegaRad{}, dOmegab{}, w0{}, wa{};
  std::optional<double> dHubble0{};  ///< H0 in the units of the snapshot
  std::optional<double> h{};         ///< H0 in 100 km/s/Mpc
  std::optional<double> dBoxSize{};  ///< the unit of length in Mpc/h
  std::optional<double> bPeriodic{}, dPeriod{}, dxPeriod{}, dyPeriod{}, dzPeriod{};
};

/// Values that gasoline, ChaNGa, pynbody and yt read from any *.param in a snapshot's folder: dMsolUnit and
/// dKpcUnit; the unit of velocity follows from G = 1. With bComove = 1 the time is the scale factor a,
/// positions are comoving, and velocities are their derivatives by time: both are multiplied by a.
struct TipsyParam {
  std::filesystem::path file{};
  std::string text{};
  bool comoving = false, states_units = false;
  bool ours = false;  ///< with a line that states the units and the G that a snapshot had before
  Units units{};      ///< ours: those before; else the file's, in which G = 1
  double G = 1;       ///< ours: that before
  TipsyUniverse universe{};
};

/// Velocities, time and potentials in units with G = 1: nothing else fits into TIPSY. Physical snapshots are
/// divided by the G of their units, so that their velocities stay right.
void make_G_one(Snapshot& snapshot);
/// The way from comoving lengths and velocities to physical ones, with a note. InputError for a time that is
/// no scale factor. `snapshot`: the file, for the message.
void make_physical(const std::filesystem::path& snapshot, const TipsyParam& param, FileContent& content);
/// The way from dx/dt to peculiar velocities, a dx/dt, of bodies that stay comoving, in units per h
/// (FileContent::universe); the box is periodic. `units_given`: the user states the units, per h. Returns why
/// this is not possible, with what would be right, and leaves the content as it was; "" if it was. InputError
/// for what is no number, or none > 0.
std::string keep_comoving(const std::filesystem::path& snapshot, const TipsyParam& param, bool units_given,
                          FileContent& content);
/// The way back: from G = 1 to the units and the G of the param file.
void restore_G(Snapshot& snapshot, const TipsyParam& param);

/// All *.param files in the folder of `snapshot` that state both units or bComove = 1, by name. InputError
/// for units that are not > 0, and for another bComove than 0 and 1. With `only_cosmology` units are passed
/// over.
std::vector<TipsyParam> params_beside(const std::filesystem::path& snapshot, bool only_cosmology = false);

/// Whether a file that begins so can be a TIPSY snapshot.
bool looks_like_tipsy(std::string_view start);

/// The pleiad.param with the units in the folder of a snapshot, or none. All refusals precede any change; the
/// file is removed again unless it is kept.
class UnitsBeside {
 public:
  /// Plans the file for a snapshot with these units and G, in an opened folder if there is one. UsageError if
  /// other TIPSY snapshots, another program's .param or a pleiad.param of other origin need the present file;
  /// ResourceError if no file can have that name.
  UnitsBeside(const std::filesystem::path& snapshot, const Units& units, double G,
              std::shared_ptr<const OpenFolder> folder);
  UnitsBeside(const UnitsBeside&) = delete;
  UnitsBeside& operator=(const UnitsBeside&) = delete;
  ~UnitsBeside();
  /// Writes it, or takes an old one away: before the snapshot has its name.
  void write();
  /// The snapshot is in its place.
  void keep() { written_ = false; }

 private:
  void put(const std::string& text) const;
  std::filesystem::path file_;
  std::shared_ptr<const OpenFolder> folder_;
  std::string text_;                ///< "": no file
  std::optional<std::string> old_;  ///< none: no file
  bool said_ = false;               ///< already, by this file or another
  bool written_ = false;
};

}  // namespace pleiad::files
