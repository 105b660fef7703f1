/// Ends a measurement early and keeps its rows.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/stop.hpp"

namespace pleiad::bench {

void until_stopped(Report& report, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const Stopped& stopped) {
    report.stopped = stopped.by;
  }
}

}  // namespace pleiad::bench
