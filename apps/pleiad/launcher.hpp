/// Environment of a launcher of several processes, mpirun or srun.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <functional>
#include <string_view>

namespace pleiad::app {

struct Launched {
  int ranks = 0;  ///< 0: no launcher, or one that does not report it
  int rank = 0;
};
Launched launched();

/// UsageError for a command that does not work on several ranks, and in a build without MPI, where each
/// process would do all the work.
void need_able_on_ranks(std::string_view command);

/// The other ranks, from the first call until end_ranks(); null where no launcher has started this process,
/// or in a build without MPI.
ranks::Communicator* the_ranks();
/// Waits for the other ranks. Called by all or by none: see abandon_ranks.
void end_ranks();
/// Ends all ranks, if there are any, after an error that the others need not know. `tell` reports the error:
/// on rank 0, and on another one if rank 0 has not ended all a second later.
void abandon_ranks(int exit_code, const std::function<void()>& tell);

}  // namespace pleiad::app
