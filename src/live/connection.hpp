/// One connection: a request and its answer, and a WebSocket if it is requested.
///
/// Only connection.cpp includes Boost.Beast.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/access_control.hpp"
#include "live/server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

namespace pleiad::live {

/// A client with an open WebSocket.
class Session {
 public:
  virtual ~Session() = default;
  /// Closed when it has left too many texts unread.
  virtual void tell(Message text) = 0;
  virtual void show(Message frame) = 0;
  /// Closes it after its texts: because the server ends, or because the client broke the rules.
  enum class Reason { end, rules };
  virtual void close(Reason reason) = 0;
  /// Closes the connection at once.
  virtual void leave() = 0;
};

/// Interface of the server for connections.
class Host {
 public:
  virtual ~Host() = default;
  virtual const AccessControl& access() const = 0;
  virtual bool full() const = 0;
  /// Keeps the session until `left`, and names it.
  virtual Client opened(std::shared_ptr<Session> session) = 0;
  virtual void came(Client client) = 0;
  /// Takes a text of a client. False if too many texts of it have not been read.
  virtual bool said(Client client, std::string text) = 0;
  virtual void left(Client client) = 0;
};

/// A connection that is no client yet. It lives as long as something is to be read or written.
class HttpRequest {
 public:
  virtual ~HttpRequest() = default;
  /// Closes the connection, for a newer one or at the end of the server.
  virtual void give_way() = 0;
};

/// Reads a request from the socket, and answers it. The host outlives it.
std::shared_ptr<HttpRequest> received(boost::asio::ip::tcp::socket socket, Host& host);

}  // namespace pleiad::live
