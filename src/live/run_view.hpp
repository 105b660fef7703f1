/// A simulation that browsers see while it steps, and may pause, step and stop.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/view_server.hpp"
#include "run/viewer.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace pleiad::live {

struct RunViewOptions {
  ViewServerOptions view_server{};
  std::string title{};
  bool control = false;                                    ///< whether a page may pause and stop
  std::function<void(const std::string&)> note = nullptr;  ///< called with notes for the user
};

/// The view of a run; or of a simulation that makes steps in several calls, each from `head_for` to `rest`.
class RunView : public run::Viewer {
 public:
  /// Serves from now on, and shows nothing until `begin`. Errors as those of ViewServer.
  explicit RunView(const RunViewOptions& options);
  ~RunView() override;

  std::string url() const { return view_server_.url(); }

  void begin(double end, Simulation& simulation, Take bodies) override;
  void look(Simulation& simulation) override { note_place(simulation); }
  bool wants_bodies() const override { return view_server_.wants_bodies(); }
  void give(Take bodies, double waited) override { view_server_.give(std::move(bodies), waited, on_host_); }
  void see(const Diagnostics& row) override { view_server_.tell(row); }
  void see(const ForceErrors& errors) override;
  double patience() const override { return view_server_.patience(); }
  Steps steps() override;
  bool stops() override;
  void end(Simulation& simulation, bool stopped, Take bodies) override;
  void settle() noexcept override;

  /// Calls `look`, and gives the bodies if they are needed, for a simulation whose bodies are all in this
  /// process.
  void show(Simulation& simulation);

  /// There is no more to show: nothing of the simulation is used any more.
  void leave();
  /// Announces steps until `end`, NaN if unknown. An earlier demand to stop is dropped.
  void head_for(double end, Simulation& simulation);
  /// Announces that no steps follow for now. Until `recall` the view takes the bodies by itself, and the
  /// simulation must not be used.
  void rest(Simulation& simulation);
  /// True when the view has not yet taken the bodies: if they stay as they are, offer them again.
  bool recall();
  void offer(Simulation& simulation);

 private:
  void hear();
  void note_cut();
  void go_on_unwatched();
  void note_place(const Simulation& simulation);
  void tell_status(const Simulation& simulation);

  bool control_;
  std::string title_;
  std::function<void(const std::string&)> note_;
  ViewServer view_server_;
  Status status_{};
  bool on_host_ = true, paused_ = false, stops_ = false, just_changed_ = false;
  std::uint64_t steps_asked_ = 0;
  double watched_at_ = 0;  ///< when a browser was last connected, while the run is paused
  double told_at_ = 0, told_time_ = 0;
  std::uint64_t told_step_ = 0;
};

}  // namespace pleiad::live
