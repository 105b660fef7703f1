/// The largest mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <pleiad/bodies.hpp>

#include <algorithm>
#include <cstddef>

namespace pleiad {

/// 0 without bodies.
inline double heaviest_of(const Bodies& b) {
  const auto of_block = [&](std::size_t begin, std::size_t end) {
    return *std::max_element(b.mass.begin() + std::ptrdiff_t(begin), b.mass.begin() + std::ptrdiff_t(end));
  };
  return blocked_fold(b.size(), 0.0, of_block, [](double x, double y) { return std::max(x, y); });
}

}  // namespace pleiad
