#include "run/outputs.hpp"

#include "io/files/share.hpp"
#include "ranks/agree.hpp"
#include "run/accuracy.hpp"
#include "run/stop.hpp"
#include "run/table.hpp"
#include "run/trails.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

namespace pleiad::run {

UsageError no_body_to_follow(std::uint64_t id, std::uint64_t least, std::uint64_t most) {
  return UsageError(fmt::format("output.trajectory_ids: there is no body with id {}; ids go from {} to {}",
                                id, least, most));
}

WriteOptions write_options_of(const Options& o, const Snapshot& first, ranks::Transport& ranks) {
  WriteOptions how{.format = &format_named(o.output.snapshot_format), .box_size = o.output.box_size};
  if (const auto& units = o.output.snapshot_units; units != "run")
    how.units = units == "auto" ? usual_units(*how.format, first.units) : units_named(units);
  // Refused here, not at the first snapshot.
  if (how.units) convert_time(first.time, first.units, *how.units);
  need_writable(first, how, ranks);
  return how;
}

Making making_in(RunDirectory& directory) {
  return {
      .place = [&](const std::filesystem::path& file) { return directory.how(file); },
      .stopped =
          [before = SignalWatch::received()] { return before.empty() && !SignalWatch::received().empty(); }};
}

namespace {

/// A row of the trajectory, on its way to rank 0.
struct FollowedRow {
  std::uint64_t place, id;
  Vec3<double> x, v;
};

bool make_plots(RunDirectory& directory, const Making& how, std::string& why) {
  for (const char* plot : {"energy.gp", "energy.png", "energy.svg", "radii.gp", "radii.png", "radii.svg"})
    directory.file(plot);
  return plot_diagnostics(directory.file(std::string(table_name)), directory.path(), why, how);
}

}  // namespace

void finish_pictures(const Options& options, RunDirectory& directory, Written& written) {
  const auto how = making_in(directory);
  const auto made = [&](const char* what, const auto& make) {
    std::string why;
    try {
      if (!how.stopped() && make(why)) return true;
    } catch (const ResourceError& e) {
      why = e.what();
    }
    if (how.stopped()) written.stopped_by = SignalWatch::received(), why = "stopped by " + written.stopped_by;
    written.notes.push_back(fmt::format("no {}: {}", what, why));
    return false;
  };
  if (options.output.plots &&
      made("plots", [&](std::string& why) { return make_plots(directory, how, why); })) {
    written.energy_plot = directory.file("energy.png").string();
    written.radii_plot = directory.file("radii.png").string();
  }
  if (options.output.movie && options.output.pictures) {
    const auto film = [&](std::string& why) {
      return make_movie(directory.path() / "pictures", directory.file("movie.mp4"), 25, why, how);
    };
    if (made("movie", film)) written.movie = directory.file("movie.mp4").string();
  }
}

Outputs::Outputs(const Options& o, Simulation& s, ranks::Transport& ranks, const ranks::Division& division)
    : options_(o),
      simulation_(s),
      ranks_(ranks),
      division_(division),
      schedules_(o, s),
      look_(o),
      energies_(ranks),
      copies_(s, ranks.ranks() == 1) {
  followed_ = trajectory_bodies();
  settle_snapshots();
}

void Outputs::open(RunDirectory* directory, const Checkpoint* resumed, std::vector<std::string>& notes) {
  directory_ = directory;
  if (leads()) open_files(resumed, notes);
  if (resumed == nullptr) return;
  energies_.restore(*resumed, simulation_.snapshot().bodies);
  if (leads()) restore_trails(*resumed, trails_);
  restore_number(*resumed, "box_size", snapshot_how_.box_size);
  if (const auto text = resumed->extra.find("picture"); text != resumed->extra.end())
    look_.restore(text->second);
}

void Outputs::open_files(const Checkpoint* resumed, std::vector<std::string>& notes) {
  const auto& o = options_;
  directory_->make_folder("snapshots");
  if (o.output.pictures) directory_->make_folder("pictures");
  const double now = simulation_.time();
  const std::string units = "# units: " + simulation_.snapshot().units.name;
  table_ = open_table(*directory_, table_name, resumed, now, &notes,
                      {units, energy_error_comment(simulation_.gravity().boundary), table_columns});
  written_.diagnostics = path(table_name).string();
  if (!o.output.trajectory_ids.empty()) {
    trajectory_ = open_table(*directory_, trajectory_name, resumed, now, &notes, {trajectory_columns});
    written_.trajectory = path(trajectory_name).string();
  }
  if (resumed != nullptr && resumed->appended_files.contains(std::string(accuracy_name)))
    begin_accuracy(resumed, &notes);
}

void Outputs::begin_accuracy(const Checkpoint* resumed, std::vector<std::string>* notes) {
  accuracy_.begin(*directory_, resumed, simulation_.time(), notes);
  written_.accuracy = path(accuracy_name).string();
}

void Outputs::write_accuracy(const ForceErrors& e) {
  if (!leads()) return;
  if (!accuracy_.begun()) begin_accuracy(nullptr, nullptr);
  accuracy_.add(simulation_, e);
}

std::function<void()> Outputs::save(Checkpoint& c) {
  constexpr std::array names{table_name, trajectory_name, accuracy_name};
  std::array<std::uint64_t, names.size()> bytes{};
  std::vector<AppendedFile*> tables;
  ranks::agree(ranks_, [&] {
    const std::array files{&table_, &trajectory_, &accuracy_.file()};
    for (std::size_t k = 0; k < files.size(); ++k)
      if (auto& table = *files[k]) bytes[k] = table->flush(), tables.push_back(&*table);
  });
  bytes = all_gather(ranks_, bytes).front();
  // A table has a first line.
  for (std::size_t k = 0; k < names.size(); ++k)
    if (bytes[k] > 0) c.appended_files[std::string(names[k])] = bytes[k];
  energies_.save(c);
  save_trails(trails_, c);
  if (auto trails = ranks::all_texts(ranks_, c.extra["trails"]).front(); !trails.empty())
    c.extra["trails"] = std::move(trails);
  else c.extra.erase("trails");
  c.extra["box_size"] = fmt::format("{:a}", snapshot_how_.box_size);
  return [&ranks = ranks_, tables = std::move(tables)] {
    ranks::agree(ranks, [&] {
      for (auto* table : tables) table->sync();
    });
  };
}

/// When all pictures that are due now are exposed, and none that are due later.
std::shared_future<std::string> Outputs::view_then() {
  auto view = std::make_shared<std::promise<std::string>>();
  auto text = view->get_future().share();
  copies_.start([this, view = std::move(view)] { view->set_value(look_.text()); });
  return text;
}

void Outputs::write_checkpoint(Checkpoint c, std::function<void(const Checkpoint&)> write) {
  std::shared_future<std::string> view;
  if (shine_) view = view_then();
  copies_.start(false, [this, c = std::move(c), view = std::move(view),
                        write = std::move(write)](Snapshot& now) mutable {
    try {
      // Rank 0 alone has exposed pictures.
      c.extra["picture"] = ranks::all_texts(ranks_, view.valid() ? view.get() : look_.text()).front();
    } catch (const std::future_error&) {
      return;  // A picture has failed: what was due after it is not written, and `wait` tells why.
    }
    const Timed writing(beside_.checkpoints);
    std::swap(c.snapshot, now);
    write(c);
    std::swap(c.snapshot, now);
  });
}

std::vector<Outputs::Followed> Outputs::trajectory_bodies() {
  const auto& wanted = options_.output.trajectory_ids;
  if (wanted.empty()) return {};
  std::unordered_map<std::uint64_t, std::size_t> where;
  const auto& ids = simulation_.snapshot().bodies.id;
  for (std::size_t i = 0; i < ids.size(); ++i) where[ids[i]] = i;
  std::vector<Followed> here;
  std::vector<std::uint64_t> found(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (const auto at = where.find(wanted[k]); at != where.end())
      here.push_back({k, at->second}), found[k] = 1;
  ranks_.sum(found);
  struct Range {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  } range;
  for (const auto id : ids) range = {std::min(range.least, id), std::max(range.most, id)};
  for (const auto& other : all_gather(ranks_, range))
    range = {std::min(range.least, other.least), std::max(range.most, other.most)};
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (found[k] == 0) throw no_body_to_follow(wanted[k], range.least, range.most);
  return here;
}

std::uint64_t Outputs::steps_to_trajectory() const {
  if (options_.output.trajectory_ids.empty()) return 0;
  const std::uint64_t every = options_.output.trajectory_every;
  return every - simulation_.step() % every;
}

void Outputs::write_trajectory() {
  if (options_.output.trajectory_ids.empty() || simulation_.step() % options_.output.trajectory_every != 0)
    return;
  const auto& s = simulation_.snapshot();
  const auto& b = s.bodies;
  std::vector<FollowedRow> own;
  for (const auto& [place, i] : followed_)
    own.push_back({place, b.id[i], b.position(i), {b.vx[i], b.vy[i], b.vz[i]}});
  auto rows = all_gather<FollowedRow>(ranks_, own).data;
  if (!leads()) return;
  std::ranges::sort(rows, {}, &FollowedRow::place);
  for (const auto& row : rows) trajectory_->append(trajectory_row(s.step, s.time, row.id, row.x, row.v));
}

void Outputs::follow_trails(bool due) {
  if (on_trails(options_, simulation_.step(), due) && leads() && options_.output.pictures &&
      division_.bodies <= Trails::most_bodies)
    trails_.add(simulation_.snapshot().bodies);
}

std::optional<Diagnostics> Outputs::write_due() {
  std::optional<Diagnostics> row;
  if (schedules_.rows.due(simulation_.clock())) {
    const Timed writing(waited_.rows);
    row = energies_.diagnose(simulation_);
    if (leads()) table_->append(row_of(*row));
  }
  auto due = files_due();
  if (due.needs_bodies()) {
    const Timed copying(due.has_snapshot ? waited_.snapshots : waited_.pictures);
    const bool fields = due.has_snapshot && needs_fields();
    copies_.start(fields, [this, due = std::move(due)](Snapshot& s) mutable { write(due, s); });
  } else if (due.has_picture) {
    const Timed waiting(waited_.pictures);
    copies_.start([this, due = std::move(due), time = simulation_.time()]() mutable {
      Snapshot none;
      none.time = time;
      write(due, none);
    });
  }
  return row;
}

Outputs::Due Outputs::files_due() {
  const auto& now = simulation_.clock();
  Due due;
  due.has_snapshot = schedules_.snapshots.due(now), due.has_picture = schedules_.picture_due(now);
  if (!due.has_snapshot && !due.has_picture) return due;
  ranks::agree(ranks_, [&] {
    if (leads()) name_files(due);
  });
  if (due.has_picture) {
    const Timed drawing(waited_.pictures);
    due.trails = trails_;
    if (!look_.settled)
      look_.settle(fit_view(simulation_.snapshot(), look_.view.axes, look_.view.size, ranks_));
    due.layers = begin_layers();
  }
  return due;
}

void Outputs::name_files(Due& due) {
  const double now = simulation_.time();
  if (due.has_snapshot) {
    const Format& format = *snapshot_how_.format;
    due.snapshot = directory_->numbered("snapshots/snapshot_", 3, format.ending, now);
    if (!format.units_beside.empty()) directory_->file(fmt::format("snapshots/{}", format.units_beside));
    due.snapshot_how = directory_->how(due.snapshot);
  }
  if (due.has_picture) {
    due.picture = directory_->numbered("pictures/frame_", 5, ".png", now);
    due.picture_how = directory_->how(due.picture);
  }
}

/// Empty where the host draws the picture from a copy of the bodies, as it does for several ranks.
std::function<splat::Layers()> Outputs::begin_layers() {
  if (ranks_.ranks() > 1 || simulation_.describe().gpus == 0 ||
      !drawn_of_layers(simulation_.size(), look_.view))
    return {};
  if (!shine_) shine_ = splat::shine_of(simulation_.snapshot().bodies);
  return simulation_.begin_layers(layers_for(look_.view, frame_.boundary, *shine_, simulation_.types()));
}

void Outputs::write(Due& due, Snapshot& snapshot) {
  double seconds = 0;
  {
    const Timed all(seconds);
    write_files(due, snapshot);
  }
  for (double before = slowest_; seconds > before && !slowest_.compare_exchange_weak(before, seconds);) {
  }
}

void Outputs::write_files(Due& due, Snapshot& snapshot) {
  if (due.has_picture) {
    const Timed drawing(beside_.pictures);
    write_picture(due, snapshot);
  }
  if (due.has_snapshot) {
    const Timed writing(beside_.snapshots);
    write_snapshot_file(due, std::move(snapshot));
  }
}

void Outputs::settle_snapshots() {
  const auto& first = simulation_.snapshot();
  frame_ = {.time = first.time, .units = first.units, .boundary = first.boundary};
  auto& how = snapshot_how_ = write_options_of(options_, first, ranks_);
  if (how.box_size < 0) how.box_size = automatic_box_size(first, how.units, ranks_);
}

void Outputs::write_snapshot_file(const Due& due, Snapshot&& snapshot) {
  const auto& file = due.snapshot;
  ranks::agree(ranks_,
               [&] { write_snapshot(file, std::move(snapshot), snapshot_how_, ranks_, due.snapshot_how); });
  if (written_.first_snapshot.empty()) written_.first_snapshot = file.string();
  written_.last_snapshot = file.string();
}

void Outputs::write_picture(Due& due, const Snapshot& s) {
  auto frame = frame_;
  frame.time = s.time;
  const auto image = due.layers ? render(due.layers(), frame, look_.view, look_.exposure)
                                : render(s, look_.view, look_.exposure, &due.trails, ranks_);
  ranks::agree(ranks_, [&] {
    if (leads()) write_png(due.picture, image, due.picture_how);
  });
  if (written_.first_picture.empty()) written_.first_picture = due.picture.string();
  written_.last_picture = due.picture.string();
}

void Outputs::finish() {
  wait();
  table_->flush_and_sync();
  if (trajectory_) trajectory_->flush_and_sync();
  if (auto& table = accuracy_.file()) table->flush_and_sync();
  finish_pictures(options_, *directory_, written_);
}

}  // namespace pleiad::run
