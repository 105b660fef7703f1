/// The candidates for a case: every reproducible kernel in every shape that it lists.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/case.hpp"

#include <vector>

namespace pleiad::tune {

/// On one GPU or the CPU, the most promising first: what the table chooses, then by arithmetic per
/// interaction.
std::vector<Choice> candidates(const Case& what, const Catalogue& from = catalogue());

/// The numbers of GPUs that `on_one` may run on, one first. Fused steps are one GPU's, and to make them of
/// forces on more would change the bits.
std::vector<Choice> on_more_gpus(const Choice& on_one, int gpus);

}  // namespace pleiad::tune
