/// Ranks that are processes, by MPI. Only the library pleiad_ranks_mpi is linked with MPI; a build without
/// it has no_mpi.cpp instead.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <memory>
#include <string>

namespace pleiad::ranks {

/// Whether this build has MPI.
extern const bool built_with_mpi;
/// The library's name and version in one line, "Open MPI 4.1.4"; "" without MPI.
std::string mpi_version();

/// Starts MPI; once in a process. MPI ends with the object, which every rank must destroy. If a rank ends
/// without, for example by an exception, MPI ends all ranks. ResourceError in a build without MPI. `most`:
/// bytes of one message; longer ones are sent in pieces.
std::unique_ptr<Communicator> start_mpi(std::size_t most = std::size_t{1} << 30);
/// Ends all ranks, this one included, with this exit code.
[[noreturn]] void end_all_ranks(int exit_code);

}  // namespace pleiad::ranks
