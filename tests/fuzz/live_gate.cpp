/// Requests to the live view: without the token nothing is shown, whatever else a request says.
///
/// An input has a line each for method, target, Host, Origin, Cookie and X-Pleiad-Token.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/access_control.hpp"
#include "target.hpp"

#include <array>

using namespace pleiad;
using namespace pleiad::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const live::AccessControl access{.token = "0123456789abcdef0123456789abcdef",
                                          .port = 8250,
                                          .names = {"127.0.0.1", "localhost", "[::1]"}};
  auto rest = text_of(data, size);
  const bool has_token = rest.find(access.token) != rest.npos;
  std::array<std::string_view, 6> lines;
  for (auto& line : lines) {
    const auto end = std::min(rest.find('\n'), rest.size());
    line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (const bool upgrade : {false, true}) {
    const auto verdict = live::judge({.method = lines[0],
                                      .target = lines[1],
                                      .host = lines[2],
                                      .origin = lines[3],
                                      .cookie = lines[4],
                                      .token = lines[5],
                                      .has_origin = !lines[3].empty(),
                                      .upgrade = upgrade},
                                     access);
    const bool passed = verdict.asset != nullptr || verdict.socket || verdict.sets_cookie;
    require(passed == (verdict.status < 400), "a status that says it");
    require(!passed || has_token, "nothing without the token");
    require(!passed || lines[0] == "GET", "nothing but GET");
    require(!passed || lines[3].empty() || lines[3].substr(0, 7) == "http://", "nothing to other sites");
    require(!passed || lines[2].find("127.0.0.1") == 0 || lines[2].find("localhost") == 0 ||
                lines[2].find("[::1]") == 0,
            "nothing under another name");
  }
  return 0;
}
