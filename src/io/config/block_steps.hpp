/// The block time steps of a configuration.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/integrator.hpp>

#include <algorithm>

namespace pleiad::config {

/// The criterion must be one of block_criterion_names, as those that were read are.
inline BlockSteps blocks_of(const Options::Time& time) {
  const auto named = std::ranges::find(block_criterion_names, time.block_criterion);
  return {.levels = time.block_levels,
          .criterion = static_cast<BlockCriterion>(named - block_criterion_names.begin()),
          .single_step = time.single_step};
}

}  // namespace pleiad::config
