/// Frames: their bytes, and positions as small numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/frame.hpp"

#include "core/threads.hpp"
#include "live/nearest.hpp"
#include "live/picture.hpp"
#include "live/recorded.hpp"
#include "unit/live/scene.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::live;
using namespace pleiad::test;

namespace {

/// What a number in half precision stands for.
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 31, digits = half & 1023;
  const double size = exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, exponent - 25);
  return (half >> 15) != 0 ? -size : size;
}

void expect_near(const Snapshot& snapshot, const Scene& scene, const Shown& shown, std::size_t stride) {
  const auto& bodies = snapshot.bodies;
  const std::size_t points = shown.positions.size() / 3;
  ASSERT_EQ(points, (bodies.size() + stride - 1) / stride);
  for (std::size_t k = 0; k < points; ++k) {
    const auto at = bodies.position((*scene.order)[k * stride]);
    const std::array wanted{at.x, at.y, at.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double cell = scene.box.size[axis] / 65535;
      const double drawn = scene.box.corner[axis] + cell * shown.positions[3 * k + axis];
      // Half a cell of rounding, a little more for the box in single precision.
      ASSERT_LE(std::abs(drawn - wanted[axis]), 0.51 * cell) << k;
    }
  }
}

}  // namespace

TEST(Frame, ItsHeaderComesBackAsItWas) {
  FrameHeader h;
  h.kind = FrameKind::delta, h.flags = FrameHeader::has_colours, h.stride = 7;
  h.sequence = 5, h.base = 4, h.time = 1.25, h.step = 1ULL << 40, h.bodies = 99, h.points = 3;
  h.box = {{1, 2, 3}, {4, 5, 6}}, h.centre = {7, 8, 9}, h.high = 10, h.low = 0.5;
  std::string bytes;
  append(bytes, h);
  ASSERT_EQ(bytes.size(), FrameHeader::bytes);
  EXPECT_EQ(bytes.substr(0, 4), "PLF1");
  bytes.resize(bytes.size() + 12);  // three points of three bytes and a colour
  const auto back = header_of(bytes);
  ASSERT_TRUE(back);
  std::string again;
  append(again, *back);
  EXPECT_EQ(again, bytes.substr(0, FrameHeader::bytes));
}

TEST(Frame, AHeaderThatPromisesOtherBytesIsNone) {
  FrameHeader h;
  h.points = 2;
  std::string bytes;
  append(bytes, h);
  EXPECT_FALSE(header_of(bytes));
  EXPECT_FALSE(header_of(bytes + std::string(11, 'x')));
  EXPECT_TRUE(header_of(bytes + std::string(12, 'x')));
  EXPECT_FALSE(header_of(bytes + std::string(13, 'x')));
  bytes[0] = 'Q';
  EXPECT_FALSE(header_of(bytes + std::string(12, 'x')));
}

TEST(Frame, HalfPrecisionIsTheNearest) {
  for (const float x : {0.0F, 1.0F, -2.5F, 0.1F, 65504.0F, 6.1e-5F, 5.9e-8F, 1e-7F, 3.14159F, 1234.5F}) {
    const double error = std::abs(value_of(half_of(x)) - double{x});
    EXPECT_LE(error, std::max(std::abs(double{x}) * 0x1p-11, 0x1p-25)) << x;
  }
  EXPECT_EQ(half_of(1e9F), 0x7c00);
  EXPECT_EQ(half_of(-std::numeric_limits<float>::infinity()), 0xfc00);
  EXPECT_EQ(half_of(std::numeric_limits<float>::quiet_NaN()) & 0x7fff, 0x7e00);
}

TEST(Quantised, EverythingInTheBoxHasANumberAndNothingElse) {
  EXPECT_EQ(quantised(1, 1, 2), 1);
  EXPECT_EQ(quantised(3, 1, 2), 65534);
  EXPECT_EQ(quantised(2, 1, 2), 32768);
  EXPECT_EQ(quantised(0.999, 1, 2), 0);
  EXPECT_EQ(quantised(3.001, 1, 2), 65535);
  EXPECT_EQ(quantised(std::numeric_limits<double>::quiet_NaN(), 1, 2), 0);
}

