/// Whether measured forces are too inaccurate for the request, and the next better precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/precision.hpp>

#include <string>

namespace pleiad::control {

/// The error that 99 % of the bodies may have: the accuracy asked for, else what counts as exact of direct
/// sums.
double allowed_error(double accuracy);
/// Whether the arithmetic is too rough: direct sums beyond what is allowed, a tree whose closest neighbours
/// pull each other wrongly. (A tree's percentile is a matter of its dial.)
bool too_rough(const ForceErrors& errors, double accuracy, bool by_a_tree);
/// "0.05 (0.04 to 0.06)": the 99th percentile with its interval, which has no width where all are measured.
std::string percentile_of(const ForceErrors& errors);
/// "the force error is 0.05 (0.04 to 0.06) for 99 % of the bodies, 1 at worst of 2000".
std::string words_of(const ForceErrors& errors);
/// NumericalError when bodies are so close that sums in double precision are no measure.
void need_separation(const ForceErrors& errors, double eps);
/// NumericalError with these errors, in this precision, and why nothing better is taken.
[[noreturn]] void refuse(const ForceErrors& errors, Precision precision, double accuracy,
                         const std::string& why);
/// The next better precision; NumericalError when there is none.
Precision better(Precision precision, const ForceErrors& errors, double accuracy);

}  // namespace pleiad::control
