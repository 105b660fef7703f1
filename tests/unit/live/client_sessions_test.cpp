/// What each client is sent: within its budget, no more than it can draw, and what it has asked for.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/client_sessions.hpp"

#include "live/picture.hpp"
#include "unit/live/scene.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::live;
using namespace pleiad::test;

namespace {

class Kept : public MessageSink {
 public:
  struct Sent {
    Client client = 0;
    bool frame = false;
    std::string bytes;
  };
  void tell(Client client, Message text) override { sent.push_back({client, false, *text}); }
  void show(Client client, Message frame) override { sent.push_back({client, true, *frame}); }
  void send_away(Client client) override { away.push_back(client); }

  std::vector<FrameHeader> frames(Client client) const {
    std::vector<FrameHeader> found;
    for (const auto& s : sent)
      if (s.frame && s.client == client) found.push_back(*header_of(s.bytes));
    return found;
  }
  std::size_t bytes(Client client) const {
    std::size_t sum = 0;
    for (const auto& s : sent)
      if (s.frame && s.client == client) sum += s.bytes.size();
    return sum;
  }
  nlohmann::json last(Client client, const std::string& type) const {
    for (auto s = sent.rbegin(); s != sent.rend(); ++s)
      if (!s->frame && s->client == client)
        if (auto json = nlohmann::json::parse(s->bytes); json["type"] == type) return json;
    return {};
  }

  std::vector<Sent> sent;
  std::vector<Client> away;
};

class ClientSessionsTest : public testing::Test {
 protected:
  explicit ClientSessionsTest(std::size_t n = 50000) : snapshot(cloud(n)), scene(scene_of(snapshot)) {
    sessions.open({.title = "cloud", .bodies = n});
  }
  /// Frames of `seconds` at 100 scenes a second; what is sent is seen at once.
  void play(double seconds, Client client) {
    for (const double end = now + seconds; now < end; now += 0.01) {
      for (auto& x : snapshot.bodies.x) x += 1e-4;
      sessions.see(scene, now);
      sessions.send(now);
      if (const auto frames = kept.frames(client); !frames.empty())
        sessions.hear(client, fmt::format(R"({{"type":"seen","sequence":{}}})", frames.back().sequence));
    }
  }

  Kept kept;
  ClientSessions sessions{kept};
  Snapshot snapshot;
  Scene scene;
  double now = 1;
};

TEST(AudienceOfVeryManyBodies, SeesPicturesWithPointsThatCanBePicked) {
  const auto snapshot = cloud(5000);
  Kept sink;
  ClientSessions sessions(sink, 4000);
  sessions.open({.title = "cloud", .bodies = 5000});
  sessions.admit(1);
  sessions.see(scene_of(snapshot), 0);
  sessions.hear(
      1,
      R"({"type":"camera","centre":[1,0,0],"right":[1,0,0],"up":[0,1,0],"width":4,"pixels":[64,64],"number":7})");
  sessions.send(0);
  auto frames = sink.frames(1);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].kind, FrameKind::picture);
  EXPECT_EQ(frames[0].base, 7U);
  EXPECT_EQ(frames[0].points, 5000U);  // there is room for all of them beside so small a picture
  sessions.hear(1, R"({"type":"pick","request":3,"sequence":1,"index":11})");
  const auto picked = sink.last(1, "picked");
  const auto& bytes = sink.sent[sink.sent.size() - 2].bytes;
  std::uint16_t q[3];
  const auto near = bytes.substr(FrameHeader::bytes + 2 * 64 * 64);
  std::memcpy(q, near.data() + FrameHeader::bytes + 6 * 11, 6);
  const auto box = header_of(near)->box;
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(picked["position"][axis].get<double>(), box.corner[axis] + box.size[axis] * q[axis] / 65535,
                1e-3);
  for (const char* wrong : {R"({"type":"pick","request":4,"sequence":1,"index":5000})",
                            R"({"type":"pick","request":4,"sequence":2,"index":0})"}) {
    sessions.hear(1, wrong);
    EXPECT_TRUE(sink.last(1, "picked")["id"].is_null());
  }
}

TEST(AudienceOfVeryManyBodies, PointsTakeWhatThePictureLeavesOrAQuarterOfIt) {
  const auto snapshot = cloud(50000);
  for (const auto [rate, least, most] : {std::array{1e5, 1000.0, 1100.0}, std::array{3e6, 8000.0, 8500.0}}) {
    Kept sink;
    ClientSessions sessions(sink, 4000);
    sessions.open({.title = "cloud", .bodies = 50000});
    sessions.admit(1);
    sessions.hear(1,
                  fmt::format(R"({{"type":"budget","bytes_per_second":{},"frames_per_second":30}})", rate));
    sessions.hear(
        1,
        R"({"type":"camera","centre":[1,0,0],"right":[1,0,0],"up":[0,1,0],"width":4,"pixels":[128,128],"number":1})");
    sessions.see(scene_of(snapshot), 0);
    sessions.send(0);
    const auto frames = sink.frames(1);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_GE(frames[0].points, least);
    EXPECT_LE(frames[0].points, most);
  }
}

}  // namespace

