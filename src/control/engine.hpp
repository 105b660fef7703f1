/// The force method of a simulation: planned for an accuracy, tuned, or from the table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/demand.hpp"
#include "engine/ranks_sample.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/engine.hpp>

#include <optional>

namespace pleiad::control {

/// The options with the method and the number of GPUs resolved; unchanged if a method is named. `drawn` gets
/// the sample that a tree was measured on, because its draw and sums take a while. Notes for the user go to
/// tuning_context.note. UsageError if the demand cannot be met.
EngineOptions resolved_engine(EngineOptions options, const Bodies& bodies, const Gravity& gravity,
                              const Demand& demand, const tune::TuningContext& tuning_context,
                              std::optional<MeasuredSample>* drawn = nullptr);

/// The method with which an integrator goes on: sets of bodies have no fused steps, which are of all bodies.
/// Empty: one has to be chosen.
std::optional<ForceMethod> method_for(ForceMethod method, const Integrator& integrator);

/// Options in which a tree has the GPUs that make it faster, among those allowed.
EngineOptions on_useful_gpus(EngineOptions options, std::size_t n, const Boundary& space);

}  // namespace pleiad::control
