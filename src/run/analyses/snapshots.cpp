/// Snapshots of the bodies, in files of any format.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/universe.hpp"
#include "io/files/share.hpp"
#include "ranks/agree.hpp"
#include "run/analysis.hpp"
#include "run/comoving.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::run {

WriteOptions write_options_of(const Options& o, const Snapshot& first, ranks::Communicator& ranks) {
  WriteOptions how{.format = &format_named(o.output.snapshot_format),
                   .box_size = o.output.box_size,
                   .double_precision = o.output.snapshot_precision == "f64"};
  if (!how.double_precision && how.format->digits == Format::Digits::all)
    throw UsageError(fmt::format("output.snapshot_precision = \"f32\": a {} file has all digits; use hdf5",
                                 how.format->name));
  if (const auto& units = o.output.snapshot_units; units != "run")
    how.units = units == "auto" ? usual_units(*how.format, first.units) : units_named(units);
  if (o.cosmology.active()) how.universe = universe_in_files(o);
  // Refused here, not at the first snapshot.
  if (how.units) convert_time(first.time, first.units, *how.units);
  if (!how.universe) return need_writable(first, how, ranks), how;
  Snapshot peculiar = first;
  make_peculiar(peculiar);
  need_writable(peculiar, how, ranks);
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
  bool needs_potentials() const override { return wants_fields(); }
  Task begin() override {
    std::filesystem::path file;
    AtomicWrite place;
    ranks::agree(run_.ranks, [&] {
      if (run_.leads()) file = named(), place = run_.directory->how(file);
    });
    return {.copy = Task::Copy::changed, .fields = wants_fields(), .work = [=, this](Snapshot& s) {
              if (!has("potential")) s.potential.clear();
              if (!has("acceleration")) s.ax.clear(), s.ay.clear(), s.az.clear();
              if (how_.universe) make_peculiar(s);
              ranks::agree(run_.ranks, [&] { write_snapshot(file, std::move(s), how_, run_.ranks, place); });
              if (first_.empty()) first_ = file.string();
              last_ = file.string();
            }};
  }
  void save(Checkpoint& c) const override { c.extra["box_size"] = fmt::format("{:a}", how_.box_size); }
  Files files() const override { return {{"first_snapshot", first_}, {"last_snapshot", last_}}; }

 private:
  bool has(std::string_view field) const {
    return std::ranges::find(run_.options.output.snapshot_fields, field) !=
           run_.options.output.snapshot_fields.end();
  }
  bool wants_fields() const {
    return how_.format->wants_fields && !how_.universe && !run_.options.output.snapshot_fields.empty();
  }
  std::filesystem::path named() {
    const Format& format = *how_.format;
    auto file = run_.directory->numbered("snapshots/snapshot_", 3, format.ending, run_.simulation.time());
    if (!format.units_beside.empty()) run_.directory->file(fmt::format("snapshots/{}", format.units_beside));
    return file;
  }

  WriteOptions how_;  ///< units and box of all snapshots of the run
  std::string first_, last_;
};

constexpr std::array<std::string_view, 8> snapshots_keys{
    "output.snapshot_interval",  "output.snapshot_times", "output.snapshot_redshifts",
    "output.snapshot_format",    "output.snapshot_units", "output.box_size",
    "output.snapshot_precision", "output.snapshot_fields"};
constexpr std::array<std::string_view, 2> snapshots_files{"snapshots/snapshot_*", "snapshots/pleiad.param"};

}  // namespace

extern const Analysis analysis_snapshots{
    .name = "snapshots",
    .keys = snapshots_keys,
    .files = snapshots_files,
    .seconds = &OutputTimes::snapshots,
    .times =
        [](const Options& o) {
          const bool comoving = o.cosmology.active();
          const auto& z = o.output.snapshot_redshifts;
          return Times{.key = snapshots_keys[0],
                       .interval = o.output.snapshot_interval,
                       .times_key = snapshots_keys[comoving ? 2 : 1],
                       .times = comoving ? config::times_of_redshifts(z) : o.output.snapshot_times};
        },
    .make = make_output<Snapshots>};

}  // namespace pleiad::run