TEST_F(ClientSessionsTest, ABudgetOfBytesIsKept) {
  for (const double budget : {2e5, 1e6, 1e7}) {
    const auto client = static_cast<Client>(budget);
    sessions.admit(client);
    sessions.hear(client, fmt::format(R"({{"type":"budget","bytes_per_second":{}}})", budget));
    play(3, client);
    const double rate = static_cast<double>(kept.bytes(client)) / 3;
    EXPECT_LE(rate, 1.1 * budget);
    EXPECT_GE(rate, std::min(0.4 * budget, 0.8 * 3e6));  // all bodies 20 times a second are 3 MB
    sessions.dismiss(client);
  }
}

TEST_F(ClientSessionsTest, FramesComeNoFasterThanAskedFor) {
  sessions.admit(1);
  sessions.hear(1, R"({"type":"budget","frames_per_second":5})");
  play(2, 1);
  EXPECT_LE(kept.frames(1).size(), 11U);
  EXPECT_GE(kept.frames(1).size(), 9U);
}

TEST_F(ClientSessionsTest, WhoSeesNothingIsSentTwoFramesAndNeedsNoBodies) {
  sessions.admit(1);
  EXPECT_LT(sessions.wants_from(), 10);
  for (int k = 0; k < 50; ++k) {
    sessions.see(scene, now += 0.1);
    sessions.send(now);
  }
  EXPECT_EQ(kept.frames(1).size(), 2U);
  EXPECT_EQ(sessions.wants_from(), std::numeric_limits<double>::infinity());
  sessions.hear(1, R"({"type":"seen","sequence":2})");
  EXPECT_LT(sessions.wants_from(), now + 1);
}

TEST_F(ClientSessionsTest, DeltasReferToTheFrameBefore) {
  sessions.admit(1);
  play(0.5, 1);
  const auto frames = kept.frames(1);
  ASSERT_GT(frames.size(), 5U);
  EXPECT_EQ(frames[0].kind, FrameKind::key);
  for (std::size_t k = 1; k < frames.size(); ++k) {
    EXPECT_EQ(frames[k].sequence, frames[k - 1].sequence + 1);
    EXPECT_EQ(frames[k].base,
              frames[k].kind == FrameKind::delta ? frames[k - 1].sequence : frames[k].sequence);
  }
  EXPECT_EQ(frames.back().kind, FrameKind::delta);
}

TEST_F(ClientSessionsTest, ANewColourAKeyAndANewOrderTakeAKeyFrame) {
  sessions.admit(1);
  play(0.3, 1);
  for (const char* text : {R"({"type":"colour","by":"speed"})", R"({"type":"key"})"}) {
    sessions.hear(1, text);
    sessions.send(now += 0.1);  // of the scene that was sent already
    EXPECT_EQ(kept.frames(1).back().kind, FrameKind::key) << text;
    play(0.2, 1);
    EXPECT_EQ(kept.frames(1).back().kind, FrameKind::delta) << text;
  }
  scene = scene_of(snapshot, 2);
  play(0.04, 1);
  EXPECT_EQ(kept.frames(1).back().kind, FrameKind::key);
}

TEST_F(ClientSessionsTest, APointIsTheBodyThatWasDrawn) {
  sessions.admit(1);
  sessions.hear(1, R"({"type":"budget","bytes_per_second":1e6})");
  play(0.2, 1);
  const auto frame = kept.frames(1).back();
  ASSERT_GT(frame.stride, 1);
  sessions.hear(1, fmt::format(R"({{"type":"pick","request":4,"sequence":{},"index":11}})", frame.sequence));
  const auto body = (*scene.order)[std::size_t{11} * frame.stride];
  EXPECT_EQ(kept.last(1, "picked")["id"], snapshot.bodies.id[body]);
  // The order that it was drawn in is kept for a while.
  const auto old = scene;
  scene = scene_of(snapshot, 2);
  play(0.05, 1);
  sessions.hear(1, fmt::format(R"({{"type":"pick","request":5,"sequence":{},"index":12}})", frame.sequence));
  EXPECT_EQ(kept.last(1, "picked")["id"], snapshot.bodies.id[(*old.order)[std::size_t{12} * frame.stride]]);
  sessions.hear(1, R"({"type":"follow","request":5})");
  kept.sent.clear();
  play(0.1, 1);
  EXPECT_EQ(kept.last(1, "picked")["request"], 5);
  sessions.hear(1, R"({"type":"follow","request":null})");
  kept.sent.clear();
  play(0.1, 1);
  EXPECT_TRUE(kept.last(1, "picked").is_null());
}

