#include "run/ensemble/outputs.hpp"

#include "engine/added_forces.hpp"
#include "ensemble/potentials.hpp"
#include "io/durable/paths.hpp"
#include "io/files/share.hpp"
#include "potentials/host_field.hpp"
#include "render/render.hpp"
#include "run/analysis.hpp"
#include "run/energy_record.hpp"
#include "run/ensemble/record.hpp"
#include "run/ensemble/table.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view times_name = "ensemble_times.csv";
constexpr const char* massless_section = "ensemble_massless";

/// A schedule on the steps of the first system; those of all others must meet it too.
Schedule common(std::string_view key, const Ensemble& e, double interval, const std::vector<double>& times,
                double t_end) {
  std::set<double> steps;
  for (std::size_t k = 1; k < e.size(); ++k)
    if (const auto& m = e.method(k); !m.adaptive && m.dt != e.method(0).dt && steps.insert(m.dt).second)
      Schedule(key, e.clock(k), m, interval, times, t_end);
  return {key, e.clock(0), e.method(0), interval, times, t_end};
}

/// Possible axes of the plot: varied numbers, whose values can be drawn as cells of a grid with even steps.
std::vector<EnsembleAxis> axes_of(const Scan& scan, const Options& o) {
  std::vector<EnsembleAxis> axes;
  for (const auto& v : scan.varied()) {
    if (!v.numbers || v.values.size() == 1) continue;
    EnsembleAxis axis{.name = v.key, .step = 0, .logarithmic = v.logarithmic};
    std::vector<double> values;
    for (const auto& text : v.values) values.push_back(std::strtod(text.c_str(), nullptr));
    if (o.ensemble.scan == "grid" && o.ensemble.count < 2 && values.size() > 1) {
      axis.step = std::abs(values[1] - values[0]);
      for (std::size_t i = 1; i < values.size(); ++i)
        if (!(std::abs(std::abs(values[i] - values[i - 1]) - axis.step) <= 1e-6 * axis.step)) axis.step = 0;
    }
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace

EnsembleOutputs::EnsembleOutputs(const Options& o, const Scan& scan, Ensemble& e,
                                 std::vector<History> histories)
    : options_(o),
      scan_(scan),
      ensemble_(e),
      histories_(std::move(histories)),
      diagnostics_(common("output.diagnostics_interval", e, o.output.diagnostics_interval, {}, o.time.t_end)),
      snapshots_(common("output.snapshot_interval", e, o.output.snapshot_interval, o.output.snapshot_times,
                        o.time.t_end)) {
  histories_.resize(e.size());
  massless_.resize(e.size());
  for (const auto k : o.ensemble.save)
    if (k >= e.size())
      throw UsageError(
          fmt::format("ensemble.save: there is no system {}; they go from 0 to {}", k, e.size() - 1));
  // Refused here, not at the first snapshot.
  if (o.output.snapshot_units != "auto") (void)write_options_of(o, e.snapshot(0));
  for (const auto k : o.ensemble.save) (void)write_options_of(o, e.snapshot(k));
  if (o.ensemble.final_states) (void)write_options_of(o, all_states());
}

void EnsembleOutputs::open(RunDirectory& directory, const Checkpoint* resumed,
                           std::vector<std::string>& notes) {
  directory_ = &directory;
  if (!options_.ensemble.save.empty()) directory.make_folder("snapshots");
  const auto file = path(times_name);
  files_.emplace_back("times", file.string());
  if (resumed != nullptr) {
    if (const auto all = resumed->extra.find(massless_section); all != resumed->extra.end())
      restore_massless(all->second);
    const auto kept = resumed->appended_files.find(std::string(times_name));
    if (kept != resumed->appended_files.end() && has_entry(file)) {
      times_ = AppendedFile::resume(file, kept->second, directory.how(file));
      return;
    }
    notes.push_back(fmt::format("'{}' is missing: it begins anew, its earlier rows are lost", file.string()));
  }
  times_ = AppendedFile::create(file, directory.how(file));
  times_->append(times_head());
}

Moment EnsembleOutputs::next_after(const Moment& now) const {
  const Moment diagnostics = diagnostics_.next_after(now), snapshot = snapshots_.next_after(now);
  return !options_.ensemble.save.empty() && diagnostics_.before(snapshot, diagnostics) ? snapshot
                                                                                       : diagnostics;
}

void EnsembleOutputs::diagnose_all() {
  std::vector<std::size_t> due;
  // One that has been given up is looked at once more, where it stands.
  for (std::size_t k = 0; k < histories_.size(); ++k)
    if (const auto& h = histories_[k]; h.diagnosed == 0 || h.last.step != ensemble_.clock(k).step)
      due.push_back(k);
  const auto found = ensemble_.diagnose(due);
  for (std::size_t i = 0; i < due.size(); ++i) {
    const auto k = due[i];
    auto& h = histories_[k];
    h.add(found[i], ensemble_.gravity(k).boundary.periodic);
    look_at_massless(k);
    const bool conserved = pattern_speed_of(ensemble_.gravity(k)) == 0;
    const double limit = energy_limit(options_, ensemble_.method(k));
    if (!std::isfinite(h.last.energies.total())) ensemble_.retire(k, MemberStatus::not_finite);
    else if (limit > 0 &&
             ((conserved && !(std::abs(h.energy_error()) <= limit)) || massless_beyond(k, limit)))
      ensemble_.retire(k, MemberStatus::energy_limit);
    else if (options_.ensemble.stop_at_escape && h.last.escapers > 0)
      ensemble_.retire(k, MemberStatus::escaped);
  }
}

void EnsembleOutputs::look_at_massless(std::size_t k) {
  auto& massless = massless_[k];
  if (massless.counted() && !massless.any()) return;
  const auto now = ensemble_.snapshot(k);
  if (!massless.counted()) massless.count(now.bodies);
  if (!massless.any()) return;
  const auto& gravity = ensemble_.gravity(k);
  auto potential = mutual_potentials(now.bodies, gravity);
  const bool external = !gravity.potentials.empty() || !gravity.forces.empty();
  const potentials::HostField field(gravity.potentials, gravity.G, now.time);
  const auto effects = added_effects(gravity, now.bodies, now.time);
  if (external)
    for (std::size_t i = 0; i < potential.size(); ++i)
      potential[i] += field.at(now.bodies.position(i)).potential + effects[i].w;
  massless.look(now.bodies, potential,
                external ? std::nullopt : std::optional(centre_of_mass(now.bodies).velocity),
                pattern_speed_of(gravity));
}

bool EnsembleOutputs::massless_beyond(std::size_t k, double limit) const {
  const auto& change = massless_[k].change();
  return change && change->conserved && !(change->p99 <= limit);
}

void EnsembleOutputs::write_due(const Moment& now) {
  if (diagnostics_.due(now)) {
    diagnose_all();
    times_->append(times_row(now.time, ensemble_, histories_, massless_));
  }
  if (snapshots_.due(now)) write_snapshots(now);
}

Snapshot EnsembleOutputs::all_states() const {
  Snapshot all = ensemble_.snapshot(0);
  all.bodies = all_bodies(ensemble_);
  std::iota(all.bodies.id.begin(), all.bodies.id.end(), std::uint64_t{0});
  return all;
}

void EnsembleOutputs::write_snapshots(const Moment& now) {
  const Format& format = format_named(options_.output.snapshot_format);
  if (!format.units_beside.empty()) path(fmt::format("snapshots/{}", format.units_beside));
  for (const auto k : options_.ensemble.save) {
    const auto file =
        directory_->numbered(fmt::format("snapshots/member_{:06}_", k), 3, format.ending, now.time);
    auto state = ensemble_.snapshot(k);
    const auto how = write_options_of(options_, state);
    write_snapshot(file, std::move(state), how, directory_->how(file));
  }
}

void EnsembleOutputs::save(Checkpoint& c) {
  c.appended_files[std::string(times_name)] = times_->flush_and_sync();
  save_ensemble(c, ensemble_, histories_);
  std::string all;
  for (const auto& massless : massless_) {
    const auto bytes = massless.bytes();
    const std::uint64_t size = bytes.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof size);
    all += bytes;
  }
  if (all.size() > sizeof(std::uint64_t) * massless_.size()) c.extra[massless_section] = std::move(all);
}

void EnsembleOutputs::restore_massless(const std::string& all) {
  std::string_view left = all;
  for (std::size_t k = 0; k < massless_.size(); ++k) {
    std::uint64_t size = 0;
    if (left.size() >= sizeof size)
      std::memcpy(&size, left.data(), sizeof size), left.remove_prefix(sizeof size);
    if (size > left.size())
      throw InputError("the checkpoint does not hold the energies of its massless bodies");
    if (size > 0) massless_[k].restore(std::string(left.substr(0, size)), ensemble_.snapshot(k).bodies);
    left.remove_prefix(size);
  }
}

void EnsembleOutputs::finish(bool at_end) {
  times_->flush_and_sync();
  files_.emplace_back("table", path("ensemble.csv").string());
  if (options_.ensemble.json) files_.emplace_back("table as JSON", path("ensemble.json").string());
  write_table(*directory_, scan_, ensemble_, histories_, massless_, options_.ensemble.json);
  if (options_.ensemble.final_states && at_end) {
    Snapshot all = all_states();
    all.time = options_.time.t_end;
    const auto options = write_options_of(options_, all);
    const Format& format = *options.format;
    if (!format.units_beside.empty()) path(format.units_beside);
    const auto file = path(fmt::format("final_states{}", format.ending));
    write_snapshot(file, std::move(all), options, directory_->how(file));
    files_.emplace_back("final states", file.string());
  }
  if (options_.output.plots) {
    std::string why;
    try {
      for (const char* plot : {"ensemble.gp", "ensemble.png", "ensemble.svg"}) path(plot);
      if (plot_ensemble(directory_->path(), axes_of(scan_, options_), ensemble_.snapshot(0).units,
                        options_.time.t_end, why, making_in(*directory_)))
        files_.emplace_back("plot", path("ensemble.png").string());
    } catch (const ResourceError& e) {
      why = e.what();
    }
    if (!why.empty()) notes_.push_back("no plot: " + why);
  }
  if (!options_.ensemble.save.empty())
    files_.emplace_back("snapshots", (directory_->path() / "snapshots").string());
}

}  // namespace pleiad::run
