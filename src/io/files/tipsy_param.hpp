/// The .param file beside TIPSY snapshots: which units make G = 1.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::files {

/// The one that we write.
inline constexpr std::string_view param_name = "pleiad.param";

/// What gasoline, ChaNGa, pynbody and yt take from any *.param in a snapshot's folder: dMsolUnit and
/// dKpcUnit; the unit of velocity follows from G = 1.
struct TipsyParam {
  std::filesystem::path file;
  std::string text;
  bool ours = false;  ///< with a line that says the units and the G that a snapshot had before
  Units units;        ///< ours: those before; else the file's, in which G = 1
  double G = 1;       ///< ours: that before
};

/// Velocities, time and potentials in units with G = 1: nothing else fits into TIPSY. Physical snapshots are
/// divided by the G of their units, so that their velocities stay right.
void make_G_one(Snapshot& snapshot);
/// The way back: from G = 1 to the units and the G of the param file.
void restore_G(Snapshot& snapshot, const TipsyParam& param);

/// All *.param files in the folder of `snapshot` that state both units, by name. InputError for units that
/// are not > 0.
std::vector<TipsyParam> params_beside(const std::filesystem::path& snapshot);

/// Makes what the folder of `snapshot` says of units right for one with these units and G: writes
/// pleiad.param, or takes an old one away. UsageError when other TIPSY snapshots or another program's .param
/// need what is there. With `only_check` nothing is changed.
void settle_param(const std::filesystem::path& snapshot, const Units& units, double G, bool only_check);

}  // namespace pleiad::files
