/// Lengths of batches of steps, so that a clock, a signal or a callback is checked often enough, and not too
/// often.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace pleiad {

class Batches {
 public:
  static constexpr double usual = 0.1;

  bool begun() const { return size_ > 0; }
  /// Seconds since the last one began.
  double took() const { return begun() ? seconds() - began_ : 0; }
  /// Number of steps of the next batch, which begins now, at this step: it takes between half of `longest`
  /// and `longest` seconds, if the last one took `took`. The first batch has one step.
  std::uint64_t next(std::uint64_t step, double took, double longest = usual) {
    const auto made = step - step_;
    if (!begun()) size_ = 1;
    else if (took < longest / 2) size_ = 2 * std::max<std::uint64_t>(1, made);
    else if (took > longest) size_ = std::max<std::uint64_t>(1, made / 2);
    step_ = step, began_ = seconds();
    return size_;
  }

 private:
  std::uint64_t size_ = 0, step_ = 0;
  double began_ = 0;
};

}  // namespace pleiad
