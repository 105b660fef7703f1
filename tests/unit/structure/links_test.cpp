/// Links between groups against counts by brute force, and what reading a catalogue refuses.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/links.hpp"

#include "io/durable/durable.hpp"
#include "structure/measures.hpp"
#include "unit/scratch.hpp"
#include "unit/structure/chosen.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

GroupMembers groups_of(const std::vector<std::vector<std::uint64_t>>& groups, double time = 0) {
  GroupMembers members{.time = time};
  for (const auto& group : groups) {
    members.ids.insert(members.ids.end(), group.begin(), group.end());
    members.first.push_back(members.ids.size());
  }
  return members;
}

/// Bodies in random groups; some are in none.
GroupMembers at_random(std::mt19937_64& random, std::size_t groups, std::uint64_t bodies) {
  std::vector<std::vector<std::uint64_t>> members(groups);
  for (std::uint64_t id = 0; id < bodies; ++id)
    if (const auto g = random() % (groups + 2); g < groups) members[g].push_back(3 * id + 1);
  std::erase_if(members, [](const auto& group) { return group.empty(); });
  for (auto& group : members) std::ranges::shuffle(group, random);
  return groups_of(members);
}

/// By the definition: every pair of groups, every pair of members.
std::vector<Link> by_brute_force(const GroupMembers& earlier, const GroupMembers& later) {
  const auto shared = [&](std::size_t i, std::size_t j) {
    std::size_t count = 0;
    for (const auto a : earlier.of(i))
      for (const auto b : later.of(j)) count += a == b ? 1 : 0;
    return count;
  };
  // Whether (i, j) is before all other (i, k), or (k, j): more members, or as many and a smaller id.
  const auto first = [&](std::size_t i, std::size_t j, bool of_later) {
    const std::size_t others = of_later ? later.size() : earlier.size();
    for (std::size_t k = 0; k < others; ++k) {
      if (k == (of_later ? j : i)) continue;
      const auto mine = shared(i, j), theirs = of_later ? shared(i, k) : shared(k, j);
      const auto my_id = of_later ? later.id_of(j) : earlier.id_of(i),
                 their_id = of_later ? later.id_of(k) : earlier.id_of(k);
      if (theirs > mine || (theirs == mine && their_id < my_id)) return false;
    }
    return true;
  };
  std::vector<Link> links;
  for (std::size_t i = 0; i < earlier.size(); ++i)
    for (std::size_t j = 0; j < later.size(); ++j)
      if (shared(i, j) > 0) links.push_back({i, j, shared(i, j), first(i, j, true), first(i, j, false)});
  return links;
}

std::string refusal_of(const std::filesystem::path& file) {
  return test::message_of<InputError>([&] { read_members(file); });
}

}  // namespace

TEST(Links, AreThoseOfBruteForce) {
  std::mt19937_64 random(5);
  for (int k = 0; k < 60; ++k) {
    const auto earlier = at_random(random, 1 + random() % 7, 40),
               later = at_random(random, 1 + random() % 7, 44);
    EXPECT_EQ(links_between(earlier, later), by_brute_force(earlier, later)) << k;
  }
}

TEST(Links, FollowAMergerAndASplit) {
  // 7 9 and 1 2 3 merge; 20 .. 23 split into halves, of which that with the smaller id is the descendant.
  const auto earlier = groups_of({{20, 21, 22, 23}, {1, 2, 3}, {7, 9}}),
             later = groups_of({{9, 7, 3, 2, 1}, {22, 23}, {20, 21}});
  const std::vector<Link> expected{
      {0, 1, 2, false, true}, {0, 2, 2, true, true}, {1, 0, 3, true, true}, {2, 0, 2, true, false}};
  EXPECT_EQ(links_between(earlier, later), expected);
  const std::vector<GroupMembers> both{earlier, later};
  EXPECT_NE(table_of_links(both).find("\n0,0,2,0,7,1,2,5,2,1,0\n"), std::string::npos)
      << table_of_links(both);
  EXPECT_TRUE(links_between(earlier, groups_of({})).empty());
}

TEST(Links, AnIdTwiceInACatalogueIsRefused) {
  const auto why = test::message_of<InputError>([] {
    links_between(groups_of({{1, 2}, {2, 3}}), groups_of({{1}}));
  });
  EXPECT_NE(why.find("the id 2 is twice"), why.npos) << why;
}

TEST(Links, MembersAreReadAsTheyWereWritten) {
  const test::Folder folder;
  Snapshot s;
  s.units = units_named("nbody"), s.time = 3;
  for (int i = 0; i < 9; ++i) s.bodies.add(1, {i < 5 ? 0.1 * i : 10 + 0.1 * i, 0, 0}, {}, Type::halo);
  for (std::size_t i = 0; i < 9; ++i) s.bodies.id[i] = 100 - i;
  const auto found = find_groups(s, all_of(s.bodies), {.distance = 0.15, .least = 2});
  write_catalogue(folder.path / "g.hdf5", found.groups, found.properties, s, found.facts);
  const auto members = read_members(folder.path / "g.hdf5");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members.time, 3);
  EXPECT_EQ(members.of(0).size(), 5u);
  EXPECT_EQ(members.id_of(0), 96u);
  EXPECT_EQ(members.id_of(1), 92u);
  // And a catalogue without groups.
  const auto none = find_groups(s, all_of(s.bodies), {.distance = 0.15, .least = 6});
  write_catalogue(folder.path / "none.hdf5", none.groups, none.properties, s, none.facts);
  EXPECT_EQ(read_members(folder.path / "none.hdf5").size(), 0u);
}

TEST(Links, OtherFilesAreRefused) {
  const test::Folder folder;
  EXPECT_NE(refusal_of(folder.path / "none").find("it is not a regular file"), std::string::npos);
  write_file_atomically(folder.path / "text", "no catalogue");
  EXPECT_NE(refusal_of(folder.path / "text").find("cannot be opened as HDF5"), std::string::npos);
  write_snapshot(folder.path / "bodies.hdf5", model("plummer", {{"n", 10}}, 1), {});
  EXPECT_NE(refusal_of(folder.path / "bodies.hdf5").find("/IDs/ID is missing"), std::string::npos);
}

}  // namespace pleiad::structure
