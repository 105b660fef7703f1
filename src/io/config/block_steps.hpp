/// The block time steps of a configuration.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/integrator.hpp>

#include <algorithm>

namespace pleiad::config {

/// Names must be those of the values, as those that were read are.
inline BlockSteps blocks_of(const Options::Time& time) {
  const auto named = std::ranges::find(block_criterion_names, time.block_criterion);
  return {.levels = time.block_levels,
          .criterion = static_cast<BlockCriterion>(named - block_criterion_names.begin()),
          .single_step = time.single_step,
          .groups = time.groups == name_of(CloseGroups::off) ? CloseGroups::off : CloseGroups::regularised,
          .group_radius = time.group_radius,
          .slow_down = time.slow_down,
          .neighbours = static_cast<Neighbours>(std::ranges::find(neighbours_names, time.neighbours) -
                                                neighbours_names.begin())};
}

}  // namespace pleiad::config