TEST_F(ClientSessionsTest, OnlyARunThatAllowsItIsControlled) {
  sessions.admit(1);
  EXPECT_FALSE(sessions.hear(1, R"({"type":"control","do":"stop"})"));
  EXPECT_FALSE(kept.last(1, "error").is_null());
  sessions.open({.title = "cloud", .bodies = 50000, .control = true});
  EXPECT_TRUE(sessions.hear(1, R"({"type":"control","do":"stop"})"));
  EXPECT_FALSE(sessions.hear(1, R"({"type":"show","index":1})"));
}

TEST_F(ClientSessionsTest, WhoSendsNoCommandIsSentAway) {
  sessions.admit(7);
  sessions.hear(7, "{}");
  EXPECT_EQ(kept.away, std::vector<Client>{7});
}

TEST_F(ClientSessionsTest, RowsAreKeptForThoseWhoComeLater) {
  for (int k = 0; k < 45000; ++k) {
    Diagnostics row;
    row.time = k;
    sessions.tell(row);
  }
  sessions.admit(1);
  const auto rows = kept.last(1, "rows")["rows"];
  EXPECT_GE(rows.size(), 5000U);
  EXPECT_LE(rows.size(), 10000U);
  EXPECT_EQ(rows[0]["time"], 0);
  EXPECT_EQ(rows[2]["time"].get<double>(), 2 * rows[1]["time"].get<double>());  // evenly
  EXPECT_GE(rows.back()["time"].get<double>(), 44980);
}

TEST(AudienceOfAStarCluster, IsToldItsBinariesWithEachFrameOnDemand) {
  auto snapshot = cloud(50);
  for (auto& m : snapshot.bodies.mass) m = 1e-3;
  // Two close pairs on circular orbits, one of them heavier; at rest, far from the cloud and from each other.
  for (const auto& [x, m] : {std::pair(50.0, 1.0), std::pair(80.0, 4.0)}) {
    const double v = std::sqrt(2 * m / 0.01) / 2;
    snapshot.bodies.add(m, {x, 0, 0}, {0, v, 0});
    snapshot.bodies.add(m, {x + 0.01, 0, 0}, {0, -v, 0});
  }
  Kept sink;
  ClientSessions sessions(sink);
  sessions.open({.title = "cluster", .bodies = snapshot.bodies.size()});
  for (const Client client : {1, 2}) sessions.admit(client);
  sessions.see(scene_of(snapshot), 0);
  sessions.send(0);
  EXPECT_TRUE(sink.last(1, "binaries").is_null());
  sessions.hear(1, R"({"type":"binaries","on":true})");
  sessions.send(1);
  const auto told = sink.last(1, "binaries");
  ASSERT_FALSE(told.is_null());
  EXPECT_TRUE(sink.last(2, "binaries").is_null());
  EXPECT_GE(told["binaries"].get<int>(), 2);
  EXPECT_EQ(told["pairs"].size(),
            told["binaries"].get<std::size_t>() + told["hierarchies"].get<std::size_t>());
  // The most strongly bound one first.
  EXPECT_EQ(told["pairs"][0], nlohmann::json({80.0, 0.0, 0.0, 80.01, 0.0, 0.0}));
  EXPECT_EQ(told["pairs"][1], nlohmann::json({50.0, 0.0, 0.0, 50.01, 0.0, 0.0}));
  const auto messages = sink.sent.size();
  sessions.hear(1, R"({"type":"seen","sequence":2})");
  sessions.hear(1, R"({"type":"binaries","on":false})");
  snapshot.bodies.x[0] += 1e-3;
  sessions.see(scene_of(snapshot), 2);
  sessions.send(3);
  for (std::size_t k = messages; k < sink.sent.size(); ++k)
    EXPECT_TRUE(sink.sent[k].frame || sink.sent[k].bytes.find("\"binaries\"") == std::string::npos);
  // In a periodic box they are not looked for.
  auto box = snapshot;
  box.boundary = {true, {200, 200, 200}};
  sessions.see(scene_of(box), 4);
  sessions.hear(2, R"({"type":"binaries","on":true})");
  sessions.send(5);
  EXPECT_TRUE(sink.last(2, "binaries")["binaries"].is_null());
}
