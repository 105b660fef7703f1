#include "live/run_view.hpp"

#include "core/clock.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace pleiad::live {
namespace {

constexpr double pause_between_status = 0.5;    ///< seconds
constexpr double shortest_rest = 0.05;          ///< seconds between two calls from which pages are notified
constexpr double longest_unwatched_pause = 30;  ///< seconds

}  // namespace

RunView::RunView(const RunViewOptions& options)
    : control_(options.control),
      title_(options.title),
      note_(options.note),
      view_server_(options.view_server) {}

void RunView::begin(double end, Simulation& simulation, Take bodies) {
  const auto& now = simulation.snapshot();
  view_server_.open({.title = title_,
                     .bodies = simulation.size_on_all_ranks(),
                     .softening = simulation.gravity().softening.eps,
                     .boundary = now.boundary,
                     .units = now.units,
                     .follow = travels(simulation.gravity()),
                     .control = control_});
  head_for(end, simulation);
  // Memory is made for the first copy. No step waits for it.
  give(std::move(bodies), 0);
}

void RunView::head_for(double end, Simulation& simulation) {
  const bool told = !recall();
  hear();
  stops_ = false;
  status_.end = end;
  watched_at_ = seconds();
  if (!told) return;  // the last call ended just now, and pages need no notice
  status_.step = told_step_ = simulation.step(), status_.time = told_time_ = simulation.time();
  told_at_ = seconds();
  tell_status(simulation);
}

void RunView::rest(Simulation& simulation) {
  settle();
  note_place(simulation);
  offer(simulation);
}

bool RunView::recall() { return view_server_.recall(); }

void RunView::offer(Simulation& simulation) {
  auto resting = status_;
  resting.state = "waiting", resting.seconds_left.reset();
  view_server_.offer([&simulation](Snapshot& to) { simulation.snapshot_meanwhile(false)(to); }, resting,
                     shortest_rest);
}

void RunView::leave() {
  (void)recall();
  settle();
  status_.state = "ended", status_.seconds_left.reset();
  view_server_.tell(status_);
}

/// Pages get the position of the simulation now and then.
void RunView::note_place(const Simulation& simulation) {
  status_.step = simulation.step(), status_.time = simulation.time();
  if (!just_changed_ && seconds() - told_at_ < pause_between_status) return;
  just_changed_ = false;
  tell_status(simulation);
}

void RunView::show(Simulation& simulation) {
  look(simulation);
  if (!wants_bodies()) return;
  const double start = seconds();
  auto bodies = simulation.snapshot_meanwhile(false);
  give(std::move(bodies), seconds() - start);
}

void RunView::tell_status(const Simulation& simulation) {
  const auto engine = simulation.describe();
  on_host_ = engine.gpus == 0;
  status_.solver = fmt::format("{}, {}", engine.kernel(), engine.precision);
  status_.device = engine.device;
  status_.state = paused_ ? "paused" : "running";
  const double now = seconds(), passed = now - told_at_;
  if (passed > 0.1) {
    status_.steps_per_second = static_cast<double>(status_.step - told_step_) / passed;
    const double pace = (status_.time - told_time_) / passed;
    status_.seconds_left.reset();
    if (pace > 0 && std::isfinite(status_.end))
      status_.seconds_left = std::max(0.0, (status_.end - status_.time) / pace);
    told_at_ = now, told_step_ = status_.step, told_time_ = status_.time;
  }
  view_server_.tell(status_);
}

void RunView::see(const ForceErrors& errors) { status_.force_error = {{errors.median, errors.p99}}; }

/// The view server writes the end of the recording.
RunView::~RunView() {
  try {
    view_server_.close();
    note_cut();
  } catch (const std::exception&) {
  }
}

void RunView::note_cut() {
  if (const auto why = view_server_.cut(); !why.empty() && note_)
    note_(fmt::format("live view: the recording ends here: {}", why));
}

void RunView::hear() {
  note_cut();
  for (const auto& demand : view_server_.demands()) {
    const auto* control = std::get_if<Control>(&demand);
    if (control == nullptr) continue;
    just_changed_ = true;
    watched_at_ = seconds();
    if (*control == Control::stop) stops_ = true;
    else if (*control == Control::step) paused_ = true, ++steps_asked_;
    else paused_ = *control == Control::pause, steps_asked_ = 0;
  }
}

RunView::Steps RunView::steps() {
  constexpr double moment = 0.05;
  hear();
  if (paused_) go_on_unwatched();
  if (!paused_) return Steps::on;
  if (steps_asked_ > 0) {
    --steps_asked_;
    just_changed_ = true;
    return Steps::one;
  }
  if (std::exchange(just_changed_, false)) {
    status_.state = "paused", status_.steps_per_second = 0, status_.seconds_left.reset();
    view_server_.tell(status_);
  }
  view_server_.await_demand(moment);
  told_at_ = seconds();
  return Steps::none;
}

/// A browser that paused the run may be lost before it can send "resume". The run does not wait for it
/// forever.
void RunView::go_on_unwatched() {
  const double now = seconds();
  if (view_server_.watched()) watched_at_ = now;
  if (now - watched_at_ < longest_unwatched_pause) return;
  paused_ = false, just_changed_ = true;
  if (note_)
    note_(fmt::format("live view: the run was paused and no browser has been connected for {} s; it goes on",
                      longest_unwatched_pause));
}

bool RunView::stops() {
  hear();
  return stops_;
}

void RunView::end(Simulation& simulation, bool stopped, Take bodies) {
  view_server_.settle();
  give(std::move(bodies), 0);
  status_.step = simulation.step(), status_.time = simulation.time();
  status_.state = stopped ? "stopped" : "ended", status_.seconds_left.reset();
  view_server_.tell(status_);
}

void RunView::settle() noexcept {
  try {
    view_server_.settle();
  } catch (const std::exception&) {
  }
}

}  // namespace pleiad::live
