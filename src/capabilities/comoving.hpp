/// Which runs can be made in comoving coordinates: a part of the table of capabilities.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pleiad {

/// What decides whether a run can be made in comoving coordinates ([cosmology]).
struct ComovingFacts {
  std::string_view integrator{};
  bool splits = true;                  ///< it is a splitting, whose kicks and drifts take factors
  bool open = false, nearest = false;  ///< stated: open space, nearest images alone
  bool flat = false;                   ///< two dimensions
  bool ensemble = false, potentials = false, forces = false, encounters = false, lattice = false;
  bool chosen_steps = false;  ///< steps are chosen for an error of the energy or the positions
  bool reversed = false, damped = false;
  bool paths = false;       ///< trajectories or orbits of bodies are recorded
  bool error_term = false;  ///< output.kdk_error_term
  bool hdf5 = true;         ///< snapshots are HDF5 files
  bool viewed = false;      ///< by the live view
  bool compared = false;    ///< `pleiad converge`
};
/// Why not, in one sentence. Empty if it can.
std::optional<std::string> why_not(const ComovingFacts& facts);

}  // namespace pleiad
