/// Seconds of a monotonic clock.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace pleiad {

/// Since some moment in the past.
inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds that `work` takes.
template <class Work>
double seconds_of(Work&& work) {
  const double start = seconds();
  work();
  return seconds() - start;
}

}  // namespace pleiad
