/// Files whose checksums are right and whose contents no program has written: each is refused for its own
/// reason.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/container.hpp"
#include "io/durable/durable.hpp"
#include "unit/checkpoint/forge.hpp"
#include "unit/checkpoint/sample.hpp"

#include <pleiad/error.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::test;

namespace {

constexpr std::size_t sizes_at = 16, sections_at = 12, version_at = 8;

std::string refusal(std::string_view bytes) {
  return message_of<InputError>([&] { decode(bytes, "f"); });
}

/// The reason for refusing a state of four bodies of whose section a number was changed.
std::string refusal_of(const char* section, std::size_t at, std::uint64_t value) {
  std::string bytes = encode(sample(4));
  const auto begin = section_at(bytes, section);
  put_at(bytes, begin + 48 + at, value);
  repair(bytes, begin);
  return refusal(bytes);
}

std::string of_version(std::string bytes, std::uint32_t version) {
  put_at(bytes, version_at, version);
  repair(bytes);
  return bytes;
}

}  // namespace

TEST(Forged, BytesThatWereAddedAreNamed) {
  EXPECT_NE(refusal(encode(sample(3)) + '\0').find("something was added"), std::string::npos);
}

TEST(Forged, PaddingThatIsNotZeroIsRefused) {
  std::string bytes = encode(sample(3));
  const auto at = section_at(bytes, "precision");  // "mixed", and three bytes of padding
  bytes[at + 48 + 6] = 1;
  repair(bytes);
  EXPECT_EQ(refusal(bytes), "f: section 'precision': the padding after it is not zero");
}

TEST(Forged, PaddingEndsBeforeTheTrailer) {
  const std::string whole = encode(sample(3));
  std::string bytes = whole.substr(0, whole.size() - 16 - 3) + whole.substr(whole.size() - 16);
  const auto last = section_at(bytes, "field.potential");
  put_at(bytes, last + 24, std::uint64_t{3 * 8 - 3});
  put_at(bytes, sizes_at, std::uint64_t{bytes.size()});
  repair(bytes, last);
  EXPECT_EQ(refusal(bytes),
            "f: section 'field.potential': its length of 21 bytes goes beyond the end of the file");
}

TEST(Forged, OneSectionMoreIsRefusedWhetherItIsCountedOrNot) {
  const std::string whole = encode(sample(3)),
                    why = "f: trailer: there are sections that this program does not know";
  std::string bytes = whole;
  put_at(bytes, sections_at, std::uint32_t{22});
  repair(bytes);
  EXPECT_EQ(refusal(bytes), why);
  const auto last = section_at(whole, "field.potential");
  bytes = whole.substr(0, whole.size() - 16) + whole.substr(last);
  put_at(bytes, sizes_at, std::uint64_t{bytes.size()});
  repair(bytes);
  EXPECT_EQ(refusal(bytes), why);
  bytes = whole;
  put_at(bytes, sections_at, std::uint32_t{20});
  repair(bytes);
  EXPECT_EQ(refusal(bytes), "f: section 'field.potential': it is missing");
}

TEST(Forged, NumbersOfTheRunThatMeanNothingAreRefused) {
  // Section "run": the number of bodies, 13 numbers, a flag, the kind of space, and the name of the units.
  EXPECT_EQ(refusal_of("run", 8 * 14, 2), "f: section 'run': a flag has the value 2; it must be 0 or 1");
  EXPECT_EQ(refusal_of("run", 8 * 15, 3),
            "f: section 'run': its space has the value 3; it must be 0, 1 or 2");
  EXPECT_EQ(refusal_of("run", 8 * 16, 3), "f: section 'run': it has 3 bytes too many");
  EXPECT_EQ(refusal_of("run", 0, 3),
            "f: section 'bodies.x': it has 32 bytes; 3 values of 8 bytes must be there");
}

TEST(Forged, ArraysOfPartsOfNumbersAreRefused) {
  std::string bytes = encode(sample(4));
  const auto run = section_at(bytes, "run"), x = section_at(bytes, "bodies.x");
  put_at(bytes, run + 48, std::uint64_t{3});
  put_at(bytes, x + 24, std::uint64_t{28});
  put_at(bytes, x + 48 + 28, std::uint32_t{0});
  repair(bytes, run), repair(bytes, x);
  EXPECT_EQ(refusal(bytes), "f: section 'bodies.x': it has 28 bytes; 3 values of 8 bytes must be there");
}

TEST(Forged, AnotherVersionIsNeitherPassedOverNorKept) {
  const Folder run;
  save_checkpoint(run.path, sample(3, 1));
  save_checkpoint(run.path, sample(3, 2));
  const auto newest = run.path / "checkpoint.pleiad", previous = run.path / "checkpoint.prev.pleiad";
  EXPECT_TRUE(container::is_whole(newest));
  spoil(newest, of_version(read_file(newest), 7));
  EXPECT_FALSE(container::is_whole(newest));
  // Going back behind it would lose what a newer program has computed.
  EXPECT_NE(message_of<container::VersionError>([&] { load_checkpoint(run.path); }).find("format version 7"),
            std::string::npos);
  EXPECT_TRUE(same(decode(read_file(previous), "previous"), sample(3, 1)));
}

TEST(Forged, StatesThatAreNotWholeAreNotSaved) {
  Checkpoint c = sample(4);
  c.snapshot.ay.pop_back();
  EXPECT_EQ(message_of<InputError>([&] { encode(c); }),
            "cannot save a checkpoint: field.ay has 3 entries for 4 bodies");
}

TEST(Forged, EverySpaceComesBack) {
  Checkpoint c = sample(2, 2);
  EXPECT_TRUE(decode(encode(c), "f").snapshot.boundary.all_images());
  c.snapshot.boundary.images = Images::nearest;
  EXPECT_TRUE(decode(encode(c), "f").snapshot.boundary.periodic);
  EXPECT_FALSE(decode(encode(c), "f").snapshot.boundary.all_images());
  c.snapshot.boundary.periodic = false;
  EXPECT_FALSE(decode(encode(c), "f").snapshot.boundary.periodic);
}
