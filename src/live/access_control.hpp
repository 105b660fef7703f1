/// Access control: the answer to a request, which depends on the parts of the request only.
///
/// A page of another site can make the browser of the user send requests here, and by DNS rebinding even as
/// the same site. So each request must name this server (Host) and show the token, and a socket must be
/// opened by this server's own page (Origin).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/assets.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pleiad::live {

/// The parts of a request that decide. Fields that are absent are empty.
struct Asked {
  std::string_view method, target;
  std::string_view host, origin, cookie, token;  ///< token: the header X-Pleiad-Token
  bool has_origin = false;
  bool upgrade = false;  ///< to a WebSocket
};

/// The names and the token of this server.
struct AccessControl {
  std::string token;
  int port = 0;
  /// Names of this server in URLs, such as "127.0.0.1", "[::1]" and "localhost".
  std::vector<std::string> names;
  bool any_address = false;  ///< bound to all addresses: every numeric address is a name of it
  bool frames = false;       ///< pages of this machine, of any port, may show the page in a frame

  std::string cookie_name() const;
};

struct Verdict {
  unsigned status = 404;
  std::string_view why = {};     ///< one sentence for a person
  const Asset* asset = nullptr;  ///< with 200
  bool sets_cookie = false;      ///< with 303, to "/"
  bool socket = false;           ///< with 101
};

Verdict judge(const Asked& asked, const AccessControl& access);

/// The value of a cookie in the field Cookie; "" when it is not there.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

}  // namespace pleiad::live
