/// A server for browsers on this machine: HTTP for the page and WebSocket for its data, in one thread of its
/// own.
///
/// None of the functions waits for a client or for the network. A client that does not read costs at most two
/// frames and a bounded queue of texts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::live {

inline constexpr int usual_port = 8250;

struct ServerOptions {
  std::string address{};      ///< numeric; empty: this machine alone, 127.0.0.1 and ::1
  std::optional<int> port{};  ///< none: usual_port, or any that is free
  std::string token{};        ///< empty: a new one
  bool frames = false;        ///< whether a page of this machine may show the page in a frame: a notebook
};

using Client = std::uint64_t;
/// A message that is sent to several clients and stored once.
using Message = std::shared_ptr<const std::string>;

struct Event {
  enum class What { came, said, left };
  Client client = 0;
  What what = What::came;
  std::string text{};  ///< text of the message
};

class Server {
 public:
  /// Listens from now on. `woken` is called, in the thread of the server, when there are events. UsageError
  /// for an address that is none, ResourceError when it or the port cannot be had.
  explicit Server(const ServerOptions& options, std::function<void()> woken = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Closes all connections.
  ~Server();

  int port() const;
  /// The address with the token: for the user only.
  std::string url() const;

  /// Events since the last call, in their order.
  std::vector<Event> events();
  /// Queues a text. A client that has left too many unread is sent away.
  void tell(Client client, Message text);
  /// Sends a frame, in place of one that still waits.
  void show(Client client, Message frame);
  /// Closes the connection of a client that broke the rules, after the texts queued for it.
  void send_away(Client client);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace pleiad::live
