/// The bodies as encounters see them: all of a run, on every rank.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/path.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::encounters {

/// Arrays of equal length, in the order of the bodies.
struct Matter {
  std::vector<Place> places;  ///< at the end of the step
  std::vector<double> mass, radius;
  std::vector<std::uint64_t> id;
  std::size_t size() const { return mass.size(); }
};

/// Two bodies, by their indices.
struct Pair {
  std::uint32_t i = 0, j = 0;
};

}  // namespace pleiad::encounters
