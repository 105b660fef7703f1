/// What a page may say.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/command.hpp"

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
  EXPECT_EQ(
      as<Camera>(
          R"({"type":"camera","centre":[1,2,3],"right":[1,0,0],"up":[0,0,1],"width":5,"pixels":[640,480]})")
          .focus.z,
      3);
  EXPECT_EQ(
      as<Camera>(
          R"({"type":"camera","centre":[1,2,3],"focus":[4,5,6],"right":[1,0,0],"up":[0,0,1],"width":5,"pixels":[64,48]})")
          .focus.z,
      6);
  EXPECT_EQ(as<Pick>(R"({"type":"pick","request":1,"sequence":2,"index":3})").index, 3U);
  EXPECT_EQ(as<Follow>(R"({"type":"follow","request":1})").request, 1U);
  EXPECT_FALSE(as<Follow>(R"({"type":"follow","request":null})").request);
  EXPECT_TRUE(as<Binaries>(R"({"type":"binaries","on":true})").on);
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
        R"({"type":"play","on":1})", R"({"type":"binaries"})", R"({"type":"binaries","on":1})",
        R"({"type":"control","do":"Stop"})"})
    EXPECT_FALSE(command_of(text)) << text;
}
