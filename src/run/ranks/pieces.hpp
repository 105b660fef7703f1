/// Checkpoints of several ranks: a piece of each rank, in the format of a checkpoint, and one manifest, which
/// is written last and names every piece by its hash. So a mixture of generations is never loaded.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"
#include "ranks/division.hpp"

#include <pleiad/checkpoint.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pleiad {
class OpenFolder;
}

namespace pleiad::run {

/// Whether several ranks have left a checkpoint there.
bool has_pieces(const std::filesystem::path& directory);
/// All names that `ranks` ranks write in turn: two generations are kept and one is being written.
std::vector<std::string> names_of_pieces(int ranks);

/// Writes a checkpoint, `own` with this rank's bodies and with all else alike on all ranks; the earlier one
/// is kept. Collective; ResourceError on all ranks when it could not be written: then the earlier ones are
/// still whole.
void save_pieces(ranks::Communicator& comm, const std::shared_ptr<const OpenFolder>& directory,
                 const Checkpoint& own);

struct LoadedPieces {
  Checkpoint checkpoint;  ///< with the bodies that the division gives this rank
  ranks::Division division;
  std::string warning;  ///< why an older generation was used
};
/// Loads the newest generation that is whole, written by any number of ranks. Collective; InputError on all
/// ranks when none is.
LoadedPieces load_pieces(ranks::Communicator& comm, const std::filesystem::path& directory);

}  // namespace pleiad::run
