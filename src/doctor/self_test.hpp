/// A small computation by a kernel, compared with a plain sum.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <functional>
#include <string>

namespace pleiad::doctor {

/// Evaluates a problem, whose spans are the host's.
using Evaluate = std::function<void(const PairProblem<F32>&)>;
/// Returns the error in the pulls of 1000 bodies in single precision, or "".
std::string wrong_pulls(const Evaluate& evaluate);

}  // namespace pleiad::doctor
