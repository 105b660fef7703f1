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
  std::string live;  ///< "true", or a port; empty: not requested
  std::string address, record;
  const char* port_option = "--live=";  ///< text before the port on the command line
  bool control = false;
};

/// Adds the options of a run.
void add_live_options(Command command, LiveArguments& arguments);
/// UsageError for options that make sense with --live alone.
void check(const LiveArguments& arguments);
/// The address to listen on; UsageError for an invalid port.
live::ServerOptions server_options(const LiveArguments& arguments);
/// Writes the address to stderr, with a warning if others might open it.
void announce(const std::string& url, const std::string& address);

/// Shows a run to browsers, and announces the address.
class LiveRun : public live::RunView {
 public:
  LiveRun(const LiveArguments& arguments, std::string title);
  void begin(double end, Simulation& simulation, Take bodies) override;

 private:
  std::string address_;
};

}  // namespace pleiad::app
