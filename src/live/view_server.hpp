/// The live view of bodies that move: a server, and a thread that makes its frames from copies of the bodies.
///
/// The simulation thread never blocks on the view: copies are taken by the view server's own thread, no more
/// often than their share of the time allows, and only while a client is connected.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/command.hpp"
#include "live/messages.hpp"
#include "live/server.hpp"

#include <pleiad/snapshot.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace pleiad::live {

struct ViewServerOptions {
  ServerOptions server{};
  /// The part of the time of the steps that copies and frames may cost them.
  double share = 0.02;
  std::filesystem::path record{};  ///< a file to which the frames for a browser are written; empty: none
};

/// A request of a page to the simulation.
using Demand = std::variant<Control, Show, Play>;

class ViewServer {
 public:
  /// Serves from now on; shows nothing until `open`. Errors as those of Server, and of need_recordable.
  explicit ViewServer(const ViewServerOptions& options);
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;
  /// Completes the recording, and closes the connections after the messages queued for them.
  ~ViewServer();

  /// The address of the view, with the token.
  std::string url() const;
  /// Begins to serve and to record a view. Errors as those of RecordWriter.
  void open(Setting setting);

  /// Whether a browser is connected.
  bool watched() const;
  /// Whether somebody waits for bodies newer than those given last.
  bool wants_bodies() const;
  /// Seconds until bodies will be needed; without clients a long time.
  double patience() const;
  /// `take` fills a snapshot with the present bodies, in the thread of the view server. The caller was held
  /// up for `waited` seconds; with `shares_threads` the frames that are made of it compete with the steps.
  void give(std::function<void(Snapshot&)> take, double waited = 0, bool shares_threads = true);
  /// Lets the view server call `take`, and send the status, by itself: in `delay` seconds, or when that costs
  /// no more than its share. The bodies must not move until `recall`.
  void offer(std::function<void(Snapshot&)> take, const Status& status, double delay);
  /// Ends the offer: the bodies are no longer used. Returns whether the view server had not made use of it.
  bool recall();
  /// Waits until nothing that was given is needed any more: before its owner goes away.
  void settle();

  void tell(const Diagnostics& row);
  void tell(const Status& status);
  /// Reports a failure to all browsers.
  void complain(const std::string& message);
  /// Why the recording was cut, once; "" when it was not.
  std::string cut();
  /// Writes the recording to its end; nothing is shown any more.
  void close();
  /// Demands since the last call.
  std::vector<Demand> demands();
  /// Waits for one of them, no longer than `seconds`.
  void await_demand(double seconds);

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace pleiad::live
