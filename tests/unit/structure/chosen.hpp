/// Choices of bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <cstddef>
#include <numeric>
#include <vector>

namespace pleiad::structure {

inline std::vector<std::size_t> all_of(const Bodies& b) {
  std::vector<std::size_t> all(b.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace pleiad::structure
