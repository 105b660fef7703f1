/// The candidates for a case: every reproducible kernel in every shape that it lists.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/case.hpp"

#include <vector>

namespace pleiad::tune {

/// Candidates on one GPU or the CPU, the most promising first: the choice of the table, then by arithmetic
/// per interaction.
std::vector<Choice> candidates(const Case& what, const Catalogue& from = catalogue());

/// Choices of the numbers of GPUs that `on_one` may run on, one first. Fused steps stay on one GPU: steps
/// from evaluations on more would have another result.
std::vector<Choice> on_more_gpus(const Choice& on_one, int gpus);

}  // namespace pleiad::tune
