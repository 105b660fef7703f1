/// The live view of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"
#include "live/stage.hpp"
#include "run/viewer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace pleiad::app {

/// Options of commands that show something in a browser.
struct LiveArguments {
  std::string live;  ///< "true", or a port; empty: not asked for
  std::string address, record;
  bool control = false;
};

/// Those of a run.
void add_live_options(Command command, LiveArguments& arguments);
/// UsageError for options that make sense with --live alone.
void check(const LiveArguments& arguments);
/// Where to listen; UsageError for a port that is none.
live::ServerOptions server_options(const LiveArguments& arguments);
/// To stderr: where to look, and a warning where others might.
void announce(const live::Stage& stage, const std::string& address);

/// Shows a run to browsers, and does what they ask.
class LiveRun : public run::Viewer {
 public:
  LiveRun(const LiveArguments& arguments, std::string title);

  void begin(const Options& options, Simulation& simulation) override;
  void look(Simulation& simulation) override;
  void see(const Diagnostics& row) override { stage_.tell(row); }
  void see(const ForceErrors& errors) override;
  double patience() const override { return stage_.patience(); }
  Steps steps() override;
  bool stops() override;
  void end(Simulation& simulation, bool stopped) override;
  void settle() noexcept override;

 private:
  void give(Simulation& simulation);
  void hear();
  void go_on_unwatched();
  void tell_status(const Simulation& simulation);

  bool control_;
  std::string title_, address_;
  live::Stage stage_;
  live::Status status_{};
  bool on_host_ = true, paused_ = false, stops_ = false, just_changed_ = false;
  std::uint64_t steps_asked_ = 0;
  double watched_at_ = 0;  ///< when a browser was last connected, while the run is paused
  double told_at_ = 0, told_time_ = 0;
  std::uint64_t told_step_ = 0;
};

}  // namespace pleiad::app
