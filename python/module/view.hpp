/// A simulation of Python's in a browser: what its steps tell the view, and what the view asks of them.
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

/// It may be closed at any time, by any thread. While nobody uses the simulation it looks by itself: whoever
/// does use it recalls it.
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

  /// Steps follow, to the time `end`; NaN: not known.
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
  /// Seconds until it wants to look again.
  double patience() const;

  enum class Steps { on, one, none, stop };
  /// How to go on. It may take a moment to say `none`, and will be asked again.
  Steps steps();

 private:
  /// Calls work(view) unless it is closed.
  template <class Work>
  void with_view(const Work& work) const;

  mutable std::mutex mutex_;
  std::unique_ptr<live::RunView> view_;
};

/// What a view is told for the time of a call that steps. The view may be null.
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