TEST(PointCoder, KeyFramesAndDeltasGiveThePositions) {
  auto snapshot = cloud(1000);
  const auto scene = scene_of(snapshot);
  for (const std::uint16_t stride : {1, 3}) {
    PointCoder coder;
    Shown shown;
    ASSERT_TRUE(add_frame(coder.encode(scene, 1, stride, Colour::type, false), shown));
    EXPECT_EQ(shown.header.kind, FrameKind::key);
    expect_near(snapshot, scene, shown, stride);
    for (std::uint32_t frame = 2; frame < 20; ++frame) {
      for (auto& x : snapshot.bodies.x) x += 0.001;
      ASSERT_TRUE(add_frame(coder.encode(scene, frame, stride, Colour::type, false), shown));
      EXPECT_EQ(shown.header.kind, FrameKind::delta);
      EXPECT_EQ(shown.header.base, frame - 1);
      expect_near(snapshot, scene, shown, stride);
    }
    for (std::size_t k = 0; k < shown.types.size(); ++k)
      EXPECT_EQ(shown.types[k], static_cast<int>(snapshot.bodies.type[(*scene.order)[k * stride]]));
  }
}

TEST(PointCoder, ALongStepIsMadeUpForAndManyTakeAKeyFrame) {
  auto snapshot = cloud(1000);
  const auto scene = scene_of(snapshot);
  PointCoder coder;
  Shown shown;
  ASSERT_TRUE(add_frame(coder.encode(scene, 1, 1, Colour::type, false), shown));
  snapshot.bodies.x[17] *= 0.98;  // some hundreds of cells
  std::uint32_t sequence = 1;
  for (int frame = 0; frame < 20; ++frame) {
    ASSERT_TRUE(add_frame(coder.encode(scene, ++sequence, 1, Colour::type, false), shown));
    EXPECT_EQ(shown.header.kind, FrameKind::delta);
  }
  expect_near(snapshot, scene, shown, 1);
  for (auto& y : snapshot.bodies.y) y *= 0.9;
  ASSERT_TRUE(add_frame(coder.encode(scene, ++sequence, 1, Colour::type, false), shown));
  EXPECT_EQ(shown.header.kind, FrameKind::key);
  expect_near(snapshot, scene, shown, 1);
}

TEST(PointCoder, ColoursAreTheLogarithmBetweenTheLimits) {
  const auto snapshot = cloud(2000);
  const auto scene = scene_of(snapshot);
  PointCoder coder;
  const auto frame = coder.encode(scene, 1, 1, Colour::speed, false);
  const auto header = header_of(frame);
  ASSERT_TRUE(header);
  ASSERT_TRUE(header->low > 0 && header->high > header->low);
  const auto* colours = frame.data() + FrameHeader::bytes + std::size_t{6} * header->points;
  for (std::size_t k = 0; k < header->points; ++k) {
    const double speed = norm(snapshot.bodies.velocity((*scene.order)[k]));
    const double part = std::log(speed / header->low) / std::log(double{header->high} / header->low);
    // Half a colour of rounding, and single precision.
    ASSERT_LE(std::abs(std::clamp(255 * part, 0.0, 255.0) - double(static_cast<unsigned char>(colours[k]))),
              0.51);
  }
}

TEST(Picture, AllTheLightIsThere) {
  const auto snapshot = cloud(5000);
  const auto scene = scene_of(snapshot);
  auto camera = camera_for(scene.box);
  camera.across = 300, camera.down = 200, camera.width = 20;  // wide enough for all
  for (const std::size_t points : {0, 700, 5000, 9000}) {
    const auto picture = encode_picture(scene, 3, camera, points, Colour::type);
    const auto header = header_of(picture.frame);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->width, 300U);
    EXPECT_EQ(header->height, 200U);
    const auto drawn = std::min<std::size_t>(points, 5000);
    EXPECT_EQ(header->points, drawn);
    EXPECT_EQ(picture.bodies.size(), drawn);
    double light = 0;
    for (std::size_t k = 0; k < std::size_t{300} * 200; ++k) {
      std::uint16_t half = 0;
      std::memcpy(&half, picture.frame.data() + FrameHeader::bytes + 2 * k, 2);
      light += value_of(half);
    }
    EXPECT_NEAR(light, 5000.0 - double(drawn), 5);  // half precision of each pixel
  }
}

