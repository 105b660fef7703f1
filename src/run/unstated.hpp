/// Options that depend on the bodies unless the user sets them: the precision, and whether forces may go
/// without softening.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "direct/usual_precision.hpp"
#include "io/config/options.hpp"

#include <pleiad/snapshot.hpp>

#include <string>

namespace pleiad::run {

/// Writes the precision that "auto" comes to into the options, and returns why, for the first line of the
/// run;
/// "" for a stated one.
std::string settle_precision(Options& options, const MassShares& shares);

/// A softening that is not stated, neither by the user nor by a model that needs none.
struct Unstated {
  bool softening = false;
  double suggested = 0;  ///< by the model, in the units of the run; 0: nothing is
};
/// Finds unstated options before they are resolved.
Unstated unstated_in(const Options& options);
/// UsageError where a leapfrog, or Euler's method, would make the steps of many bodies without a softening
/// that anyone has stated. `bodies`: all of them or some, for the softening that is proposed.
void need_stated_softening(const Options& options, const Unstated& unstated, const MassShares& shares,
                           const Snapshot& bodies);

}  // namespace pleiad::run
