/// Common parts of the formats of this folder.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/share.hpp"

#include <pleiad/files.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::files {

namespace fs = std::filesystem;

/// The preset that these cgs values mean (to 1e-5: codes round kpc and solar mass differently), else custom
/// ones.
Units recognised_units(double length_cm, double mass_g, double velocity_cm_s);

/// Scaling of the numbers of a cosmological code.
struct Cosmology {
  double h = 1, a = 1;
  bool comoving = false;         ///< positions are multiplied by a
  bool sqrt_velocities = false;  ///< velocities are multiplied by sqrt(a), as GADGET stores them
  bool time_is_a = true;         ///< the time of the file is the scale factor
  std::string doubt{};           ///< a note on a header that could be meant otherwise
};
/// Comoving if the file states so, or else if its time is the scale factor of a redshift other than 0:
/// isolated models, too, may have matter, h, and the redshift 0 in their headers.
Cosmology cosmology_of(double h, double time, double redshift, double omega0,
                       std::optional<bool> comoving = std::nullopt);
/// Makes the numbers physical, and adds a note.
void remove_cosmology(FileContent& content, const Cosmology& cosmology);
/// Keeps them comoving and per h (FileContent::universe) where `wanted` asks for it and the file states its
/// densities (`universe`, omega_m > 0), with a note; else makes them physical. Numbers that are not divided
/// by the h of the universe, but by Cosmology::h, are made those per h.
void settle_cosmology(FileContent& content, const Cosmology& cosmology, const ComovingUniverse& universe,
                      const Wanted& wanted);

/// Stores a box of a header that does not state whether it is periodic, for readers that take space as
/// periodic, with a note for others. Must precede remove_cosmology.
void take_box(FileContent& content, const Vec3<double>& lengths, const Wanted& wanted);

/// The file itself when it stands alone, else all parts of the set that it is the name, or one part, of.
std::vector<fs::path> parts_of(const fs::path& file, std::int64_t count);
/// The file that a name stands for: itself, or the first part of a set.
fs::path first_part(const fs::path& file);

/// Body indices in the order of a file that groups bodies by type.
std::array<std::vector<std::size_t>, 6> by_type(const Bodies& bodies);
/// Whether an id takes more than 32 bits. Collective.
bool any_wide_id(const Bodies& bodies, const Share& share);
/// Ids 0, 1, 2, ... for the bodies of files that have none, with a note; `first`: the place of the first body
/// that was read.
void make_ids(FileContent& content, std::size_t first = 0);
/// InputError naming body and value when single precision would not keep a number: too large, or so small
/// that digits are lost (a mass by itself; a coordinate only where all of its kind are as small). Collective.
void need_single(const Snapshot& snapshot, const Share& share);
/// Changes by rounding to single precision, relative to each value: "position by up to 5.9e-08, ..."; "" if
/// there are none.
std::string rounding_of(const Snapshot& snapshot);

}  // namespace pleiad::files