TEST(Picture, ItsPointsAreTheBodiesNearestToWhereOneLooks) {
  for (const bool periodic : {false, true}) {
    auto snapshot = cloud(5000);
    if (periodic) snapshot.boundary.periodic = true, snapshot.boundary.length = {4, 5, 6};
    const auto scene = scene_of(snapshot);
    auto camera = camera_for(scene.box);
    camera.focus = {0.5, -0.25, 1}, camera.across = 64, camera.down = 32;
    const auto picture = encode_picture(scene, 9, camera, 300, Colour::speed);
    const auto outer = header_of(picture.frame);
    ASSERT_TRUE(outer);
    const auto near = picture.frame.substr(FrameHeader::bytes + bytes_of_light(camera));
    const auto header = header_of(near);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->kind, FrameKind::key);
    EXPECT_EQ(header->sequence, 9U);
    EXPECT_EQ(header->points, 300U);
    EXPECT_EQ(outer->flags, header->flags);
    EXPECT_EQ(header->flags, FrameHeader::has_colours | FrameHeader::has_types);

    std::vector<double> all;
    for (std::size_t i = 0; i < 5000; ++i) all.push_back(norm(drawn_at(snapshot, i) - camera.focus));
    std::vector<std::uint32_t> chosen = picture.bodies;
    std::ranges::sort(chosen);
    EXPECT_EQ(std::ranges::adjacent_find(chosen), chosen.end());
    auto sorted = all;
    std::ranges::sort(sorted);
    for (std::size_t k = 0; k < 300; ++k) {
      const auto i = picture.bodies[k];
      EXPECT_LE(all[i], sorted[299]);
      std::uint16_t q[3];
      std::memcpy(q, near.data() + FrameHeader::bytes + 6 * k, 6);
      const auto at = drawn_at(snapshot, i);
      const double place[] = {at.x, at.y, at.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_GT(q[axis], 0);
        EXPECT_LT(q[axis], 65535);
        EXPECT_NEAR(header->box.corner[axis] + double(header->box.size[axis]) * q[axis] / 65535, place[axis],
                    1e-5 * header->box.size[axis]);
      }
    }
  }
}

/// Enough bodies for several blocks of work.
TEST(Picture, HasTheSameBytesForAnyNumberOfThreads) {
  const auto snapshot = cloud(200'000);
  const auto scene = scene_of(snapshot);
  auto camera = camera_for(scene.box);
  camera.focus = {0.5, -0.25, 1}, camera.across = 300, camera.down = 200, camera.width = 20;
  Picture first;
  for (const int count : {1, 2, 5}) {
    const Threads team(count);
    const WithThreads use(team);
    auto picture = encode_picture(scene, 3, camera, 1000, Colour::type);
    if (count == 1) first = std::move(picture);
    else EXPECT_TRUE(picture.frame == first.frame && picture.bodies == first.bodies) << count << " threads";
  }
  std::vector<double> all;
  for (std::size_t i = 0; i < 200'000; ++i) all.push_back(norm(drawn_at(snapshot, i) - camera.focus));
  double farthest = 0;
  for (const auto i : first.bodies) farthest = std::max(farthest, all[i]);
  std::ranges::nth_element(all, all.begin() + 999);
  EXPECT_EQ(first.bodies.size(), 1000U);
  EXPECT_EQ(farthest, all[999]);
}

TEST(NearestBodies, AreFoundAmongBodiesAtOnePlaceAndLostOnes) {
  Snapshot snapshot;
  for (int i = 0; i < 50; ++i) snapshot.bodies.add(1, {1, 1, 1}, {});
  snapshot.bodies.add(1, {std::nan(""), 0, 0}, {});
  EXPECT_EQ(nearest_bodies(snapshot, {1, 1, 1}, 7).size(), 7U);
  EXPECT_EQ(nearest_bodies(snapshot, {5, 0, 0}, 7).size(), 7U);
  EXPECT_EQ(nearest_bodies(snapshot, {5, 0, 0}, 100).size(), 50U);
  EXPECT_TRUE(nearest_bodies({}, {}, 3).empty());
}
