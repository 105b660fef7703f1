#include "live.hpp"

#include "core/clock.hpp"
#include "core/print.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

constexpr double pause_between_status = 0.5;    ///< seconds
constexpr double longest_unwatched_pause = 30;  ///< seconds

std::optional<int> port_of(const std::string& text) {
  if (text.empty() || text == "true") return std::nullopt;
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port < 0 || port > 65535)
    throw UsageError(
        fmt::format("--live={}: a port is a number from 1 to 65535, or 0 for any that is free", text));
  return port;
}

live::StageOptions stage_options(const LiveArguments& a) {
  return {.server = server_options(a), .record = a.record};
}

}  // namespace

void add_live_options(Command command, LiveArguments& a) {
  command.add_flag_with_value(
      "--live", a.live,
      "show the run in a browser on this machine, at --live=PORT or any port; prints the "
      "address");
  command.add_flag("--live-control", a.control, "the browser may pause, step and stop the run");
  command.add_option("--live-address", a.address,
                     "listen at this numeric address instead of this machine alone: not encrypted");
  command.add_option("--live-record", a.record, "also write what is shown to a file, for pleiad view");
}

void check(const LiveArguments& a) {
  if (!a.live.empty()) return;
  for (const auto& [given, name] :
       {std::pair{a.control, "--live-control"}, std::pair{!a.address.empty(), "--live-address"},
        std::pair{!a.record.empty(), "--live-record"}})
    if (given) throw UsageError(fmt::format("{} needs --live", name));
}

live::ServerOptions server_options(const LiveArguments& a) {
  return {.address = a.address, .port = port_of(a.live)};
}

void announce(const live::Stage& stage, const std::string& address) {
  if (!address.empty())
    print_err(
        "pleiad: warning: the live view listens at {} without encryption: whoever reads the network reads "
        "its token; 127.0.0.1 with an ssh tunnel is safe\n",
        address);
  print_err("pleiad: live view at {}\n", stage.url());
}

LiveRun::LiveRun(const LiveArguments& a, std::string title)
    : control_(a.control), title_(std::move(title)), address_(a.address), stage_(stage_options(a)) {}

void LiveRun::begin(const Options& options, Simulation& simulation) {
  const auto& now = simulation.snapshot();
  stage_.open({.title = title_,
               .bodies = now.bodies.size(),
               .softening = simulation.gravity().softening.eps,
               .boundary = now.boundary,
               .units = now.units,
               .control = control_});
  status_.step = simulation.step(), status_.time = simulation.time(), status_.end = options.time.t_end;
  told_time_ = simulation.time();
  told_step_ = simulation.step();
  told_at_ = seconds();
  tell_status(simulation);
  give(simulation);
  announce(stage_, address_);
}

void LiveRun::give(Simulation& simulation) {
  const double start = seconds();
  auto take = simulation.snapshot_meanwhile(false);
  stage_.give(std::move(take), seconds() - start, on_host_);
}

void LiveRun::tell_status(const Simulation& simulation) {
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
    if (pace > 0) status_.seconds_left = std::max(0.0, (status_.end - status_.time) / pace);
    told_at_ = now, told_step_ = status_.step, told_time_ = status_.time;
  }
  stage_.tell(status_);
}

void LiveRun::see(const ForceErrors& errors) { status_.force_error = {{errors.median, errors.p99}}; }

void LiveRun::look(Simulation& simulation) {
  status_.step = simulation.step(), status_.time = simulation.time();
  if (just_changed_ || seconds() - told_at_ >= pause_between_status) {
    just_changed_ = false;
    tell_status(simulation);
  }
  if (stage_.wants_bodies()) give(simulation);
}

void LiveRun::hear() {
  for (const auto& demand : stage_.demands()) {
    const auto* control = std::get_if<live::Control>(&demand);
    if (control == nullptr) continue;
    just_changed_ = true;
    watched_at_ = seconds();
    if (*control == live::Control::stop) stops_ = true;
    else if (*control == live::Control::step) paused_ = true, ++steps_asked_;
    else paused_ = *control == live::Control::pause, steps_asked_ = 0;
  }
}

LiveRun::Steps LiveRun::steps() {
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
    stage_.tell(status_);
  }
  stage_.await_demand(moment);
  told_at_ = seconds();
  return Steps::none;
}

/// A browser that paused the run may be lost before it can say "resume". The run does not wait for it
/// forever.
void LiveRun::go_on_unwatched() {
  const double now = seconds();
  if (stage_.watched()) watched_at_ = now;
  if (now - watched_at_ < longest_unwatched_pause) return;
  paused_ = false, just_changed_ = true;
  print_err("pleiad: live view: the run was paused and no browser has been connected for {} s; it goes on\n",
            longest_unwatched_pause);
}

bool LiveRun::stops() {
  hear();
  return stops_;
}

void LiveRun::end(Simulation& simulation, bool stopped) {
  stage_.settle();
  give(simulation);
  status_.step = simulation.step(), status_.time = simulation.time();
  status_.state = stopped ? "stopped" : "ended", status_.seconds_left.reset();
  stage_.tell(status_);
}

void LiveRun::settle() noexcept {
  try {
    stage_.settle();
  } catch (const std::exception&) {
  }
}

}  // namespace pleiad::app
