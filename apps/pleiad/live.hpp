/// The live view of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"
#include "live/run_view.hpp"

#include <string>

namespace pleiad::app {

/// Options of commands that show something in a browser.
struct LiveArguments {
  std::string live;  ///< "true", or a port; empty: not asked for
  std::string address, record;
  const char* port_option = "--live=";  ///< what the port follows on the command line
  bool control = false;
};

/// Those of a run.
void add_live_options(Command command, LiveArguments& arguments);
/// UsageError for options that make sense with --live alone.
void check(const LiveArguments& arguments);
/// Where to listen; UsageError for a port that is none.
live::ServerOptions server_options(const LiveArguments& arguments);
/// To stderr: where to look, and a warning where others might.
void announce(const std::string& url, const std::string& address);

/// Shows a run to browsers, and says where.
class LiveRun : public live::RunView {
 public:
  LiveRun(const LiveArguments& arguments, std::string title);
  void begin(double end, Simulation& simulation, Take bodies) override;

 private:
  std::string address_;
};

}  // namespace pleiad::app
