/// Whether a run can use a force method, and the facts that decide it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capabilities/capabilities.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <optional>
#include <string>

namespace pleiad {

/// The facts of these bodies on one process. The only place that looks through the masses.
ProblemFacts facts_of(const Bodies& bodies, const Gravity& gravity, Precision precision);

/// A kernel as an applicant for the table of possible combinations.
Applicant applicant(const DirectKernel& kernel);
Applicant applicant(const StepKernel& kernel);
Applicant applicant(const EnsembleKernel& kernel);

/// The reason why this method cannot compute such a problem, from the table of possible combinations, as a
/// sentence "OBSTACLE; REMEDY". Empty if it can. The function does not check whether there is a GPU.
std::optional<std::string> why_not(const ForceMethod& method, const ProblemFacts& facts);
/// UsageError with the sentence of why_not, if there is one.
void need_able(const ForceMethod& method, const ProblemFacts& facts);

}  // namespace pleiad
