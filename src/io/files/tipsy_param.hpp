/// The .param file beside TIPSY snapshots: which units make G = 1, and whether positions are comoving.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::files {

/// The one that we write.
inline constexpr std::string_view param_name = "pleiad.param";

/// What gasoline, ChaNGa, pynbody and yt take from any *.param in a snapshot's folder: dMsolUnit and
/// dKpcUnit; the unit of velocity follows from G = 1. With bComove = 1 the time is the scale factor a,
/// positions are comoving, and velocities are their derivatives by time: both are multiplied by a.
struct TipsyParam {
  std::filesystem::path file{};
  std::string text{};
  bool comoving = false, states_units = false;
  bool ours = false;  ///< with a line that says the units and the G that a snapshot had before
  Units units{};      ///< ours: those before; else the file's, in which G = 1
  double G = 1;       ///< ours: that before
};

/// Velocities, time and potentials in units with G = 1: nothing else fits into TIPSY. Physical snapshots are
/// divided by the G of their units, so that their velocities stay right.
void make_G_one(Snapshot& snapshot);
/// The way from comoving lengths and velocities to physical ones, with a note. InputError for a time that is
/// no scale factor. `snapshot`: the file, for the message.
void make_physical(const std::filesystem::path& snapshot, const TipsyParam& param, FileContent& content);
/// The way back: from G = 1 to the units and the G of the param file.
void restore_G(Snapshot& snapshot, const TipsyParam& param);

/// All *.param files in the folder of `snapshot` that state both units or bComove = 1, by name. InputError
/// for units that are not > 0, and for another bComove than 0 and 1. With `only_cosmology` units are passed
/// over.
std::vector<TipsyParam> params_beside(const std::filesystem::path& snapshot, bool only_cosmology = false);

/// Makes what the folder of `snapshot` says of units right for one with these units and G: writes
/// pleiad.param, or takes an old one away. UsageError when other TIPSY snapshots or another program's .param
/// need what is there. With `only_check` nothing is changed.
void settle_param(const std::filesystem::path& snapshot, const Units& units, double G, bool only_check);

}  // namespace pleiad::files
