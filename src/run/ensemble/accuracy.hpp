/// The precision that the systems of an ensemble need, from the force errors at their start.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/ensemble.hpp>

#include <string>
#include <vector>

namespace pleiad::run {

/// Writes a better precision into the options where one system's forces need it, and why into the notes.
/// NumericalError when double precision is too rough. By the processor's kernels, wherever the systems will
/// be.
void settle_precision(Options& options, const std::vector<Member>& members, std::vector<std::string>& notes);

}  // namespace pleiad::run
