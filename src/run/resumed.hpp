/// The start of a resumed run: a validated checkpoint, and options with the permitted
/// changes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/division.hpp"
#include "ranks/self.hpp"
#include "run/directory.hpp"
#include "run/run.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/simulation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

struct Resumed {
  std::optional<RunDirectory> directory{};  ///< of rank 0, if the run goes on
  Checkpoint checkpoint{};                  ///< with the bodies of this rank
  ranks::Division division{};               ///< of the bodies
  bool pieces = false;                      ///< several ranks have written it: see pieces.hpp
  Options options{};
  std::vector<std::string> notes{};
};

/// Loads the checkpoint that `request.resume` names, if it does. `goes_on`: takes the directory for the run;
/// else nothing in it changes and another process may have it. Collective over `ranks`. UsageError for
/// settings that may not change, InputError if no checkpoint is complete or its state is impossible,
/// ResourceError if the directory cannot be used.
std::optional<Resumed> resumed_of(const Request& request, ranks::Communicator& ranks = ranks::self(),
                                  bool goes_on = true);

/// The name under which a checkpoint of a full step has the time until which outputs beyond it are written.
inline constexpr const char* written_name = "written_until";
/// That time, if there are such outputs. InputError naming `origin` for one that is not after the step.
std::optional<double> written_until(const Checkpoint& checkpoint, const std::string& origin);

/// InputError naming `origin` when a clock is none that a run with this method can have.
void need_sound(const Clock& clock, const Method& method, const std::string& origin);

}  // namespace pleiad::run
