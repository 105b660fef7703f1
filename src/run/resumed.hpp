/// The start of a resumed run: a validated checkpoint, and options with the permitted
/// changes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/directory.hpp"
#include "run/run.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/simulation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

struct Resumed {
  RunDirectory directory;
  Checkpoint checkpoint;
  Options options;
  std::vector<std::string> notes;
};

/// What `request.resume` names, if it does. UsageError for settings that may not change, InputError when no
/// checkpoint is whole or its state is none that a run can be in, ResourceError when the directory cannot be
/// used.
std::optional<Resumed> resumed_of(const Request& request);

/// The options of a run's checkpoint, with the settings of the request; errors as above.
Options resumed_options(const std::string& config, const Request& request, const std::string& origin);

/// InputError naming `origin` when a clock is none that a run with this method can have.
void need_sound(const Clock& clock, const Method& method, const std::string& origin);

}  // namespace pleiad::run
