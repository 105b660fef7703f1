#include "launcher.hpp"

#include "ranks/mpi.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

/// Environment variables with the number of ranks and the own rank: Open MPI, launchers with PMI (MPICH,
/// Intel MPI, srun --mpi=pmi2), srun with PMIx, whose number of ranks is in a variable of Slurm.
struct Names {
  const char *ranks, *rank;
};
constexpr std::array all_names{Names{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                               Names{"PMI_SIZE", "PMI_RANK"}, Names{"SLURM_NTASKS", "PMIX_RANK"}};

std::unique_ptr<ranks::Communicator>& comm() {
  static std::unique_ptr<ranks::Communicator> instance;
  return instance;
}

}  // namespace

Launched launched() {
  for (const auto& names : all_names) {
    const char *ranks = std::getenv(names.ranks), *rank = std::getenv(names.rank);
    if (ranks != nullptr && rank != nullptr) return {std::atoi(ranks), std::atoi(rank)};
  }
  return {};
}

void need_able_on_ranks(std::string_view command) {
  const int ranks = launched().ranks;
  if (ranks > 1 && command != "run")
    throw UsageError(
        fmt::format("{} ranks were started, and only `pleiad run` works with several; start "
                    "`pleiad {}` without mpirun",
                    ranks, command));
  if (ranks > 1 && !ranks::built_with_mpi)
    throw UsageError(
        fmt::format("{} ranks were started, and this program was built without MPI: each would "
                    "make the whole run; start it without mpirun, or build with PLEIAD_MPI=ON",
                    ranks));
}

ranks::Communicator* the_ranks() {
  if (!comm() && launched().ranks > 1 && ranks::built_with_mpi) comm() = ranks::start_mpi();
  return comm().get();
}

void end_ranks() { comm().reset(); }

void abandon_ranks(int exit_code, const std::function<void()>& tell) {
  const int rank = launched().rank;
  // mpirun ends all ranks when one ends with an error: rank 0 has to be heard before.
  if (rank > 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  tell();
  if (comm()) ranks::end_all_ranks(exit_code);
}

}  // namespace pleiad::app
