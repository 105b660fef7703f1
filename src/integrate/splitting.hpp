/// The stepper of all splittings, which differ in their coefficients.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/stepper.hpp"

#include <memory>

namespace pleiad {

/// For Integrator::make.
std::unique_ptr<Stepper> make_splitting(SteppedState& state);

}  // namespace pleiad
