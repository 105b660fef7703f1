/// Snapshots of the bodies, in files of any format.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/share.hpp"
#include "ranks/agree.hpp"
#include "run/analysis.hpp"

#include <array>

#include <fmt/format.h>

namespace pleiad::run {

WriteOptions write_options_of(const Options& o, const Snapshot& first, ranks::Communicator& ranks) {
  WriteOptions how{.format = &format_named(o.output.snapshot_format), .box_size = o.output.box_size};
  if (const auto& units = o.output.snapshot_units; units != "run")
    how.units = units == "auto" ? usual_units(*how.format, first.units) : units_named(units);
  // Refused here, not at the first snapshot.
  if (how.units) convert_time(first.time, first.units, *how.units);
  need_writable(first, how, ranks);
  return how;
}

namespace {

class Snapshots : public Output {
 public:
  explicit Snapshots(AnalysedRun& run)
      : Output(run), how_(write_options_of(run.options, run.simulation.snapshot(), run.ranks)) {
    if (how_.box_size < 0)
      how_.box_size = automatic_box_size(run.simulation.snapshot(), how_.units, run.ranks);
  }
  void open(const Checkpoint*, std::vector<std::string>&) override {
    run_.directory->make_folder("snapshots");
  }
  void restore(const Checkpoint& c) override { restore_number(c, "box_size", how_.box_size); }
  bool needs_potentials() const override { return how_.format->wants_fields; }
  Task begin() override {
    std::filesystem::path file;
    AtomicWrite place;
    ranks::agree(run_.ranks, [&] {
      if (run_.leads()) file = named(), place = run_.directory->how(file);
    });
    return {.copy = Task::Copy::changed, .fields = how_.format->wants_fields, .work = [=, this](Snapshot& s) {
              ranks::agree(run_.ranks, [&] { write_snapshot(file, std::move(s), how_, run_.ranks, place); });
              if (first_.empty()) first_ = file.string();
              last_ = file.string();
            }};
  }
  void save(Checkpoint& c) const override { c.extra["box_size"] = fmt::format("{:a}", how_.box_size); }
  Files files() const override { return {{"first_snapshot", first_}, {"last_snapshot", last_}}; }

 private:
  std::filesystem::path named() {
    const Format& format = *how_.format;
    auto file = run_.directory->numbered("snapshots/snapshot_", 3, format.ending, run_.simulation.time());
    if (!format.units_beside.empty()) run_.directory->file(fmt::format("snapshots/{}", format.units_beside));
    return file;
  }

  WriteOptions how_;  ///< units and box of all snapshots of the run
  std::string first_, last_;
};

constexpr std::array<std::string_view, 5> snapshots_keys{"output.snapshot_interval", "output.snapshot_times",
                                                         "output.snapshot_format", "output.snapshot_units",
                                                         "output.box_size"};
constexpr std::array<std::string_view, 2> snapshots_files{"snapshots/snapshot_*", "snapshots/pleiad.param"};

}  // namespace

extern const Analysis analysis_snapshots{.name = "snapshots",
                                         .keys = snapshots_keys,
                                         .files = snapshots_files,
                                         .seconds = &OutputTimes::snapshots,
                                         .times =
                                             [](const Options& o) {
                                               return Times{.key = snapshots_keys[0],
                                                            .interval = o.output.snapshot_interval,
                                                            .times_key = snapshots_keys[1],
                                                            .times = o.output.snapshot_times};
                                             },
                                         .make = make_output<Snapshots>};

}  // namespace pleiad::run
