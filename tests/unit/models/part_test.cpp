/// Models drawn in parts: body for body those of the whole.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/part.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// One owner of several, who are asked one after the other: the blocks of all are known from a draw of the
/// whole.
class OneOf final : public Sharing {
 public:
  OneOf(std::size_t first, std::size_t end, std::vector<Moments> blocks)
      : first_(first), end_(end), blocks_(std::move(blocks)) {}
  BodyRange part_of(std::size_t n) override {
    end_ = std::min(end_, n);
    return {first_, end_ - first_};
  }
  std::vector<Moments> all(std::vector<Moments> own) override {
    std::ranges::copy(own, blocks_.begin() + std::ptrdiff_t(first_ / sum_block));
    return blocks_;
  }

 private:
  std::size_t first_, end_;
  std::vector<Moments> blocks_;
};

/// Takes the whole, and keeps its blocks.
class Whole final : public Sharing {
 public:
  BodyRange part_of(std::size_t n) override { return {0, n}; }
  std::vector<Moments> all(std::vector<Moments> own) override { return blocks = std::move(own); }
  std::vector<Moments> blocks;
};

constexpr std::size_t n = 3 * sum_block + 100;

TEST(PartOfAModel, HasTheBodiesOfTheWhole) {
  const std::vector<std::string> settings{"n=" + std::to_string(n)};
  for (const Model* model : models()) {
    const std::string name(model->name);
    if (!drawn_in_parts(name)) continue;
    auto all_settings = settings;
    if (name == "uniform-box") all_settings.push_back("sigma=1");
    const auto all = make_model(name, all_settings, 7).bodies;
    Whole whole;
    EXPECT_EQ(make_part(name, all_settings, 7, whole).bodies, all) << name;
    ASSERT_EQ(whole.blocks.size(), 4u) << name;
    Bodies joined;
    for (std::size_t first = 0; first < n; first += 2 * sum_block) {
      OneOf sharing(first, first + 2 * sum_block, whole.blocks);
      const auto part = make_part(name, all_settings, 7, sharing).bodies;
      const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
      join(joined.x, part.x), join(joined.y, part.y), join(joined.z, part.z);
      join(joined.vx, part.vx), join(joined.vy, part.vy), join(joined.vz, part.vz);
      join(joined.mass, part.mass), join(joined.id, part.id), join(joined.type, part.type);
    }
    EXPECT_EQ(joined, all) << name;
  }
}

/// Whole, these would fill 650 GB.
TEST(PartOfAModel, NeedsNoRoomForTheRest) {
  OneOf sharing(100 * sum_block, 101 * sum_block, std::vector<Moments>(200, Moments{.mass = 1}));
  const auto part = make_part("hernquist", std::vector<std::string>{"n=10000000000"}, 7, sharing).bodies;
  ASSERT_EQ(part.size(), sum_block);
  EXPECT_EQ(part.id.front(), 100 * sum_block);
  EXPECT_DOUBLE_EQ(part.mass.front(), 1e-10);
}

TEST(PartOfAModel, IsRefusedWhereSeveralComponentsMakeIt) {
  Whole whole;
  EXPECT_FALSE(drawn_in_parts("galaxy"));
  EXPECT_THROW(make_part("galaxy", std::vector<std::string>{"n=10000"}, 7, whole), UsageError);
  // What is made afterwards is whole.
  EXPECT_EQ(make_model("plummer", std::vector<std::string>{"n=100"}, 7).bodies.size(), 100u);
}

}  // namespace
}  // namespace pleiad
