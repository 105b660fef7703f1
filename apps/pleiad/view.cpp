/// `pleiad view`: a finished run, a snapshot, a checkpoint or a recording in a browser.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "io/durable/claims.hpp"
#include "live.hpp"
#include "live/playback.hpp"
#include "run/stop.hpp"

#include <memory>
#include <string>

namespace pleiad::app {
namespace {

struct ViewArguments {
  std::string path;
  LiveArguments live;
};

void view(const ViewArguments& a) {
  Claims().reads(a.path);
  const auto timeline = live::timeline_of(a.path);
  live::ViewServer view_server({.server = server_options(a.live), .record = {}});
  live::Playback playback(timeline, view_server);
  announce(view_server.url(), a.live.address);
  const run::SignalWatch signals;
  constexpr double moment = 0.1;
  while (run::SignalWatch::received().empty()) playback.attend(moment);
}

}  // namespace

void add_view(Command app, int& /*result*/) {
  auto command = app.add_subcommand("view", "Show a finished run, a snapshot or a recording in a browser");
  const auto a = std::make_shared<ViewArguments>();
  a->live.port_option = "--port ";
  command
      .add_option(
          "PATH", a->path,
          "the directory of a run, a snapshot in any format, a checkpoint, or a file of --live-record")
      .required();
  command.add_option("--port", a->live.live, "port of this machine; default: 8250, or any that is free");
  command.add_option("--address", a->live.address,
                     "listen at this numeric address instead of this machine alone: not encrypted");
  command.footer(
      "It prints an address for the browser, and ends with Ctrl-C.\nExamples:\n  pleiad view encounter\n  "
      "pleiad "
      "view galaxy.hdf5 --port 9000\nFrom another machine: ssh -L 8250:127.0.0.1:8250 HOST, then open the "
      "address "
      "there.");
  command.callback([a] { view(*a); });
}

}  // namespace pleiad::app
