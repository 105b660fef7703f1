/// The bound systems of a star cluster at each time, a row for each orbit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"
#include "run/cluster_now.hpp"
#include "structure/measures.hpp"

#include <array>

namespace pleiad::run {
namespace {

constexpr std::string_view binaries_table = "binaries.csv";

class BinariesTable : public ClusterTable {
 public:
  explicit BinariesTable(AnalysedRun& run)
      : ClusterTable(run, binaries_table, [](const ClusterNow& c) {
          return with_time(structure::table_of(c.systems, c.measures, c.snapshot.bodies), c.snapshot.time);
        }) {}
};

constexpr std::array<std::string_view, 1> binaries_keys{"output.cluster_interval"};

}  // namespace

extern const Analysis analysis_binaries{.name = "binaries",
                                        .keys = binaries_keys,
                                        .table = binaries_table,
                                        .times = cluster_times,
                                        .make = make_output<BinariesTable>};

}  // namespace pleiad::run
