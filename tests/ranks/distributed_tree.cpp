/// A tree on the ranks of mpirun, each with two threads, against the same tree in one process, which every
/// rank has for itself: the same bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "domain/distributed_tree.hpp"

#include "core/threads.hpp"
#include "ranks/mpi.hpp"

#include <pleiad/models.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace pleiad;

std::vector<Mass<double>> cluster() {
  const std::array<std::string, 1> settings{"n=8000"};
  const auto bodies = make_model("plummer", settings, 1).bodies;
  std::vector<Mass<double>> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = bodies.position(i);
    all.push_back({at.x, at.y, at.z, bodies.mass[i]});
  }
  return all;
}

/// Whether a rank's sums are, after `evaluations`, those of one process.
bool agrees(ranks::Communicator& comm, const TreeSettings& settings, int evaluations) {
  const auto all = cluster();
  std::vector<Vec4<double>> expected(all.size());
  make_tree_solver<Mixed>(settings)->evaluate(
      {.targets = all, .sources = all, .sums = expected, .softening = {0.001}, .potential = true});
  const auto begin = [&](int rank) { return all.size() * std::size_t(rank) / std::size_t(comm.ranks()); };
  const auto first = begin(comm.rank()), n = begin(comm.rank() + 1) - first;
  std::vector<Vec4<double>> sums(n);
  const auto tree = domain::make_distributed_tree<Mixed>(comm, settings);
  const auto own = std::span(all).subspan(first, n);
  for (int k = 0; k < evaluations; ++k)
    tree->evaluate({.targets = own, .sources = own, .sums = sums, .softening = {0.001}, .potential = true});
  return std::memcmp(sums.data(), &expected[first], n * sizeof(sums[0])) == 0;
}

}  // namespace

int main() try {
  set_threads(2);
  const auto comm = ranks::start_mpi();
  for (const auto& settings :
       {TreeSettings{.order = 4}, TreeSettings{.solver = Solver::barnes_hut, .order = 2},
        TreeSettings{.order = 4, .mac = Mac::error, .tolerance = 1e-3}})
    if (!ranks::all(*comm, agrees(*comm, settings, 2))) {
      if (comm->rank() == 0) std::fprintf(stderr, "other bits: %s\n", text_of(settings).c_str());
      return 1;
    }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "distributed_tree: %s\n", e.what());
  pleiad::ranks::end_all_ranks(1);
}
