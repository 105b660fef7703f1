/// Ends a measurement early and keeps its rows.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/report.hpp"

#include <functional>
#include <string>

namespace pleiad::bench {

/// Thrown by a Progress when the user wants no more, as by Ctrl-C.
struct Stopped {
  std::string by;  ///< "SIGINT"
};

/// Runs `measure`, which adds rows to `report`. When it is stopped, the rows stay and `report.stopped` says
/// by what: publish() then writes them and ends with the exit code of what stopped early.
void until_stopped(Report& report, const std::function<void()>& measure);

}  // namespace pleiad::bench
