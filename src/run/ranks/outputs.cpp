#include "run/ranks/outputs.hpp"

#include "io/files/share.hpp"
#include "ranks/agree.hpp"
#include "run/accuracy.hpp"
#include "run/table.hpp"
#include "run/trails.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// A row of the trajectory, on its way.
struct FollowedRow {
  std::uint64_t place, id;
  Vec3<double> x, v;
};

}  // namespace

RanksOutputs::RanksOutputs(const Options& o, Simulation& s, ranks::Transport& transport,
                           const ranks::Division& division)
    : options_(o),
      simulation_(s),
      transport_(transport),
      division_(division),
      schedules_(o, s),
      look_(o),
      energies_(&transport) {
  if (!o.output.trajectory_ids.empty()) find_followed();
  const auto& first = s.snapshot();
  snapshot_how_ = write_options_of(o, first, &transport);
  if (snapshot_how_.box_size < 0)
    snapshot_how_.box_size = automatic_box_size(first, snapshot_how_.units, transport);
}

void RanksOutputs::find_followed() {
  const auto& wanted = options_.output.trajectory_ids;
  const auto& ids = simulation_.snapshot().bodies.id;
  std::unordered_map<std::uint64_t, std::size_t> where;
  for (std::size_t i = 0; i < ids.size(); ++i) where[ids[i]] = i;
  std::vector<std::uint64_t> found(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (const auto at = where.find(wanted[k]); at != where.end())
      followed_.push_back({k, at->second}), found[k] = 1;
  transport_.sum(found);
  struct Range {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  } range;
  for (const auto id : ids) range = {std::min(range.least, id), std::max(range.most, id)};
  for (const auto& other : all_gather(transport_, range))
    range = {std::min(range.least, other.least), std::max(range.most, other.most)};
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (found[k] == 0) throw no_body_to_follow(wanted[k], range.least, range.most);
}

void RanksOutputs::open(RunDirectory* directory, const Checkpoint* resumed, std::vector<std::string>& notes) {
  directory_ = directory;
  if (leads()) {
    directory_->make_folder("snapshots");
    if (options_.output.pictures) directory_->make_folder("pictures");
    const double now = simulation_.time();
    const std::string units = "# units: " + simulation_.snapshot().units.name;
    table_ = open_table(*directory_, table_name, resumed, now, &notes,
                        {units, energy_error_comment(simulation_.gravity().boundary), table_columns});
    written_.diagnostics = path(table_name).string();
    if (!options_.output.trajectory_ids.empty()) {
      trajectory_ = open_table(*directory_, trajectory_name, resumed, now, &notes, {trajectory_columns});
      written_.trajectory = path(trajectory_name).string();
    }
    if (resumed != nullptr && resumed->appended_files.contains(std::string(accuracy_name)))
      begin_accuracy(resumed, &notes);
  }
  if (resumed == nullptr) return;
  energies_.restore(*resumed, simulation_.snapshot().bodies);
  if (leads()) restore_trails(*resumed, trails_);
  restore_number(*resumed, "box_size", snapshot_how_.box_size);
  if (const auto text = resumed->extra.find("picture"); text != resumed->extra.end())
    look_.restore(text->second);
}

void RanksOutputs::begin_accuracy(const Checkpoint* resumed, std::vector<std::string>* notes) {
  accuracy_.begin(*directory_, resumed, simulation_.time(), notes);
  written_.accuracy = path(accuracy_name).string();
}

void RanksOutputs::write_accuracy(const ForceErrors& errors) {
  if (!leads()) return;
  if (!accuracy_.begun()) begin_accuracy(nullptr, nullptr);
  accuracy_.add(simulation_, errors);
}

std::uint64_t RanksOutputs::steps_to_trajectory() const {
  if (options_.output.trajectory_ids.empty()) return 0;
  const std::uint64_t every = options_.output.trajectory_every;
  return every - simulation_.step() % every;
}

void RanksOutputs::write_trajectory() {
  if (options_.output.trajectory_ids.empty() || simulation_.step() % options_.output.trajectory_every != 0)
    return;
  const auto& s = simulation_.snapshot();
  const auto& b = s.bodies;
  std::vector<FollowedRow> own;
  for (const auto& [place, i] : followed_)
    own.push_back({place, b.id[i], b.position(i), {b.vx[i], b.vy[i], b.vz[i]}});
  auto rows = all_gather<FollowedRow>(transport_, own).data;
  if (!leads()) return;
  std::ranges::sort(rows, {}, &FollowedRow::place);
  for (const auto& row : rows) trajectory_->append(trajectory_row(s.step, s.time, row.id, row.x, row.v));
}

/// Few bodies are all on rank 0, which draws.
void RanksOutputs::follow_trails(bool due) {
  if (on_trails(options_, simulation_.step(), due) && leads() && options_.output.pictures &&
      division_.bodies <= Trails::most_bodies)
    trails_.add(simulation_.snapshot().bodies);
}

std::optional<Diagnostics> RanksOutputs::write_due(OutputTimes& waited) {
  const auto& now = simulation_.clock();
  std::optional<Diagnostics> row;
  if (schedules_.rows.due(now)) {
    const Timed writing(waited.rows);
    row = energies_.diagnose(simulation_);
    if (leads()) table_->append(row_of(*row));
  }
  const bool picture = schedules_.picture_due(now), snapshot = schedules_.snapshots.due(now);
  if (!picture && !snapshot) return row;
  auto own = state_now(snapshot && snapshot_how_.format->wants_fields);
  if (picture) {
    const Timed drawing(waited.pictures);
    write_picture(own);
  }
  if (snapshot) {
    const Timed writing(waited.snapshots);
    write_snapshot_file(std::move(own));
  }
  return row;
}

Snapshot RanksOutputs::state_now(bool fields) {
  Snapshot now;
  simulation_.snapshot_meanwhile(fields)(now);
  return now;
}

std::filesystem::path RanksOutputs::name_of(const std::function<std::filesystem::path()>& make) {
  std::filesystem::path name;
  ranks::agree(transport_, [&] {
    if (leads()) name = make();
  });
  return name;
}

void RanksOutputs::write_picture(const Snapshot& own) {
  const auto file = name_of([&] { return directory_->numbered("pictures/frame_", 5, ".png", own.time); });
  if (!look_.settled) look_.settle(fit_view(own, look_.view.axes, look_.view.size, transport_));
  auto trails = trails_;
  const auto image = render(own, look_.view, look_.exposure, &trails, transport_);
  ranks::agree(transport_, [&] {
    if (leads()) write_png(file, image, directory_->how(file));
  });
  if (written_.first_picture.empty()) written_.first_picture = file.string();
  written_.last_picture = file.string();
}

void RanksOutputs::write_snapshot_file(Snapshot&& own) {
  const auto& format = *snapshot_how_.format;
  const auto file = name_of([&] {
    if (!format.units_beside.empty()) directory_->file(fmt::format("snapshots/{}", format.units_beside));
    return directory_->numbered("snapshots/snapshot_", 3, format.ending, own.time);
  });
  ranks::agree(transport_, [&] {
    const auto how = leads() ? directory_->how(file) : AtomicWrite{};
    write_snapshot(file, std::move(own), snapshot_how_, transport_, how);
  });
  if (written_.first_snapshot.empty()) written_.first_snapshot = file.string();
  written_.last_snapshot = file.string();
}

void RanksOutputs::save(Checkpoint& c) {
  std::array<std::uint64_t, 3> bytes{};
  ranks::agree(transport_, [&] {
    if (!leads()) return;
    directory_->need_same();
    bytes[0] = table_->flush_and_sync();
    if (trajectory_) bytes[1] = trajectory_->flush_and_sync();
    if (auto& table = accuracy_.file()) bytes[2] = table->flush_and_sync();
    directory_->sync();
  });
  bytes = all_gather(transport_, bytes).front();
  c.appended_files[std::string(table_name)] = bytes[0];
  if (!options_.output.trajectory_ids.empty()) c.appended_files[std::string(trajectory_name)] = bytes[1];
  if (bytes[2] > 0) c.appended_files[std::string(accuracy_name)] = bytes[2];
  energies_.save(c);
  Checkpoint drawn;
  if (leads()) save_trails(trails_, drawn);
  if (const auto trails = ranks::all_texts(transport_, drawn.extra["trails"]).front(); !trails.empty())
    c.extra["trails"] = trails;
  c.extra["box_size"] = fmt::format("{:a}", snapshot_how_.box_size);
  // Rank 0 alone has drawn.
  c.extra["picture"] = ranks::all_texts(transport_, look_.text()).front();
}

void RanksOutputs::finish() {
  if (!leads()) return;
  table_->flush_and_sync();
  if (trajectory_) trajectory_->flush_and_sync();
  if (auto& table = accuracy_.file()) table->flush_and_sync();
  finish_pictures(options_, *directory_, written_);
}

}  // namespace pleiad::run
