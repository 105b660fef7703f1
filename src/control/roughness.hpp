/// Whether measured forces are too inaccurate for the request, and the next better precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/demand.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/precision.hpp>

#include <string>

namespace pleiad::control {

/// Limits of the error of 99 % of the bodies, by the upper end of its interval.
struct Limits {
  double asked = 0;    ///< error that the accuracy parameter of a tree is set for
  double better = 0;   ///< above this a tighter accuracy parameter or a better precision is taken
  double refused = 0;  ///< above this a run ends where nothing better is left
  bool accuracy_asked = false;
  bool tree = false;
};
/// Limits for a demand: the requested accuracy, if there is one. Without one a tree may have 1e-2, and direct
/// sums 1e-5 before a better precision is taken, 1e-2 before a run is refused. If theta, a tolerance or a
/// kernel is stated only an error above 1 is refused.
Limits limits_of(const Demand& demand, bool by_a_tree);

/// Whether the arithmetic is too rough: direct sums beyond the limit, a tree whose closest neighbours exert
/// wrong forces on each other. (The percentile of a tree depends on its accuracy parameter.)
bool too_rough(const ForceErrors& errors, const Limits& limits);
/// Whether a tree's accuracy parameter is too loose.
bool too_loose(const ForceErrors& errors, const Limits& limits);
/// Whether a run may go on although nothing better is left: the errors of the bodies whose pulls do not
/// cancel are below the limit.
bool bearable(const ForceErrors& errors, const Limits& limits);
/// "0.05 (0.04 to 0.06)": the 99th percentile with its interval, which has no width where all are measured.
std::string percentile_of(const ForceErrors& errors);
/// "the force error is 0.05 (0.04 to 0.06) for 99 % of the bodies, 1 at worst of 2000", and for how many
/// bodies the rounding of direct sums is the measure.
std::string words_of(const ForceErrors& errors);
/// NumericalError when bodies are so close that sums in double precision are no measure.
void need_separation(const ForceErrors& errors, double eps);
/// NumericalError with these errors, in this precision, and why nothing better is taken.
[[noreturn]] void refuse(const ForceErrors& errors, Precision precision, const Limits& limits,
                         const std::string& why);
/// The next better precision; NumericalError when there is none.
Precision better(Precision precision, const ForceErrors& errors, const Limits& limits);

}  // namespace pleiad::control
