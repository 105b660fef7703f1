/// The table of encounters: closest approaches, collisions, escapes, mergers and removals.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/event.hpp"
#include "run/analysis.hpp"

#include <array>

namespace pleiad::run {
namespace {

constexpr std::string_view events_table = "events.csv";

class EventsTable : public Output {
 public:
  using Output::Output;
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    if (run_.options.encounters.active())
      open_table(events_table, resumed, notes, {encounters::event_columns});
  }
  void take(std::span<const encounters::Event> events) override {
    if (!run_.leads()) return;
    for (const auto& event : events) table_->append(encounters::row_of(event));
  }
};

constexpr std::array<std::string_view, 8> events_keys{
    "encounters.distance",      "encounters.radius",      "encounters.density",      "encounters.radii",
    "encounters.escape_radius", "encounters.on_approach", "encounters.on_collision", "encounters.on_escape"};

}  // namespace

extern const Analysis analysis_events{
    .name = "events", .keys = events_keys, .table = events_table, .make = make_output<EventsTable>};

}  // namespace pleiad::run
