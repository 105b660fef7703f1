/// The exit codes of the command.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/end.hpp"

#include <pleiad/error.hpp>

namespace pleiad::app {

enum class Exit : int {
  done = 0,
  defect = 1,     ///< of the program
  usage = 2,      ///< wrong option, key or value
  bad_input = 3,  ///< the data are not usable
  resource = 4,   ///< memory, disk, permission, device
  numerical = 5,  ///< the simulation itself failed
  stopped = 75,   ///< ended early with a valid checkpoint, or with the rows so far
};

constexpr Exit exit_of(run::End end) { return end == run::End::done ? Exit::done : Exit::stopped; }
constexpr Exit exit_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::usage:
      return Exit::usage;
    case Error::Kind::input:
      return Exit::bad_input;
    case Error::Kind::resource:
      return Exit::resource;
    case Error::Kind::numerical:
      break;
  }
  return Exit::numerical;
}

}  // namespace pleiad::app
