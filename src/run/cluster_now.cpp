#include "run/cluster_now.hpp"

#include "ranks/agree.hpp"
#include "ranks/gather.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace pleiad::run {

const ClusterNow& cluster_now(AnalysedRun& run) {
  if (run.cluster) return *run.cluster;
  const auto& here = run.simulation.snapshot();
  auto found = std::make_shared<ClusterNow>();
  auto& s = found->snapshot;
  s.time = here.time, s.step = here.step, s.units = here.units, s.G = here.G, s.boundary = here.boundary;
  s.bodies = ranks::gather_bodies(run.ranks, here.bodies);
  ranks::agree(run.ranks, [&] {
    if (!run.leads()) return;
    std::vector<std::size_t> all(s.bodies.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    found->systems = structure::find_systems(s, all);
    found->measures = structure::measure_cluster(s, found->systems);
  });
  run.cluster = std::move(found);
  return *run.cluster;
}

Times cluster_times(const Options& o) {
  return {.on = o.output.cluster_interval > 0,
          .key = "output.cluster_interval",
          .interval = o.output.cluster_interval};
}

void need_cluster(AnalysedRun& run) {
  if (!(run.options.output.cluster_interval > 0)) return;
  if (run.simulation.gravity().boundary.periodic)
    throw UsageError(
        "output.cluster_interval: a star cluster is in open space, and these bodies are in a periodic box");
  const auto& mass = run.simulation.snapshot().bodies.mass;
  const std::size_t here(std::ranges::count_if(mass, [](double m) { return m > 0; }));
  if (ranks::sum(run.ranks, std::uint64_t(here)) == 0)
    throw UsageError("output.cluster_interval: no body has mass, so there is no star cluster");
}

ClusterTable::ClusterTable(AnalysedRun& run, std::string_view name, Make make)
    : Output(run), name_(name), make_(make) {
  need_cluster(run);
}

void ClusterTable::open(const Checkpoint* resumed, std::vector<std::string>& notes) {
  if (!(run_.options.output.cluster_interval > 0)) return;
  const auto columns = make_({});
  const auto units = profiles::units_of(columns, run_.simulation.snapshot().units);
  open_table(name_, resumed, notes,
             {units.empty() ? "" : "# columns: " + units, profiles::names_of(columns)});
}

Output::Task ClusterTable::begin() {
  const auto& now = cluster_now(run_);
  if (!run_.leads()) return {};
  const auto columns = make_(now);
  for (std::size_t row = 0; row < columns.rows(); ++row) table_->append(profiles::row_of(columns, row));
  return {};
}

profiles::Columns with_time(profiles::Columns columns, double time) {
  const auto rows = columns.rows();
  columns.all.insert(
      columns.all.begin(),
      {.name = "time", .quantity = profiles::Quantity::time, .values = std::vector<double>(rows, time)});
  return columns;
}

}  // namespace pleiad::run
