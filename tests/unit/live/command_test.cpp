/// What a page may say.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/command.hpp"

#include "live/gate.hpp"
#include "live/token.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::live;

namespace {
template <class T>
T as(const char* text) {
  const auto command = command_of(text);
  EXPECT_TRUE(command && std::holds_alternative<T>(*command)) << text;
  return command && std::holds_alternative<T>(*command) ? std::get<T>(*command) : T{};
}
}  // namespace

TEST(Command, EveryCommandIsUnderstood) {
  EXPECT_EQ(as<Budget>(R"({"type":"budget","bytes_per_second":2e7})").bytes_per_second, 2e7);
  EXPECT_EQ(as<Budget>(R"({"type":"budget","frames_per_second":30})").frames_per_second, 30);
  EXPECT_EQ(as<Seen>(R"({"type":"seen","sequence":4294967295})").sequence, 4294967295U);
  as<NeedKey>(R"({"type":"key"})");
  EXPECT_EQ(as<ColourBy>(R"({"type":"colour","by":"density"})").colour, Colour::density);
  EXPECT_EQ(
      as<Camera>(
          R"({"type":"camera","centre":[1,2,3],"right":[1,0,0],"up":[0,0,1],"width":5,"pixels":[640,480]})")
          .down,
      480U);
  EXPECT_EQ(as<Pick>(R"({"type":"pick","request":1,"sequence":2,"index":3})").index, 3U);
  EXPECT_EQ(as<Follow>(R"({"type":"follow","request":1})").request, 1U);
  EXPECT_FALSE(as<Follow>(R"({"type":"follow","request":null})").request);
  EXPECT_EQ(as<Control>(R"({"type":"control","do":"step"})"), Control::step);
  EXPECT_EQ(as<Show>(R"({"type":"show","index":7})").index, 7U);
  EXPECT_TRUE(as<Play>(R"({"type":"play","on":true,"rate":2})").on);
}

TEST(Command, WhatIsWrongInOnePlaceIsNoCommand) {
  for (const char* text :
       {"", "null", "1", "{", R"({"type":1})", R"({"type":"seen"})", R"({"type":"seen","sequence":1.0})",
        R"({"type":"seen","sequence":"1"})", R"({"type":"budget","bytes_per_second":-1})",
        R"({"type":"camera","centre":[0,0,0],"right":[1,0,0],"up":[1,0,0],"width":5,"pixels":[640,480]})",
        R"({"type":"camera","centre":[0,0,0],"right":[2,0,0],"up":[0,1,0],"width":5,"pixels":[640,480]})",
        R"({"type":"camera","centre":[0,0],"right":[1,0,0],"up":[0,1,0],"width":5,"pixels":[640,480]})",
        R"({"type":"camera","centre":[0,0,0],"right":[1,0,0],"up":[0,1,0],"width":5,"pixels":[1000000,480]})",
        R"({"type":"play","on":1})", R"({"type":"control","do":"Stop"})"})
    EXPECT_FALSE(command_of(text)) << text;
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

TEST(Gate, ACookieIsFoundByItsWholeName) {
  EXPECT_EQ(cookie_value("a=1; pleiad-80=xyz; b=2", "pleiad-80"), "xyz");
  EXPECT_EQ(cookie_value("xpleiad-80=1;pleiad-80=2", "pleiad-80"), "2");
  EXPECT_EQ(cookie_value("pleiad-8=1; pleiad-800=2", "pleiad-80"), "");
  EXPECT_EQ(cookie_value("", "pleiad-80"), "");
  EXPECT_EQ(cookie_value("pleiad-80", "pleiad-80"), "");
}

TEST(Gate, AServerOfAllAddressesIsCalledByAnyNumber) {
  const std::string token(32, 'a');
  Gate gate;
  gate.token = token, gate.port = 80, gate.any_address = true;
  gate.names = {"0.0.0.0", "machine", "localhost"};
  const auto status = [&](std::string_view host) {
    Asked asked{};
    asked.method = "GET", asked.target = "/", asked.host = host, asked.token = token;
    return judge(asked, gate).status;
  };
  for (const char* host : {"192.0.2.7:80", "machine:80", "[2001:db8::1]:80", "localhost:9000", "10.0.0.1"})
    EXPECT_EQ(status(host), 200U) << host;
  for (const char* host : {"evil.example", "192.0.2.7.evil", "[2001:db8::1", "", "[evil]:80", "192.0.2:80"})
    EXPECT_EQ(status(host), 403U) << host;
  gate.any_address = false;
  EXPECT_EQ(status("192.0.2.7:80"), 403U);
}
