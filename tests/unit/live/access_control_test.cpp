/// Who may pass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/access_control.hpp"

#include "live/token.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::live;

namespace {

const std::string token(32, 'a'), cookie = "pleiad-8250=" + token;

AccessControl own() {
  AccessControl access;
  access.token = token, access.port = 8250;
  access.names = {"127.0.0.1", "localhost", "[::1]"};
  return access;
}

/// A request of the own page.
Asked page() {
  Asked asked;
  asked.method = "GET", asked.target = "/", asked.host = "127.0.0.1:8250", asked.cookie = cookie;
  return asked;
}
Asked socket() {
  auto asked = page();
  asked.target = "/live", asked.upgrade = asked.has_origin = true, asked.origin = "http://127.0.0.1:8250";
  return asked;
}

}  // namespace

TEST(AccessControl, TheOwnPagePasses) {
  EXPECT_EQ(judge(page(), own()).status, 200U);
  EXPECT_TRUE(judge(socket(), own()).socket);
}

TEST(AccessControl, NobodyPassesWithoutTheToken) {
  for (auto asked : {page(), socket()})
    for (const auto& shown : {std::string(), "pleiad-8250=" + std::string(32, 'b'), "pleiad-8251=" + token}) {
      asked.cookie = shown;
      EXPECT_EQ(judge(asked, own()).status, 401U) << shown;
    }
  auto first = page();
  first.cookie = "";
  const std::string right = "/?token=" + token, wrong = "/?token=" + std::string(32, 'b');
  first.target = wrong;
  EXPECT_EQ(judge(first, own()).status, 403U);
  first.target = right;
  EXPECT_TRUE(judge(first, own()).sets_cookie);
}

TEST(AccessControl, OtherNamesAndOtherPagesDoNotPass) {
  for (const char* host :
       {"", "evil.example:8250", "localhost.evil", "127.0.0.1:0", "127.0.0.1:99999", "LOCALHOST"}) {
    auto asked = page();
    asked.host = host;
    EXPECT_EQ(judge(asked, own()).status, 403U) << host;
  }
  for (const char* origin :
       {"", "null", "http://evil.example", "http://127.0.0.1:8251", "https://127.0.0.1:8250"}) {
    auto asked = socket();
    asked.origin = origin;
    EXPECT_EQ(judge(asked, own()).status, 403U) << origin;
    asked = page();
    asked.origin = origin, asked.has_origin = true;
    EXPECT_EQ(judge(asked, own()).status, 403U) << origin;
  }
  auto silent = socket();
  silent.has_origin = false, silent.origin = "";
  EXPECT_EQ(judge(silent, own()).status, 403U);
  silent.token = token;
  EXPECT_TRUE(judge(silent, own()).socket);
}

TEST(AccessControl, OnlyGetIsAnswered) {
  for (const char* method : {"POST", "HEAD", "get", ""}) {
    auto asked = page();
    asked.method = method;
    EXPECT_EQ(judge(asked, own()).status, 405U);
  }
}

TEST(Token, TokensDifferAndAreComparedWhole) {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) tokens.insert(new_token());
  EXPECT_EQ(tokens.size(), 100U);
  const auto token = *tokens.begin();
  EXPECT_EQ(token.size(), 32U);
  EXPECT_TRUE(same_token(token, std::string(token)));
  EXPECT_FALSE(same_token(token, token.substr(1)));
  auto other = token;
  other[31] = other[31] == '0' ? '1' : '0';
  EXPECT_FALSE(same_token(token, other));
  EXPECT_FALSE(same_token("", token));
}

TEST(AccessControl, ACookieIsFoundByItsWholeName) {
  EXPECT_EQ(cookie_value("a=1; pleiad-80=xyz; b=2", "pleiad-80"), "xyz");
  EXPECT_EQ(cookie_value("xpleiad-80=1;pleiad-80=2", "pleiad-80"), "2");
  EXPECT_EQ(cookie_value("pleiad-8=1; pleiad-800=2", "pleiad-80"), "");
  EXPECT_EQ(cookie_value("", "pleiad-80"), "");
  EXPECT_EQ(cookie_value("pleiad-80", "pleiad-80"), "");
}

TEST(AccessControl, AServerOfAllAddressesIsCalledByAnyNumber) {
  const std::string token(32, 'a');
  AccessControl access;
  access.token = token, access.port = 80, access.any_address = true;
  access.names = {"0.0.0.0", "machine", "localhost"};
  const auto status = [&](std::string_view host) {
    Asked asked{};
    asked.method = "GET", asked.target = "/", asked.host = host, asked.token = token;
    return judge(asked, access).status;
  };
  for (const char* host : {"192.0.2.7:80", "machine:80", "[2001:db8::1]:80", "localhost:9000", "10.0.0.1"})
    EXPECT_EQ(status(host), 200U) << host;
  for (const char* host : {"evil.example", "192.0.2.7.evil", "[2001:db8::1", "", "[evil]:80", "192.0.2:80"})
    EXPECT_EQ(status(host), 403U) << host;
  access.any_address = false;
  EXPECT_EQ(status("192.0.2.7:80"), 403U);
}
