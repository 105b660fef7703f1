/// The members of passes and their distances, kept for later passes: most of these have the same members or
/// fewer, and the same centre.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/by_distance.hpp"
#include "core/room.hpp"
#include "core/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pleiad::by_distance {

/// Members by blocks, each stored at the beginning of its block. All: bodies with size() and position(i),
/// which must outlive it; `offset`: the number of the first of them.
template <class All>
class KeptMembers {
 public:
  static constexpr std::size_t block = Sums::block;
  KeptMembers(const All& all, std::uint64_t offset) : all_(all), offset_(offset) {}

  std::size_t blocks() const { return (all_.size() + block - 1) / block; }
  /// Calls work(i, r2) for the members of a block, in their order; r2 is of the last centre that was given.
  template <class Work>
  void each_of_block(std::size_t b, const Work& work) const {
    const auto* places = places_->data();
    const auto* r2 = r2_->data();
    for (std::size_t k = b * block, end = k + counts_[b]; k < end; ++k) work(b * block + places[k], r2[k]);
  }
  /// Sets the members of the next passes. Without a centre the distances stay unchanged.
  void ask(const Members& members, const Vec3<double>* centre) {
    const bool anew = counts_.empty() || !are_first_of(members);
    if (anew) {
      members_ = {}, centre_.reset();
      if (counts_.empty()) {
        counts_.resize(blocks());
        places_.emplace(all_.size()), r2_.emplace(all_.size());
      }
    }
    const bool moves = centre != nullptr && !(centre_ && same(*centre_, *centre));
    if (!anew && !moves && members.count == members_.count) return;
    parallel_for(blocks(), [&](std::size_t b) { keep(b, anew, members, moves ? centre : nullptr); });
    members_ = members;
    if (moves) centre_ = *centre;
  }

 private:
  static bool same(const Vec3<double>& a, const Vec3<double>& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
  bool are_first_of(const Members& members) const {
    if (members_.count > members.count) return false;
    for (int s = 0; s < members_.count; ++s) {
      const auto &mine = members_.spheres[s], &other = members.spheres[s];
      if (!same(mine.centre, other.centre) || mine.edge.r2 != other.edge.r2 ||
          mine.edge.body != other.edge.body)
        return false;
    }
    return true;
  }
  /// Keeps the members of block b that are in the new spheres too; `anew`: selects among all its bodies.
  void keep(std::size_t b, bool anew, const Members& members, const Vec3<double>* centre) {
    const std::size_t first = b * block;
    auto* const places = places_->data() + first;
    auto* const distances = r2_->data() + first;
    if (anew) {
      counts_[b] = std::uint32_t(std::min(block, all_.size() - first));
      for (std::size_t k = 0; k < counts_[b]; ++k) places[k] = std::uint16_t(k), distances[k] = 0;
    }
    std::uint32_t kept = 0;
    each_of_block(b, [&](std::size_t i, double r2) {
      const auto x = all_.position(i);
      for (int s = members_.count; s < members.count; ++s) {
        const auto& sphere = members.spheres[s];
        const double to_centre =
            centre_ && same(*centre_, sphere.centre) ? r2 : squared_distance(x, sphere.centre);
        if (is_before(sphere.edge, {to_centre, offset_ + i})) return;
      }
      places[kept] = std::uint16_t(i - first);
      distances[kept++] = centre != nullptr ? squared_distance(x, *centre) : r2;
    });
    counts_[b] = kept;
  }

  const All& all_;
  std::uint64_t offset_;
  std::vector<std::uint32_t> counts_;
  std::optional<Unwritten<std::uint16_t>> places_;  ///< in the block
  std::optional<Unwritten<double>> r2_;             ///< from centre_
  Members members_;
  std::optional<Vec3<double>> centre_;
};

}  // namespace pleiad::by_distance
