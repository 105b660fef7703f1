/// A range of bodies in their order: a rank's part of a file or of a model.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace pleiad {

/// Bodies [first, first + count).
struct BodyRange {
  std::size_t first = 0, count = 0;
  /// The part of the range among the n bodies after the first `before` ones, counted from there.
  BodyRange among(std::size_t before, std::size_t n) const {
    const std::size_t from = std::clamp(first, before, before + n),
                      to = std::clamp(first + count, before, before + n);
    return {from - before, to - from};
  }
};

}  // namespace pleiad
