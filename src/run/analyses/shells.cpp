/// The shells of a star cluster between Lagrangian radii, at each time: mean masses and velocity dispersions.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"
#include "run/cluster_now.hpp"
#include "structure/measures.hpp"

#include <array>

namespace pleiad::run {
namespace {

constexpr std::string_view shells_table = "shells.csv";

class ShellsTable : public ClusterTable {
 public:
  explicit ShellsTable(AnalysedRun& run)
      : ClusterTable(run, shells_table, [](const ClusterNow& c) {
          return with_time(structure::table_of(c.measures), c.snapshot.time);
        }) {}
};

constexpr std::array<std::string_view, 1> shells_keys{"output.cluster_interval"};

}  // namespace

extern const Analysis analysis_shells{.name = "shells",
                                      .keys = shells_keys,
                                      .table = shells_table,
                                      .times = cluster_times,
                                      .make = make_output<ShellsTable>};

}  // namespace pleiad::run
