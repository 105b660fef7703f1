/// What is written is what is read, and nothing else is ever read.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "unit/checkpoint/forge.hpp"
#include "unit/checkpoint/sample.hpp"

#include <pleiad/error.hpp>

#include <bit>
#include <cstring>

#include <gtest/gtest.h>
#include <xxhash.h>

using namespace pleiad;
using namespace pleiad::test;

namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

std::string refusal(std::string_view bytes) {
  return message_of<InputError>([&] { decode(bytes, "run/checkpoint.pleiad"); });
}

}  // namespace

TEST(Container, GivesBackEveryBitOfTheState) {
  for (const std::size_t n : {0, 1, 2, 7, 1000}) {
    const Checkpoint a = sample(n);
    const Checkpoint b = decode(encode(a), "memory");
    const Snapshot &s = a.snapshot, &t = b.snapshot;
    for (auto [p, q] : {std::pair(&s.bodies.x, &t.bodies.x),
                        {&s.bodies.y, &t.bodies.y},
                        {&s.bodies.z, &t.bodies.z},
                        {&s.bodies.vx, &t.bodies.vx},
                        {&s.bodies.vy, &t.bodies.vy},
                        {&s.bodies.vz, &t.bodies.vz},
                        {&s.bodies.mass, &t.bodies.mass},
                        {&s.ax, &t.ax},
                        {&s.ay, &t.ay},
                        {&s.az, &t.az},
                        {&s.potential, &t.potential}})
      EXPECT_TRUE(same_bits(*p, *q)) << n << " bodies";
    EXPECT_EQ(s.bodies.id, t.bodies.id);
    EXPECT_EQ(s.bodies.type, t.bodies.type);
    EXPECT_EQ(s.time, t.time);
    EXPECT_EQ(s.step, t.step);
    EXPECT_EQ(s.units, t.units);
    EXPECT_EQ(s.G, t.G);
    EXPECT_EQ(s.boundary.periodic, t.boundary.periodic);
    EXPECT_EQ(s.boundary.length, t.boundary.length);
    EXPECT_EQ(s.boundary.images, t.boundary.images);
    EXPECT_EQ(std::tie(a.dt, a.start_time, a.reference_energy, a.next_output, a.config, a.code_version,
                       a.precision, a.kernel, a.simd_target, a.appended_files, a.extra),
              std::tie(b.dt, b.start_time, b.reference_energy, b.next_output, b.config, b.code_version,
                       b.precision, b.kernel, b.simd_target, b.appended_files, b.extra));
  }
}

