/// The cache: what it keeps, and what it does with a file that is damaged, foreign, shared or not writable.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/cache.hpp"

#include "io/durable/durable.hpp"
#include "unit/tune/fake.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace pleiad::tune {
namespace {

/// Its texts are too long to lie within a std::string: a text that is freed twice is noticed.
Entry entry(std::size_t n, const std::string& choice = "cuda/tile block=256") {
  return {.what = {.where = Device::cuda,
                   .device = "a \"GPU\" of 80 GB",
                   .precision = Precision::f32,
                   .n = n,
                   .gpus = 4},
          .kernel = choice,
          .gpus = 2,
          .seconds = 1.25e-5,
          .candidates = 20};
}

}  // namespace

TEST(Cache, IsWhereTheEnvironmentSays) {
  EXPECT_EQ(cache_file("/some/where", "/home/me"), "/some/where/pleiad/tune.json");
  EXPECT_EQ(cache_file("relative", "/home/me"), "/home/me/.cache/pleiad/tune.json");
  EXPECT_EQ(cache_file(nullptr, "/home/me"), "/home/me/.cache/pleiad/tune.json");
  EXPECT_TRUE(cache_file(nullptr, nullptr).empty());
  EXPECT_THROW(keep({}, {entry(1)}, Others::stay), ResourceError);
}

TEST(Cache, GivesBackWhatItWasGiven) {
  const Scratch scratch;
  const auto file = scratch / "new/folder/tune.json";
  EXPECT_TRUE(read_cache(file).entries.empty());
  EXPECT_EQ(read_cache(file).note, "");
  auto cut_short = entry(64);
  cut_short.evaluations = 250;
  keep(file, {cut_short, entry(128)}, Others::stay);
  const auto cache = read_cache(file);
  EXPECT_EQ(cache.note, "");
  EXPECT_EQ(cache.entries.at(0).evaluations, 250);
  EXPECT_EQ(cache.entries.at(1).evaluations, 0);
  ASSERT_EQ(cache.entries.size(), 2U);
  const auto found = find(cache, entry(128).what);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kernel, "cuda/tile block=256");
  EXPECT_EQ(found->gpus, 2);
  EXPECT_EQ(found->seconds, 1.25e-5);
  EXPECT_EQ(found->candidates, 20U);
  auto other = entry(128).what;
  other.device = "another GPU";
  EXPECT_FALSE(find(cache, other));
  other = entry(128).what, other.precision = Precision::mixed;
  EXPECT_FALSE(find(cache, other));
  EXPECT_TRUE(clear_cache(file));
  EXPECT_FALSE(clear_cache(file));
  EXPECT_TRUE(read_cache(file).entries.empty());
}

TEST(Cache, LetsTheFirstWriterBeRightUnlessTold) {
  const Scratch scratch;
  const auto file = scratch / "tune.json";
  keep(file, {entry(64, "cuda/tile")}, Others::stay);
  EXPECT_EQ(keep(file, {entry(64, "cuda/naive")}, Others::stay).front().kernel, "cuda/tile");
  EXPECT_EQ(find(read_cache(file), entry(64).what)->kernel, "cuda/tile");
  EXPECT_EQ(keep(file, {entry(64, "cuda/naive")}, Others::go).front().kernel, "cuda/naive");
  EXPECT_EQ(find(read_cache(file), entry(64).what)->kernel, "cuda/naive");
  EXPECT_EQ(read_cache(file).entries.size(), 1U);
}

TEST(Cache, IgnoresWhatItDidNotWriteInOneNoteAndWritesItAnew) {
  const Scratch scratch;
  const auto file = scratch / "tune.json";
  keep(file, {entry(64)}, Others::stay);
  const auto sound = read_file(file);
  std::vector<std::string> damaged{"",
                                   "{",
                                   "[]",
                                   "null",
                                   "{\"pleiad\": 1, \"entries\": []}",
                                   "\xff\xfe",
                                   "{\"entries\": []}",
                                   "{\"pleiad\": \"0.0.1\", \"entries\": []}"};
  // Cut short anywhere but in the last line break.
  for (std::size_t length = 1; length + 2 < sound.size(); length += 7)
    damaged.push_back(sound.substr(0, length));
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"format\": 2", "\"format\": 1"},
                                                        {"\"format\": 2,", ""},
                                                        {"\"bodies\": 64", "\"bodies\": -1"},
                                                        {"\"bodies\": 64", "\"bodies\": \"64\""},
                                                        {"\"bodies\": 64", "\"bodies\": 64.5"},
                                                        {"\"bodies\": 64", "\"bodies\": 2.6e115"},
                                                        {"\"gpus\": 2", "\"gpus\": 4294967298"},
                                                        {"\"gpus\": 2", "\"gpus\": 5"},
                                                        {"\"gpus\": 2", "\"gpus\": 0"},
                                                        {"1.25e-05", "-1"},
                                                        {"\"f32\"", "\"f33\""},
                                                        {"\"cuda\"", "\"cude\""},
                                                        {"\"any\"", "\"many\""},
                                                        {"\"periodic\": false", "\"periodic\": 0"}}) {
    auto text = sound;
    ASSERT_NE(text.find(from), std::string::npos) << from << " in " << text;
    damaged.push_back(text.replace(text.find(from), from.size(), to));
  }
  for (const auto& text : damaged) {
    write_file_atomically(file, text);
    const auto cache = read_cache(file);
    EXPECT_TRUE(cache.entries.empty()) << text;
    EXPECT_NE(cache.note.find("will be written anew"), std::string::npos) << text;
    EXPECT_EQ(cache.note.find('\n'), std::string::npos) << cache.note;
  }
  keep(file, {entry(128)}, Others::stay);
  EXPECT_EQ(read_cache(file).note, "");
  EXPECT_EQ(read_cache(file).entries.size(), 1U);
}

TEST(Cache, LosesNothingWhenManyWrite) {
  const Scratch scratch;
  const auto file = scratch / "tune.json";
  std::vector<std::thread> writers;
  for (std::size_t k = 0; k < 4; ++k)
    writers.emplace_back([&, k] {
      for (std::size_t j = 0; j < 8; ++j) keep(file, {entry(1000 * (k + 1) + j)}, Others::stay);
    });
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(read_cache(file).entries.size(), 32U);
}

TEST(Cache, RefusesInWordsWhereItCannotBeWritten) {
  const Scratch scratch;
  write_file_atomically(scratch / "file", "");
  try {
    keep(scratch / "file/pleiad/tune.json", {entry(64)}, Others::stay);
    FAIL() << "written below a file";
  } catch (const ResourceError& e) {
    EXPECT_NE(std::string(e.what()).find("cannot make the folder"), std::string::npos) << e.what();
  }
}

}  // namespace pleiad::tune
