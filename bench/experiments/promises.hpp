/// Bodies on which force errors are hard to bound: dense cores, cusps, voids, waves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pleiad::bench {

struct HardSet {
  std::string_view name;
  std::string_view idea;
  double eps = 0;
  /// n bodies of total mass 1 at rest.
  Bodies (*make)(std::size_t n, std::uint64_t seed) = nullptr;
};

std::span<const HardSet> hard_sets();
/// UsageError with the nearest name.
const HardSet& hard_set_named(std::string_view name);

}  // namespace pleiad::bench