/// More than fits into one piece of the way to the disk.
TEST(Container, GivesBackAStateThatIsWrittenInPieces) {
  const Folder folder;
  const Checkpoint large = sample(150'000);
  save_checkpoint(folder.path, large);
  const auto bytes = read_file(folder.path / "checkpoint.pleiad");
  EXPECT_GT(bytes.size(), std::size_t{8} << 20);
  EXPECT_TRUE(bytes == encode(large));
  EXPECT_TRUE(same(decode(bytes, "test"), large));
}

TEST(Container, KeepsNotANumberAndTheAbsenceOfAccelerations) {
  Checkpoint a = sample(5);
  a.reference_energy = std::bit_cast<double>(std::uint64_t{0x7ff8dead'beef1234});
  a.snapshot.ax.clear();
  a.snapshot.potential.clear();
  const Checkpoint b = decode(encode(a), "memory");
  EXPECT_EQ(std::bit_cast<std::uint64_t>(b.reference_energy), 0x7ff8dead'beef1234u);
  EXPECT_TRUE(b.snapshot.ax.empty());
  EXPECT_TRUE(b.snapshot.potential.empty());
  EXPECT_EQ(b.snapshot.ay, a.snapshot.ay);
}

// The bytes of version 1 may never change: a change of layout is a new version.
TEST(Container, WritesTheBytesOfVersionOne) {
  const std::string bytes = encode(sample(7));
  const auto hash = XXH3_128bits(bytes.data(), bytes.size());
  EXPECT_EQ(bytes.size(), 2064u);
  EXPECT_EQ(hash.high64, 0xd48e7ec686dbbccfu) << std::hex << hash.high64;
  EXPECT_EQ(hash.low64, 0x8807b23e543fad6fu) << std::hex << hash.low64;
}

TEST(Container, RefusesToSaveArraysOfUnequalLength) {
  Checkpoint c = sample(4);
  c.snapshot.bodies.vy.pop_back();
  EXPECT_EQ(message_of<InputError>([&] { encode(c); }),
            "cannot save a checkpoint: bodies.vy has 3 entries for 4 bodies");
}

TEST(Container, NoSingleFlippedBitIsEverLoaded) {
  const std::string whole = encode(sample(3));
  std::size_t silent = 0;
  for (std::size_t bit = 0; bit < whole.size() * 8;
       ++bit) {  // all of them: lengths, names, padding, checksums
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const std::string why = refusal(bytes);
    silent += why.empty();
    EXPECT_TRUE(why.starts_with("run/checkpoint.pleiad: ")) << bit << ": " << why;
    EXPECT_EQ(why.find('\n'), std::string::npos);
  }
  EXPECT_EQ(silent, 0u) << "of " << whole.size() * 8 << " bits";
}

TEST(Container, NoTruncatedOrLengthenedFileIsEverLoaded) {
  const std::string whole = encode(sample(3));
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_NE(refusal(whole.substr(0, n)), "") << n << " bytes";
  EXPECT_NE(refusal(whole + '\0'), "");
  EXPECT_NE(refusal(whole + whole), "");
  EXPECT_EQ(refusal(""), "run/checkpoint.pleiad: header: the file is empty");
  EXPECT_NE(refusal(whole.substr(0, 300)).find("it is truncated"), std::string::npos);
}

TEST(Container, SaysWhichSectionIsDamaged) {
  std::string bytes = encode(sample(3));
  bytes[section_at(bytes, "bodies.vy") + 50] ^= 1;
  EXPECT_EQ(refusal(bytes), "run/checkpoint.pleiad: section 'bodies.vy': it is damaged (checksum differs)");
  EXPECT_EQ(refusal("just some text"), "run/checkpoint.pleiad: header: this is not a Pleiad checkpoint");
}

TEST(Container, RefusesAnotherVersionAndNamesBoth) {
  std::string bytes = encode(sample(3));
  bytes[8] = 7;
  repair(bytes);
  EXPECT_EQ(refusal(bytes),
            "run/checkpoint.pleiad: header: the file has format version 7, this program reads version 1");
}

// Checksums are no signature: a file whose checksums are right must still not make the program allocate or
// read out of bounds.
TEST(Container, RefusesForgedLengthsAndCountsWithoutAllocating) {
  const std::string whole = encode(sample(4));
  const auto forged = [&](std::size_t section, std::size_t at, std::uint64_t value) {
    std::string bytes = whole;
    std::memcpy(&bytes[at], &value, 8);
    if (at < section + 24 || at >= section + 48) repair(bytes, section);
    else repair(bytes);
    return refusal(bytes);
  };
  const std::size_t x = section_at(whole, "bodies.x"), files = section_at(whole, "appended_files"),
                    run = section_at(whole, "run"), type = section_at(whole, "bodies.type");
  for (const std::uint64_t length : {~std::uint64_t{0}, ~std::uint64_t{0} - 47, std::uint64_t{1} << 63,
                                     std::uint64_t{whole.size()}, std::uint64_t{whole.size()} - x - 48})
    EXPECT_NE(forged(x, x + 24, length).find("goes beyond the end of the file"), std::string::npos) << length;
  EXPECT_NE(forged(files, files + 48, ~std::uint64_t{0}).find("'appended_files': it is too short"),
            std::string::npos);
  EXPECT_NE(forged(files, files + 56, ~std::uint64_t{0}).find("'appended_files': it is too short"),
            std::string::npos);
  EXPECT_NE(forged(files, files + 48, 1).find("bytes too many"), std::string::npos);
  for (const std::uint64_t n : {std::uint64_t{5}, std::uint64_t{1} << 61, (std::uint64_t{1} << 61) + 4})
    EXPECT_NE(forged(run, run + 48, n).find("section 'bodies.x': it has 32 bytes"), std::string::npos) << n;
  EXPECT_NE(forged(type, type + 48, 6).find("body 0 has type 6; types are 0 to 5"), std::string::npos);
  EXPECT_NE(forged(x, x, 0x2e736569646f62).find("another section stands in its place"), std::string::npos);
}
