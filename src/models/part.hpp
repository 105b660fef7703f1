/// A part of a model's bodies, drawn where it is needed: those of the whole, bit for bit, without room for
/// the others.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_range.hpp"
#include "core/moments.hpp"

#include <pleiad/models.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// The parts of a model's bodies on several ranks, and the sums that all of them need.
class Sharing {
 public:
  virtual ~Sharing() = default;
  /// The range of n bodies that is drawn here. Parts are cut at multiples of sum_block.
  virtual BodyRange part_of(std::size_t n) = 0;
  /// The blocks of all parts, in their order; every owner calls it.
  virtual std::vector<Moments> all(std::vector<Moments> own) = 0;
};

/// Whether it is a model of one component, whose parts can be drawn.
bool drawn_in_parts(std::string_view model);
/// See make_model; the snapshot has this owner's part of the bodies.
Snapshot make_part(std::string_view model, std::span<const std::string> settings, std::uint64_t seed,
                   Sharing& sharing);

}  // namespace pleiad
