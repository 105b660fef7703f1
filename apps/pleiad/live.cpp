#include "live.hpp"

#include "core/print.hpp"

#include <pleiad/error.hpp>

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

std::optional<int> port_of(const LiveArguments& a) {
  const std::string& text = a.live;
  if (text.empty() || text == "true") return std::nullopt;
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port < 0 || port > 65535)
    throw UsageError(fmt::format("{}{}: a port is a number from 1 to 65535, or 0 for any that is free",
                                 a.port_option, text));
  return port;
}

live::ViewServerOptions view_server_options(const LiveArguments& a) {
  return {.server = server_options(a), .record = a.record};
}

void warn(const std::string& text) { print_err("pleiad: {}\n", text); }

}  // namespace

void add_live_options(Command command, LiveArguments& a) {
  constexpr const char* heading = "Live view";
  command
      .add_flag_with_value(
          "--live", a.live,
          "show the run in a browser on this machine, at --live=PORT or any port; prints the "
          "address")
      .group(heading);
  command.add_flag("--live-control", a.control, "the browser may pause, step and stop the run")
      .group(heading);
  command
      .add_option("--live-address", a.address,
                  "listen at this numeric address instead of this machine alone: not encrypted")
      .group(heading);
  command
      .add_option("--live-record", a.record,
                  "also write what is shown to a file, for pleiad view: a new one, or in place of an "
                  "earlier recording when the run begins")
      .group(heading);
}

void check(const LiveArguments& a) {
  if (!a.live.empty()) return;
  for (const auto& [given, name] :
       {std::pair{a.control, "--live-control"}, std::pair{!a.address.empty(), "--live-address"},
        std::pair{!a.record.empty(), "--live-record"}})
    if (given) throw UsageError(fmt::format("{} needs --live", name));
}

live::ServerOptions server_options(const LiveArguments& a) {
  return {.address = a.address, .port = port_of(a)};
}

void announce(const std::string& url, const std::string& address) {
  if (!address.empty())
    print_err(
        "pleiad: warning: the live view listens at {} without encryption: its token can be read "
        "on the network; 127.0.0.1 with an ssh tunnel is safe\n",
        address);
  print_err("pleiad: live view at {}\n", url);
}

LiveRun::LiveRun(const LiveArguments& a, std::string title)
    : RunView({.view_server = view_server_options(a),
               .title = std::move(title),
               .control = a.control,
               .note = warn}),
      address_(a.address) {}

void LiveRun::begin(double end, Simulation& simulation, Take bodies) {
  RunView::begin(end, simulation, std::move(bodies));
  announce(url(), address_);
}

}  // namespace pleiad::app
