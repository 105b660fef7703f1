/// Links between the groups of successive catalogues by the ids of their members: descendants and
/// progenitors.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pleiad::structure {

/// The members of the groups of one catalogue.
struct GroupMembers {
  double time = 0;                    ///< of comoving bodies the scale factor
  std::vector<std::uint64_t> ids{};   ///< of the members, group after group
  std::vector<std::size_t> first{0};  ///< where each group begins in `ids`, and the end of the last
  std::size_t size() const { return first.size() - 1; }
  std::span<const std::uint64_t> of(std::size_t group) const {
    return std::span(ids).subspan(first[group], first[group + 1] - first[group]);
  }
  /// The smallest id of the members, by which groups are called.
  std::uint64_t id_of(std::size_t group) const;
};

/// A group of the earlier catalogue and one of the later with members in common.
struct Link {
  std::size_t earlier = 0, later = 0;
  std::size_t shared = 0;        ///< number of members in common; each counts 1
  bool descendant = false;       ///< of all later groups this one has the most members of the earlier one
  bool main_progenitor = false;  ///< of all earlier groups this one has the most members of the later one
  bool operator==(const Link&) const = default;
};

/// All links, in ascending order of the earlier group, then of the later one. Of groups that share as many
/// members the one with the smaller id is the descendant or main progenitor. The result does not depend on
/// the order of the members. InputError if an id is twice in a catalogue.
std::vector<Link> links_between(const GroupMembers& earlier, const GroupMembers& later);

/// Reads the members of a catalogue that write_catalogue or GADGET-4 has written into one file, with ids.
/// InputError naming what is missing or does not fit.
GroupMembers read_members(const std::filesystem::path& catalogue);

/// A table of all links between successive catalogues, which are in order of time: "time, next_time, group,
/// next_group, id, next_id, members, next_members, shared, descendant, main_progenitor". Groups are counted
/// from 0 as in their catalogues.
std::string table_of_links(std::span<const GroupMembers> catalogues);

}  // namespace pleiad::structure
