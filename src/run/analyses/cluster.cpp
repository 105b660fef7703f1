/// The core and the Lagrangian radii of a star cluster, a row at each time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"
#include "run/cluster_now.hpp"
#include "structure/measures.hpp"

#include <array>

namespace pleiad::run {
namespace {

constexpr std::string_view cluster_table = "cluster.csv";

class CoreTable : public ClusterTable {
 public:
  explicit CoreTable(AnalysedRun& run)
      : ClusterTable(run, cluster_table, [](const ClusterNow& c) {
          return structure::table_of(c.measures, c.systems, c.snapshot.time);
        }) {}
};

constexpr std::array<std::string_view, 1> cluster_keys{"output.cluster_interval"};

}  // namespace

extern const Analysis analysis_cluster{.name = "cluster",
                                       .keys = cluster_keys,
                                       .table = cluster_table,
                                       .times = cluster_times,
                                       .make = make_output<CoreTable>};

}  // namespace pleiad::run
