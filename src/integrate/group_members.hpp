/// Members of a regularised group that meet, as those who look inside steps know them: what is watched, which
/// members touch at a time, and which are left then.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/step_watch.hpp"
#include "regular/group.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pleiad {

/// `numbers`: of the members among the bodies.
inline regular::Group::Watched watched_by(const StepWatch& watch, std::span<const std::uint32_t> numbers) {
  regular::Group::Watched watched{.distance = watch.distance(), .stops = watch.parts_touching()};
  for (const auto i : numbers) watched.radii.push_back(watch.radius(i));
  return watched;
}

/// The members that touch when two of them have come into `contact`: these two, and all others that approach
/// each other.
inline std::vector<std::pair<std::size_t, std::size_t>> touching_members(
    const StepWatch& watch, std::span<const std::uint32_t> numbers,
    std::span<const regular::Group::Body> members, std::pair<std::size_t, std::size_t> contact) {
  // To rounding: of bodies that touch at the same time.
  constexpr double margin = 1 + 1e-12;
  std::vector<std::pair<std::size_t, std::size_t>> touching;
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      const auto d = regular::rounded(members[j].x - members[i].x),
                 u = regular::rounded(members[j].v - members[i].v);
      const double within = margin * (watch.radius(numbers[i]) + watch.radius(numbers[j]));
      if (std::pair(i, j) == contact || (dot(d, u) < 0 && norm(d) <= within)) touching.emplace_back(i, j);
    }
  return touching;
}

/// Bodies as one, at their centre of mass.
inline regular::Group::Body joined(std::span<const regular::Group::Body> bodies) {
  regular::DoubleSum mass{};
  for (const auto& b : bodies) mass += {b.mass, 0};
  const auto& first = bodies.front();
  // From the first one: shares of differences lose no digits.
  regular::DoubleVec x{}, v{};
  for (const auto& b : bodies) {
    const auto share = regular::DoubleSum{b.mass, 0} / mass;
    x += (b.x - first.x) * share, v += (b.v - first.v) * share;
  }
  return {mass.value(), first.x + x, first.v + v};
}

/// Leaves the members that are left, those that have absorbed others at the centre of mass of all of them.
inline void leave(std::span<const StepWatch::Change> changes, std::vector<std::uint32_t>& numbers,
                  std::vector<regular::Group::Body>& members) {
  const auto index = [&](std::uint32_t body) { return std::ranges::find(numbers, body) - numbers.begin(); };
  for (const auto& change : changes) {
    if (change.gone) continue;
    std::vector parts{members[std::size_t(index(change.body))]};
    for (const auto& other : changes)
      if (other.gone && other.into == change.body) parts.push_back(members[std::size_t(index(other.body))]);
    members[std::size_t(index(change.body))] = joined(parts);
  }
  for (const auto& change : changes) {
    if (!change.gone) continue;
    const auto k = index(change.body);
    numbers.erase(numbers.begin() + k), members.erase(members.begin() + k);
  }
}

}  // namespace pleiad
