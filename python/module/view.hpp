/// A simulation of Python in a browser: messages from its steps to the view, and requests of the view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/simulation.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace pleiad::live {
class RunView;
}

namespace pleiad::python {

struct ViewAsked {
  std::optional<int> port{};
  bool control = false, frames = false;
  std::string title{};
  std::function<void(const std::string&)> note{};
};

/// It may be closed at any time, by any thread. While the simulation is not in use the view updates itself; a
/// user of the simulation recalls it first.
class View {
 public:
  /// Serves, and shows the simulation as it is. Errors are those of the command.
  View(Simulation& simulation, const ViewAsked& asked);
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View();

  /// Empty when it is closed.
  std::string url() const;
  void close();

  /// Announces steps to the time `end`; NaN: unknown.
  void head_for(double end, Simulation& simulation);
  void look(Simulation& simulation);
  void rest(Simulation& simulation) noexcept;
  /// Before the simulation is used; true: `offer` it afterwards.
  bool recall() noexcept;
  void offer(Simulation& simulation);
  /// Waits until no copy is on its way: before the simulation may change its engine.
  void settle() noexcept;
  void see(const Diagnostics& row);
  void see(const ForceErrors& errors);
  /// Seconds until it needs the next update.
  double patience() const;

  enum class Steps { on, one, none, stop };
  /// The number of steps that may follow. It may wait a moment before it returns `none`, and is called again.
  Steps steps();

 private:
  /// Calls work(view) unless it is closed.
  template <class Work>
  void with_view(const Work& work) const;

  mutable std::mutex mutex_;
  std::unique_ptr<live::RunView> view_;
};

/// Notifies a view for the duration of a call that makes steps. The view may be null.
class Viewed {
 public:
  Viewed(View* view, double end, Simulation& simulation) : view_(view), simulation_(simulation) {
    if (view_ != nullptr) view_->head_for(end, simulation_);
  }
  ~Viewed() {
    if (view_ != nullptr) view_->rest(simulation_);
  }
  Viewed(const Viewed&) = delete;
  Viewed& operator=(const Viewed&) = delete;

 private:
  View* view_;
  Simulation& simulation_;
};

/// Keeps a view, which may be null, from looking while the simulation is used.
class Used {
 public:
  Used(View* view, Simulation& simulation)
      : view_(view), simulation_(simulation), again_(view != nullptr && view->recall()) {}
  ~Used() {
    if (again_) view_->offer(simulation_);
  }
  Used(const Used&) = delete;
  Used& operator=(const Used&) = delete;

 private:
  View* view_;
  Simulation& simulation_;
  bool again_;
};

}  // namespace pleiad::python
