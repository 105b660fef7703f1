/// The trajectories of chosen bodies, in one table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view trajectory_table = "trajectory.csv";

/// A row of the trajectory, on its way to rank 0.
struct FollowedRow {
  std::uint64_t place, id;
  Vec3<double> x, v;
};

/// A body of this rank that the user follows: its index in the list, and among this rank's bodies.
struct Followed {
  std::size_t place, body;
};

/// `some_gone`: those that are not there have merged or were removed; else UsageError.
std::vector<Followed> followed_bodies(const std::vector<std::uint64_t>& wanted,
                                      const std::vector<std::uint64_t>& ids, ranks::Communicator& ranks,
                                      bool some_gone) {
  if (wanted.empty()) return {};
  std::unordered_map<std::uint64_t, std::size_t> where;
  for (std::size_t i = 0; i < ids.size(); ++i) where[ids[i]] = i;
  std::vector<Followed> here;
  std::vector<std::uint64_t> found(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (const auto at = where.find(wanted[k]); at != where.end())
      here.push_back({k, at->second}), found[k] = 1;
  if (some_gone) return here;
  ranks.sum(found);
  struct Range {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  } range;
  for (const auto id : ids) range = {std::min(range.least, id), std::max(range.most, id)};
  for (const auto& other : all_gather(ranks, range))
    range = {std::min(range.least, other.least), std::max(range.most, other.most)};
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (found[k] == 0)
      throw UsageError(fmt::format("output.trajectory_ids: there is no body with id {}; ids go from {} to {}",
                                   wanted[k], range.least, range.most));
  return here;
}

class Trajectory : public Output {
 public:
  explicit Trajectory(AnalysedRun& run)
      : Output(run),
        followed_(followed_bodies(run.options.output.trajectory_ids, run.simulation.snapshot().bodies.id,
                                  run.ranks,
                                  run.options.encounters.changes_bodies() && run.simulation.step() > 0)) {}
  void bodies_changed() override {
    followed_ = followed_bodies(run_.options.output.trajectory_ids, run_.simulation.snapshot().bodies.id,
                                run_.ranks, true);
  }
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    if (!run_.options.output.trajectory_ids.empty())
      open_table(trajectory_table, resumed, notes, {"step,time,id,x,y,z,vx,vy,vz"});
  }
  Task begin() override {
    const auto& s = run_.simulation.snapshot();
    const auto& b = s.bodies;
    std::vector<FollowedRow> own;
    for (const auto& [place, i] : followed_)
      own.push_back({place, b.id[i], b.position(i), {b.vx[i], b.vy[i], b.vz[i]}});
    auto rows = all_gather<FollowedRow>(run_.ranks, own).data;
    if (!run_.leads()) return {};
    std::ranges::sort(rows, {}, &FollowedRow::place);
    for (const auto& [place, id, x, v] : rows)
      table_->append(fmt::format("{},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}", s.step, s.time,
                                 id, x.x, x.y, x.z, v.x, v.y, v.z));
    return {};
  }

 private:
  std::vector<Followed> followed_;
};

constexpr std::array<std::string_view, 2> trajectory_keys{"output.trajectory_ids", "output.trajectory_every"};

}  // namespace

extern const Analysis analysis_trajectory{.name = "trajectory",
                                          .keys = trajectory_keys,
                                          .table = trajectory_table,
                                          .times =
                                              [](const Options& o) {
                                                return Times{.on = !o.output.trajectory_ids.empty(),
                                                             .steps = o.output.trajectory_every};
                                              },
                                          .make = make_output<Trajectory>};

}  // namespace pleiad::run
