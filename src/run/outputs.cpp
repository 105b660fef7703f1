#include "run/outputs.hpp"

#include "io/files/share.hpp"
#include "run/accuracy.hpp"
#include "run/stop.hpp"
#include "run/table.hpp"
#include "run/trails.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace pleiad::run {

UsageError no_body_to_follow(std::uint64_t id, std::uint64_t least, std::uint64_t most) {
  return UsageError(fmt::format("output.trajectory_ids: there is no body with id {}; ids go from {} to {}",
                                id, least, most));
}

WriteOptions write_options_of(const Options& o, const Snapshot& first, ranks::Transport* ranks) {
  WriteOptions how{.format = &format_named(o.output.snapshot_format), .box_size = o.output.box_size};
  if (const auto& units = o.output.snapshot_units; units != "run")
    how.units = units == "auto" ? usual_units(*how.format, first.units) : units_named(units);
  // Refused here, not at the first snapshot.
  if (how.units) convert_time(first.time, first.units, *how.units);
  ranks == nullptr ? need_writable(first, how) : need_writable(first, how, *ranks);
  return how;
}

Making making_in(RunDirectory& directory) {
  return {
      .place = [&](const std::filesystem::path& file) { return directory.how(file); },
      .stopped =
          [before = SignalWatch::received()] { return before.empty() && !SignalWatch::received().empty(); }};
}

namespace {

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

Outputs::Outputs(const Options& o, Simulation& s)
    : options_(o), simulation_(s), schedules_(o, s), look_(o), copies_(s) {
  if (!o.output.trajectory_ids.empty()) followed_ = trajectory_bodies();
  settle_snapshots();
}

void Outputs::open(RunDirectory& directory, const Checkpoint* resumed, std::vector<std::string>& notes) {
  const auto& o = options_;
  directory_ = &directory;
  directory.make_folder("snapshots");
  if (o.output.pictures) directory.make_folder("pictures");
  const std::string units = "# units: " + simulation_.snapshot().units.name;
  table_ = open_table(directory, table_name, resumed, simulation_.time(), &notes,
                      {units, energy_error_comment(simulation_.gravity().boundary), table_columns});
  written_.diagnostics = path(table_name).string();
  if (!followed_.empty()) {
    trajectory_ =
        open_table(directory, trajectory_name, resumed, simulation_.time(), &notes, {trajectory_columns});
    written_.trajectory = path(trajectory_name).string();
  }
  if (resumed == nullptr) return;
  if (resumed->appended_files.contains(std::string(accuracy_name))) begin_accuracy(resumed, &notes);
  energies_.restore(*resumed, simulation_.snapshot().bodies);
  restore_trails(*resumed, trails_);
  restore_number(*resumed, "box_size", snapshot_how_.box_size);
  if (const auto text = resumed->extra.find("picture"); text != resumed->extra.end())
    look_.restore(text->second);
}

void Outputs::begin_accuracy(const Checkpoint* resumed, std::vector<std::string>* notes) {
  accuracy_.begin(*directory_, resumed, simulation_.time(), notes);
  written_.accuracy = path(accuracy_name).string();
}

void Outputs::write_accuracy(const ForceErrors& e) {
  if (!accuracy_.begun()) begin_accuracy(nullptr, nullptr);
  accuracy_.add(simulation_, e);
}

std::function<void()> Outputs::save(Checkpoint& c) {
  std::vector<AppendedFile*> tables;
  const auto flush = [&](std::string_view name, std::optional<AppendedFile>& table) {
    if (!table) return;
    c.appended_files[std::string(name)] = table->flush();
    tables.push_back(&*table);
  };
  flush(table_name, table_), flush(trajectory_name, trajectory_), flush(accuracy_name, accuracy_.file());
  energies_.save(c);
  save_trails(trails_, c);
  c.extra["box_size"] = fmt::format("{:a}", snapshot_how_.box_size);
  return [tables = std::move(tables)] {
    for (auto* table : tables) table->sync();
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
      c.extra["picture"] = view.valid() ? view.get() : look_.text();
    } catch (const std::future_error&) {
      return;  // A picture has failed: what was due after it is not written, and `wait` tells why.
    }
    const Timed writing(beside_.checkpoints);
    std::swap(c.snapshot, now);
    write(c);
    std::swap(c.snapshot, now);
  });
}

