#include "module/view.hpp"

#include "live/run_view.hpp"

#include <exception>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad::python {

View::View(Simulation& simulation, const ViewAsked& asked) {
  if (asked.port && (*asked.port < 0 || *asked.port > 65535))
    throw UsageError(fmt::format("port = {} must be 1 to 65535, or 0 for any that is free", *asked.port));
  view_ = std::make_unique<live::RunView>(
      live::RunViewOptions{.view_server = {.server = {.port = asked.port, .frames = asked.frames}},
                           .title = asked.title,
                           .control = asked.control,
                           .note = asked.note});
  view_->begin(std::numeric_limits<double>::quiet_NaN(), simulation, simulation.snapshot_meanwhile(false));
  view_->rest(simulation);
}

View::~View() = default;

template <class Work>
void View::with_view(const Work& work) const {
  const std::lock_guard lock(mutex_);
  if (view_) work(*view_);
}

std::string View::url() const {
  std::string url;
  with_view([&](const auto& view) { url = view.url(); });
  return url;
}

void View::close() {
  std::unique_ptr<live::RunView> closed;
  {
    const std::lock_guard lock(mutex_);
    if (view_) view_->leave();
    closed = std::move(view_);
  }
  // Its threads end here, without the lock: steps go on meanwhile.
}

void View::head_for(double end, Simulation& simulation) {
  with_view([&](auto& view) { view.head_for(end, simulation); });
}

void View::look(Simulation& simulation) {
  with_view([&](auto& view) { view.show(simulation); });
}

void View::rest(Simulation& simulation) noexcept {
  try {
    with_view([&](auto& view) { view.rest(simulation); });
  } catch (const std::exception&) {
    settle();  // for example without memory: the result of a call comes first
  }
}

bool View::recall() noexcept {
  bool again = false;
  with_view([&](auto& view) { again = view.recall(); });
  return again;
}

void View::offer(Simulation& simulation) {
  with_view([&](auto& view) { view.offer(simulation); });
}

void View::settle() noexcept {
  with_view([](auto& view) { view.settle(); });
}

void View::see(const Diagnostics& row) {
  with_view([&](auto& view) { view.see(row); });
}

void View::see(const ForceErrors& errors) {
  with_view([&](auto& view) { view.see(errors); });
}

double View::patience() const {
  double patience = std::numeric_limits<double>::infinity();
  with_view([&](const auto& view) { patience = view.patience(); });
  return patience;
}

View::Steps View::steps() {
  auto steps = Steps::on;
  with_view([&](auto& view) {
    const auto asked = view.steps();
    steps = view.stops()                       ? Steps::stop
            : asked == run::Viewer::Steps::on  ? Steps::on
            : asked == run::Viewer::Steps::one ? Steps::one
                                               : Steps::none;
  });
  return steps;
}

}  // namespace pleiad::python
