/// Parts of a close group: its tight binaries, and its other bodies one by one. Bodies join a group where
/// they are close to one of its parts, and it is divided where its parts are no longer close to each other.
/// The extent of a whole group would not do: each body that joins makes it larger, and it would take in more
/// and more of a dense core.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regular/group.hpp"

#include <pleiad/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad {

/// One or two bodies about the centre of mass of their group; masses times G.
struct GroupPart {
  double mass = 0;
  Vec3<double> x{}, v{};
  double size = 0;  ///< the distance of a pair at apocentre; of one body 0
  std::vector<std::uint32_t> members;
  double radius = 0;  ///< the largest one of bodies that may touch those of another part
};

/// Within this many sizes of a pair the pull of its bodies is not that of a point.
constexpr double sizes_to_join = 5;
/// Parts are one group within this many times the sum of their sizes and of the radii of bodies that may
/// touch: contacts with members are those between members. Two bodies alone have no such radii: groups as
/// large as stars would be loose, and what forms and divides them is no small change of the pulls on others.
constexpr double radii_to_join = 2;

/// Whether two parts at this distance are so close to each other, and so far from all others, that they are
/// to be one group: closer than `scale` times the mass of both, or than some sizes of a pair. `tide`: of the
/// others, the sum of twice their mass over the cube of their distance. Parts that may touch are, in any
/// tide.
bool close_together(const GroupPart& a, const GroupPart& b, double distance, double scale, double tide);

/// Parts of a group in the order of their first members. A pair is a part where each is the nearest body of
/// the other, and they are bound and never farther apart than 2 `scale` times their mass.
std::vector<GroupPart> parts_of(std::span<const regular::Group::Body> members, double scale);

}  // namespace pleiad
