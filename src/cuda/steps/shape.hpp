/// The shapes that a step kernel was compiled in, and the choice among them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/rung.hpp"

#include <string>
#include <string_view>

namespace pleiad::cuda {

/// threads_per_block is the largest number; a launch uses as many as the bodies need.
template <class... Parameters>
struct Compiled {
  LaunchShape shape;
  void (*kernel)(Parameters...);
  unsigned best_up_to;   ///< bodies; without a requested shape, the first with n up to this is taken
  unsigned most_bodies;  ///< for which it has room
};

/// The first compiled version that matches the requested shape and supports n bodies; UsageError with the
/// possible shapes.
template <class List>
const auto& compiled_for(const List& list, const LaunchShape& asked, std::size_t n, std::string_view name) {
  const auto fits = [](int wanted, int has) { return wanted == 0 || wanted == has; };
  std::string there;
  for (const auto& c : list) {
    const auto& has = c.shape;
    if (fits(asked.threads_per_block, has.threads_per_block) &&
        fits(asked.bodies_per_thread, has.bodies_per_thread) &&
        fits(asked.threads_per_body, has.threads_per_body) && fits(asked.source_splits, has.source_splits) &&
        fits(asked.blocks, has.blocks) && n <= (asked == LaunchShape{} ? c.best_up_to : c.most_bodies))
      return c;
    there += (there.empty() ? "" : ", ") + std::to_string(has.threads_per_block) + " threads with " +
             std::to_string(has.bodies_per_thread) + " bodies each for up to " +
             std::to_string(c.most_bodies) + " bodies";
  }
  throw UsageError("'" + std::string(name) + "': not compiled in this shape for " + std::to_string(n) +
                   " bodies; there are " + there);
}

}  // namespace pleiad::cuda
