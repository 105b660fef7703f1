/// Catalogues of groups as HDF5 files in the layout of GADGET-4's (fof_tab).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/durable.hpp"
#include "structure/catalogue.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::structure {

/// A density whose spheres have been computed, what GADGET-4 calls these ("Mean200" for 200 times the mean
/// density), and the columns of a table.
struct NamedDensity {
  std::string name;
  double density = 0;
  std::string_view mass = "sphere_mass", radius = "sphere_radius";  ///< of texts that stay
};

/// How the groups were found.
struct CatalogueFacts {
  double linking_length = 0;
  std::size_t least = 0;
  std::vector<NamedDensity> densities{};  ///< of GroupProperties::spheres
  std::string provenance{};
  std::optional<Comoving> comoving{};  ///< where the bodies are
};

/// Writes `file`, which is complete or not there: Header, Units, Group (GroupPos, GroupCM, GroupVel,
/// GroupMass, GroupLen, GroupLenType, GroupMassType, GroupID, Group_M_NAME and Group_R_NAME of each density,
/// ...) and IDs/ID, the ids of the members, group after group. Numbers are in the units of the snapshot, in
/// double precision; of comoving bodies as GroupProperties has them, and the header has the scale factor, the
/// redshift, the densities and h. ResourceError if it cannot be written.
void write_catalogue(const std::filesystem::path& file, const Groups& groups,
                     std::span<const GroupProperties> properties, const Snapshot& snapshot,
                     const CatalogueFacts& facts, const AtomicWrite& how = {});

}  // namespace pleiad::structure
