/// Someone who looks at a run of one system while it goes on, and may pause or stop it. Where several ranks
/// share the bodies, rank 0 has the viewer.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/simulation.hpp>

#include <functional>

namespace pleiad::run {

/// The viewer of a run. All calls come from the thread of the run, none while steps are made, and none may
/// wait for long. A viewer never changes the result of the run.
class Viewer {
 public:
  virtual ~Viewer() = default;
  /// Fills a snapshot with the bodies of all ranks; called at most once, in any thread, while steps are made.
  using Take = std::function<void(Snapshot&)>;
  /// The first step comes next, and the last one ends at the time `end`. `bodies`: those at the start. The
  /// simulation lives until `settle` is called for the last time.
  virtual void begin(double end, Simulation& simulation, Take bodies) = 0;
  /// After a batch of steps.
  virtual void look(Simulation& simulation) = 0;
  /// Whether it waits for newer bodies than those it was given last.
  virtual bool wants_bodies() const = 0;
  /// Gives the present bodies; the steps were held up for `waited` seconds.
  virtual void give(Take bodies, double waited) = 0;
  virtual void see(const Diagnostics& row) = 0;
  virtual void see(const ForceErrors& errors) = 0;
  /// Seconds until it needs the next update.
  virtual double patience() const = 0;

  enum class Steps { on, one, none };
  /// The number of steps that may follow. It may wait a moment before it returns `none`, and is called again.
  virtual Steps steps() = 0;
  /// Whether the run is to stop here.
  virtual bool stops() = 0;
  /// The last step is made. `bodies`: those at the end.
  virtual void end(Simulation& simulation, bool stopped, Take bodies) = 0;
  /// Waits until copies of the simulation are no longer needed.
  virtual void settle() noexcept = 0;
};

/// Lets a viewer look, until the end of its scope.
class Viewed {
 public:
  explicit Viewed(Viewer* viewer) : viewer_(viewer) {}
  Viewed(const Viewed&) = delete;
  Viewed& operator=(const Viewed&) = delete;
  ~Viewed() { settle(); }
  void settle() noexcept {
    if (viewer_ != nullptr) viewer_->settle();
  }
  explicit operator bool() const { return viewer_ != nullptr; }
  Viewer* operator->() const { return viewer_; }

 private:
  Viewer* viewer_;
};

}  // namespace pleiad::run
