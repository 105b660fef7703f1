/// The table of events: closest approaches, collisions, escapes, mergers and removals, and what became of the
/// bound systems of a star cluster from one look at it to the next.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/event.hpp"
#include "ranks/agree.hpp"
#include "run/analysis.hpp"
#include "run/cluster_now.hpp"
#include "structure/system_changes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view events_table = "events.csv";
constexpr const char* systems_name = "bound_systems";

/// Columns of a run that looks at a star cluster, beyond those of encounters.
constexpr std::string_view system_columns = ",id3,stars,semi_major_axis,eccentricity,hardness";
constexpr std::string_view no_system = ",,,,,";

/// A row. Where the system has ended its orbit is the last that was seen, and its place is not known.
std::string row_of_system(const structure::SystemEvent& event, const ClusterNow& now) {
  const auto& s = event.system;
  auto row = fmt::format("{},{},{},{},{}", now.snapshot.time, now.snapshot.step,
                         structure::system_change_names.at(std::size_t(event.change)), s.id_1, s.id_2);
  if (s.number) {
    const auto& found = now.systems.systems[*s.number];
    const auto centre = found.together();
    row += fmt::format(",{},{},{},{},{},{},{},{},{},{}", norm(found.second.position - found.first.position),
                       norm(found.second.velocity - found.first.velocity), s.mass_1, s.mass_2,
                       centre.position.x, centre.position.y, centre.position.z, centre.velocity.x,
                       centre.velocity.y, centre.velocity.z);
  } else {
    row += fmt::format(",,,{},{},,,,,,", s.mass_1, s.mass_2);
  }
  row += fmt::format(",{},,,,", -now.snapshot.G * (s.mass_1 + s.mass_2) / (2 * s.semi_major_axis));
  return row + fmt::format(",{},{},{},{},{}", event.left ? fmt::format("{}", *event.left) : "",
                           s.stars.size(), s.semi_major_axis, s.eccentricity, s.hardness);
}

class EventsTable : public Output {
 public:
  explicit EventsTable(AnalysedRun& run) : Output(run) { need_cluster(run); }
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    if (!run_.options.encounters.active() && !looks()) return;
    open_table(events_table, resumed, notes,
               {std::string(encounters::event_columns) + std::string(looks() ? system_columns : "")});
  }
  void take(std::span<const encounters::Event> events) override {
    if (!run_.leads()) return;
    for (const auto& event : events)
      table_->append(encounters::row_of(event) + std::string(looks() ? no_system : ""));
  }
  Task begin() override {
    const auto& now = cluster_now(run_);
    if (!run_.leads()) return {};
    const auto& bodies = now.snapshot.bodies;
    auto systems = structure::known_systems(now.systems, bodies, now.measures.kT);
    if (before_) {
      auto ids = bodies.id;
      std::ranges::sort(ids);
      for (const auto& event : structure::system_changes(*before_, systems, ids))
        table_->append(row_of_system(event, now));
    }
    before_ = std::move(systems);
    return {};
  }
  void save(Checkpoint& c) const override {
    if (!looks()) return;
    const auto text = ranks::first_text(run_.ranks, before_ ? structure::text_of(*before_) : "");
    if (!text.empty()) c.extra[systems_name] = text;
  }
  void restore(const Checkpoint& c) override {
    if (const auto found = c.extra.find(systems_name); looks() && run_.leads() && found != c.extra.end())
      before_ = structure::known_systems_in(found->second);
  }

 private:
  bool looks() const { return run_.options.output.cluster_interval > 0; }
  std::optional<std::vector<structure::KnownSystem>> before_;  ///< at the last look; on rank 0
};

constexpr std::array<std::string_view, 11> events_keys{
    "encounters.distance",    "encounters.radius",        "encounters.density",
    "encounters.radii",       "encounters.escape_radius", "encounters.on_approach",
    "encounters.escape_unit", "encounters.escape_centre", "encounters.on_collision",
    "encounters.on_escape",   "output.cluster_interval"};

}  // namespace

extern const Analysis analysis_events{.name = "events",
                                      .keys = events_keys,
                                      .table = events_table,
                                      .times = cluster_times,
                                      .make = make_output<EventsTable>};

}  // namespace pleiad::run
