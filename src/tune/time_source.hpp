/// The clock of all measurements: that of the machine, or that of a test, so that no test depends on other
/// load of the machine.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"

namespace pleiad::tune {

/// Seconds since some moment in the past.
using TimeSource = double (*)();

/// Seconds that `work` takes.
template <class Work>
double seconds_of(Work&& work, TimeSource clock) {
  const double start = clock();
  work();
  return clock() - start;
}

}  // namespace pleiad::tune
