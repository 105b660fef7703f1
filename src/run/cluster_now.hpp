/// The star cluster of a run at the present moment, found once for all tables about it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiles/columns.hpp"
#include "run/analysis.hpp"
#include "structure/cluster.hpp"
#include "structure/systems.hpp"

#include <pleiad/snapshot.hpp>

#include <string_view>

namespace pleiad::run {

/// On rank 0; empty on the others.
struct ClusterNow {
  Snapshot snapshot;  ///< of all bodies
  structure::Systems systems;
  structure::ClusterMeasures measures;
};

/// Gathers the bodies and measures them, once at each moment. Collective.
const ClusterNow& cluster_now(AnalysedRun& run);

/// When the tables of a cluster are due.
Times cluster_times(const Options& options);
/// UsageError if there can be no cluster: in a periodic box, or without mass. Collective.
void need_cluster(AnalysedRun& run);

/// A table with rows at those times, whose columns follow from the cluster.
class ClusterTable : public Output {
 public:
  using Make = profiles::Columns (*)(const ClusterNow&);
  ClusterTable(AnalysedRun& run, std::string_view name, Make make);
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override;
  Task begin() override;

 private:
  std::string_view name_;
  Make make_;
};

/// The same columns with the time before them.
profiles::Columns with_time(profiles::Columns columns, double time);

}  // namespace pleiad::run