std::vector<std::size_t> Outputs::trajectory_bodies() {
  std::unordered_map<std::uint64_t, std::size_t> where;
  const auto& ids = simulation_.snapshot().bodies.id;
  for (std::size_t i = 0; i < ids.size(); ++i) where[ids[i]] = i;
  std::vector<std::size_t> found;
  for (const auto id : options_.output.trajectory_ids) {
    const auto at = where.find(id);
    if (at == where.end())
      throw no_body_to_follow(id, *std::ranges::min_element(ids), *std::ranges::max_element(ids));
    found.push_back(at->second);
  }
  return found;
}

std::uint64_t Outputs::steps_to_trajectory() const {
  if (!trajectory_) return 0;
  const std::uint64_t every = options_.output.trajectory_every;
  return every - simulation_.step() % every;
}

void Outputs::write_trajectory() {
  if (!trajectory_ || simulation_.step() % options_.output.trajectory_every != 0) return;
  const auto& s = simulation_.snapshot();
  for (const auto i : followed_)
    trajectory_->append(trajectory_row(s.step, s.time, s.bodies.id[i], s.bodies.position(i),
                                       {s.bodies.vx[i], s.bodies.vy[i], s.bodies.vz[i]}));
}

void Outputs::follow_trails(bool due) {
  if (on_trails(options_, simulation_.step(), due) && options_.output.pictures &&
      simulation_.size() <= Trails::most_bodies)
    trails_.add(simulation_.snapshot().bodies);
}

std::optional<Diagnostics> Outputs::write_due() {
  std::optional<Diagnostics> row;
  if (schedules_.rows.due(simulation_.clock())) {
    const Timed writing(waited_.rows);
    table_->append(row_of(*(row = energies_.diagnose(simulation_))));
  }
  auto due = files_due();
  if (due.needs_bodies()) {
    const Timed copying(due.snapshot.empty() ? waited_.pictures : waited_.snapshots);
    const bool fields = !due.snapshot.empty() && needs_fields();
    copies_.start(fields, [this, due = std::move(due)](Snapshot& s) mutable { write(due, s); });
  } else if (!due.picture.empty()) {
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
  if (const Format& format = *snapshot_how_.format; schedules_.snapshots.due(now)) {
    due.snapshot = directory_->numbered("snapshots/snapshot_", 3, format.ending, now.time);
    if (!format.units_beside.empty()) directory_->file(fmt::format("snapshots/{}", format.units_beside));
    due.snapshot_how = directory_->how(due.snapshot);
  }
  if (schedules_.picture_due(now)) {
    const Timed drawing(waited_.pictures);
    due.picture = directory_->numbered("pictures/frame_", 5, ".png", now.time);
    due.picture_how = directory_->how(due.picture);
    due.trails = trails_;
    if (!look_.settled) look_.settle(fit_view(simulation_.snapshot(), look_.view.axes, look_.view.size));
    due.layers = begin_layers();
  }
  return due;
}

std::function<splat::Layers()> Outputs::begin_layers() {
  if (simulation_.describe().gpus == 0 || !drawn_of_layers(simulation_.size(), look_.view)) return {};
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
  if (!due.picture.empty()) {
    const Timed drawing(beside_.pictures);
    write_picture(due, snapshot);
  }
  if (!due.snapshot.empty()) {
    const Timed writing(beside_.snapshots);
    write_snapshot_file(due, std::move(snapshot));
  }
}

void Outputs::settle_snapshots() {
  const auto& first = simulation_.snapshot();
  frame_ = {.time = first.time, .units = first.units, .boundary = first.boundary};
  auto& how = snapshot_how_ = write_options_of(options_, first);
  if (how.box_size < 0) how.box_size = automatic_box_size(first, how.units);
}

void Outputs::write_snapshot_file(const Due& due, Snapshot&& snapshot) {
  const auto& file = due.snapshot;
  write_snapshot(file, std::move(snapshot), snapshot_how_, due.snapshot_how);
  if (written_.first_snapshot.empty()) written_.first_snapshot = file.string();
  written_.last_snapshot = file.string();
}

void Outputs::write_picture(Due& due, const Snapshot& s) {
  auto frame = frame_;
  frame.time = s.time;
  write_png(due.picture,
            due.layers ? render(due.layers(), frame, look_.view, look_.exposure)
                       : render(s, look_.view, look_.exposure, &due.trails),
            due.picture_how);
  if (written_.first_picture.empty()) written_.first_picture = due.picture.string();
  written_.last_picture = due.picture.string();
}

void Outputs::finish() {
  wait();
  table_->flush_and_sync();
  if (trajectory_) trajectory_->flush_and_sync();
  finish_pictures(options_, *directory_, written_);
}

}  // namespace pleiad::run
