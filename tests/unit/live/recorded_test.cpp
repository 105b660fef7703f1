/// Recordings, and what is shown of the past.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/recorded.hpp"

#include "live/recording.hpp"
#include "unit/live/scene.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::live;
using namespace pleiad::test;

namespace {

constexpr int frames = 12, key_at = 7;

/// Frames of a cloud that moves, with a second key frame; where its body 5 was.
std::vector<double> record(const std::filesystem::path& file) {
  auto snapshot = cloud(400);
  const auto scene = scene_of(snapshot);
  RecordWriter out(file);
  out.add(false, hello_text({.title = "cloud", .bodies = 400, .softening = 0.25, .follow = true}));
  PointCoder coder;
  std::vector<double> places;
  for (int k = 0; k < frames; ++k) {
    snapshot.time = 0.5 * k;
    for (auto& x : snapshot.bodies.x) x += 0.002;
    places.push_back(snapshot.bodies.x[(*scene.order)[5]]);
    out.add(true, coder.encode(scene, static_cast<std::uint32_t>(k), 1, Colour::speed, k == key_at));
    out.add(false, row_text({}));
  }
  return places;
}

}  // namespace

TEST(Recording, AnyFrameComesBackInAnyOrder) {
  const Folder folder;
  const auto file = folder.path / "cloud.rec";
  const auto places = record(file);
  const auto timeline = timeline_of(file);
  ASSERT_EQ(timeline.setting.list.size(), std::size_t{frames});
  EXPECT_EQ(timeline.setting.title, "cloud");
  EXPECT_EQ(timeline.setting.softening, 0.25);
  EXPECT_TRUE(timeline.setting.follow);
  EXPECT_EQ(timeline.rows.size(), std::size_t{frames});
  for (const std::size_t k : {0, 1, 2, 9, 3, 11, 7, 6, 8, 8}) {
    const auto s = timeline.read(k);
    EXPECT_EQ(s.time, 0.5 * double(k));
    EXPECT_NEAR(s.bodies.x[5], places[k], 2e-4) << k;  // a cell of the box
    EXPECT_EQ(s.bodies.size(), 400U);
  }
  timeline.read(1);
  EXPECT_NEAR(timeline.read(2).bodies.vx[5], 0.004, 5e-4);  // 0.002 in half a time unit, to within a cell
}

TEST(Recording, OneThatIsCutOffIsShownUpToThere) {
  const Folder folder;
  const auto file = folder.path / "cloud.rec";
  record(file);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::size_t before = frames;
  for (std::size_t length = bytes.size(); length > 0; length -= std::min<std::size_t>(length, 997)) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, length);
    try {
      const auto timeline = timeline_of(file);
      EXPECT_LE(timeline.setting.list.size(), before);
      before = timeline.setting.list.size();
      timeline.read(before - 1);
    } catch (const InputError&) {
      before = 0;
    }
  }
}

TEST(Timeline, RowsOfATableAndNothingElse) {
  const auto rows = rows_in(
      "# time ...\n0.5 3 1 -2 -1 1e-5 0 0 0 0 0 0 0.1 0.2 0.3 0.5 1 2 3 4 5\n1 2 3\nnonsense\n"
      "1 nan 1 -2 -1 1e-5 0 0 0 0 0 0 0 0 0 0.5 1 2 3 4 5\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].step, 3U);
  EXPECT_EQ(rows[0].energies.potential, -2);
  EXPECT_EQ(rows[0].centre.position.y, 0.2);
  EXPECT_EQ(rows[0].lagrangian_radii[4], 5);
  EXPECT_EQ(rows[1].step, 0U);
}

TEST(Timeline, WhatIsNotThereIsSaid) {
  const Folder folder;
  EXPECT_THROW(timeline_of(folder.path / "nothing"), UsageError);
  EXPECT_THROW(timeline_of(folder.path), InputError);
  std::ofstream(folder.path / "empty.rec") << "PLEIADREC1\n";
  EXPECT_THROW(timeline_of(folder.path / "empty.rec"), InputError);
}
