/// Every field and label of GADGET binary files with every kind of bad value, blocks in any order, and the
/// headers of GADGET-4.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

template <class T>
std::string with_field(std::string bytes, const Gadget& how, std::size_t offset, T value) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof(T));
  if (how.big) std::reverse(raw.begin(), raw.end());
  std::memcpy(bytes.data() + (how.labelled ? 20 : 4) + offset, raw.data(), raw.size());
  return bytes;
}

struct Field {
  std::string name;
  std::size_t offset;
  std::vector<double> good, bad;
};
const std::vector<Field> fields{
    {"mass of type 1", 32, {0}, {nan, inf, -inf, -1}},
    {"mass of type 5", 64, {0, 3}, {nan, inf, -inf, -1}},
    {"time", 72, {-2, 0, 1e6}, {nan, inf, -inf}},
    {"redshift", 80, {0, -0.5, 1000}, {nan, inf, -inf, -1, -2, -1e300}},
    {"BoxSize", 128, {0, 100}, {nan, inf, -inf, -1}},
    {"Omega0", 136, {0, 0.3, 1}, {nan, inf, -inf, -0.3, 1e6}},
    {"HubbleParam", 152, {0, 0.01, 0.7, 1, 10}, {nan, inf, -inf, -0.7, 70, 5e-324, 1e-3, 1e300}}};

TEST(Stated, EveryFieldOfAGadgetHeaderIsReadOrRefusedByName) {
  const Folder folder;
  for (const bool big : {false, true})
    for (const bool labelled : {false, true}) {
      const Gadget how{.big = big, .labelled = labelled};
      const std::string file = gadget(how);
      for (const auto& field : fields) {
        for (const double bad : field.bad)
          expect_refused_by_name(folder.write("g", with_field(file, how, field.offset, bad)),
                                 {"'", field.name + " is "}, fmt::format("{} = {}", field.name, bad));
        for (const double good : field.good)
          EXPECT_NO_THROW(read_snapshot(folder.write("g", with_field(file, how, field.offset, good))))
              << field.name << " = " << good;
      }
      expect_refused_by_name(folder.write("g", with_field(file, how, 124, std::int32_t{-1})),
                             {"number of files is -1"}, "files");
      EXPECT_NO_THROW(read_snapshot(folder.write("g", with_field(file, how, 124, std::int32_t{0}))));
      // Fields that the reader does not use pass: OmegaLambda, flags.
      for (const double any : {nan, inf, -1e300})
        EXPECT_NO_THROW(read_snapshot(folder.write("g", with_field(file, how, 144, any))));
    }
}

TEST(Stated, TheUnitsAndGOfAGadgetHeaderAreReadOrRefused) {
  const Folder folder;
  Snapshot s;
  s.bodies = truth(), s.units = units_named("cluster"), s.G = 0.0043;
  for (const char* name : {"gadget1", "gadget2"}) {
    write_snapshot(folder / "g", s, {.format = &format_named(name)});
    const std::string file = bytes_of(folder / "g");
    const Gadget how{.labelled = std::string_view(name) == "gadget2"};
    EXPECT_EQ(read_snapshot(folder / "g").snapshot.G, 0.0043);
    for (std::size_t k = 0; k < 4; ++k)
      for (const double bad : {nan, inf, -inf, -1.0})
        expect_refused_by_name(folder.write("f", with_field(file, how, 216 + 8 * k, bad)),
                               {k < 3 ? "unit" : "G is"}, fmt::format("{} = {}", k, bad));
  }
}

/// GADGET-1 with the blocks after the velocities in any order: 'i' ids, 'm' masses, 'u' others. The first
/// `tabled` bodies are of type 1, whose mass, 0.5, stands in the header; the others are of type 2.
std::string unlabelled(const std::string& order, const std::vector<std::uint64_t>& ids,
                       const std::vector<double>& masses, bool wide_ids, bool wide_reals, bool big,
                       std::size_t tabled = 0) {
  std::string out;
  const auto add = [&](std::string& to, auto value) {
    std::array<char, sizeof value> raw;
    std::memcpy(raw.data(), &value, sizeof value);
    if (big) std::reverse(raw.begin(), raw.end());
    to.append(raw.data(), raw.size());
  };
  const auto real = [&](std::string& to, double v) { wide_reals ? add(to, v) : add(to, float(v)); };
  const auto block = [&](const std::string& content) {
    add(out, std::uint32_t(content.size())), out += content, add(out, std::uint32_t(content.size()));
  };
  const auto n = ids.size();
  std::string head, pos, vel;
  for (const std::size_t count :
       {std::size_t{0}, tabled, n - tabled, std::size_t{0}, std::size_t{0}, std::size_t{0}})
    add(head, std::uint32_t(count));
  add(head, 0.0), add(head, 0.5);
  head.resize(256);
  block(head);
  for (std::size_t i = 0; i < 3 * n; ++i) real(pos, 0.25 * double(i) - 3), real(vel, 1 - 0.125 * double(i));
  block(pos), block(vel);
  for (const char kind : order) {
    std::string content;
    for (std::size_t i = 0; i < n; ++i)
      if (kind == 'i') wide_ids ? add(content, ids[i]) : add(content, std::uint32_t(ids[i]));
      else if (i >= tabled || kind != 'm') real(content, kind == 'm' ? masses[i] : -7.5 * double(i));
    block(content);
  }
  return out;
}

TEST(Stated, MassesAndIdsWithoutLabelsAreFoundInEitherOrder) {
  const Folder folder;
  constexpr std::size_t n = 20;
  std::vector<std::vector<std::uint64_t>> all_ids;
  // Small ones, from 0 and from 1, in disorder; with marks in high bits; and such as are ordinary numbers as
  // floats.
  for (const std::uint64_t first : {0u, 1u, 5000000u, 100000000u, 1000000000u, 2000000000u, 4294967000u}) {
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < n; ++i) ids.push_back(first + (i * 7) % n);
    all_ids.push_back(ids);
  }
  std::vector<std::vector<double>> all_masses(5, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    all_masses[0][i] = 0.05;
    all_masses[1][i] = 0.03125 * double(i + 1);
    all_masses[2][i] = i == 0 ? 1 : 0;  // test particles
    all_masses[3][i] = 2e33 * double(i + 1);
    all_masses[4][i] = 1e-9 / double(i + 1);
  }
  for (const auto& ids : all_ids)
    for (const auto& masses : all_masses)
      for (const bool wide_ids : {false, true})
        for (const bool wide_reals : {false, true})
          for (const bool big : {false, true})
            for (const char* order : {"im", "mi", "m", "imu", "miu"}) {
              const auto c =
                  read_snapshot(folder.write("g", unlabelled(order, ids, masses, wide_ids, wide_reals, big)));
              const Bodies& b = c.snapshot.bodies;
              const auto what = fmt::format("{} ids from {}, masses from {}, wide {} {}, big {}", order,
                                            ids[0], masses[0], wide_ids, wide_reals, big);
              ASSERT_EQ(b.size(), n) << what;
              for (std::size_t i = 0; i < n; ++i)
                ASSERT_EQ(b.mass[i], wide_reals ? masses[i] : double(float(masses[i]))) << what;
              if (std::string_view(order) != "m") {
                ASSERT_EQ(b.id, ids) << what;
              }
              constexpr std::size_t half = n / 2;
              if (!(masses[half] > 0)) continue;  // zeros alone show nothing
              const auto some = read_snapshot(
                  folder.write("h", unlabelled(order, ids, masses, wide_ids, wide_reals, big, half)));
              ASSERT_EQ(some.snapshot.bodies.mass[0], 0.5) << what;
              for (std::size_t i = half; i < n; ++i)
                ASSERT_EQ(some.snapshot.bodies.mass[i], b.mass[i]) << what << ", half of them in the table";
            }
}

TEST(Stated, MassesThatAreTheBitsOfWholeNumbersAreRefused) {
  const Folder folder;
  std::vector<std::uint64_t> ids(20, 3);
  std::vector<double> masses(20, -1);  // nothing that could be a mass in either block
  for (const bool wide : {false, true})
    expect_refused_by_name(folder.write("g", unlabelled("mi", ids, masses, wide, wide, false)),
                           {"'MASS'", "bits of whole numbers", "'POS '"}, "negative masses first");
}

/// As GADGET-4 writes formats 1 and 2 without GADGET2_HEADER: counts and totals of 64 bits, masses, time,
/// redshift, BoxSize, files; in some versions two counts of trees.
struct Gadget4 {
  bool labelled = false, big = false, trees = false;
  std::size_t types = 6;
  double time = 0.25, redshift = 0, box = 0;
  int files = 1;
  std::uint64_t count_of_last = 0;
};
std::string gadget4(const Gadget4& how) {
  const std::string classic = gadget({.big = how.big, .labelled = how.labelled});
  std::string head;
  const auto add = [&](std::string& to, auto value) {
    std::array<char, sizeof value> raw;
    std::memcpy(raw.data(), &value, sizeof value);
    if (how.big) std::reverse(raw.begin(), raw.end());
    to.append(raw.data(), raw.size());
  };
  std::vector<std::uint64_t> counts(how.types);
  for (const Type t : truth().type) ++counts.at(std::size_t(t));
  if (how.count_of_last > 0) counts.back() = how.count_of_last;
  for (int both = 0; both < 2; ++both)
    for (const auto n : counts) add(head, n);
  for (std::size_t t = 0; t < how.types; ++t) add(head, 0.0);
  add(head, how.time), add(head, how.redshift), add(head, how.box), add(head, how.files), add(head, 0);
  if (how.trees) add(head, std::uint64_t{0}), add(head, std::uint64_t{0});
  const std::size_t label = how.labelled ? 16 : 0;
  std::string out;
  if (how.labelled) add(out, 8), out += "HEAD", add(out, std::uint32_t(head.size() + 8)), add(out, 8);
  add(out, std::uint32_t(head.size())), out += head, add(out, std::uint32_t(head.size()));
  return out + classic.substr(label + 264);
}

TEST(Stated, GadgetFourHeadersOfItsOwnAreRead) {
  const Folder folder;
  for (const bool labelled : {false, true})
    for (const bool big : {false, true})
      for (const bool trees : {false, true})
        for (const std::size_t types : {5, 6, 8, 16}) {
          const auto c = read_snapshot(folder.write("g", gadget4({labelled, big, trees, types})));
          EXPECT_TRUE(c.snapshot.bodies == truth()) << types;
          EXPECT_EQ(c.snapshot.time, 0.25);
          EXPECT_EQ(c.format->name, labelled ? "gadget2" : "gadget1");
        }
  for (const double bad : {nan, inf, -inf})
    expect_refused_by_name(folder.write("g", gadget4({.time = bad})), {"time is "}, "time");
  for (const double bad : {nan, inf, -1.0})
    expect_refused_by_name(folder.write("g", gadget4({.box = bad})), {"BoxSize is "}, "box");
  for (const double z : {nan, -1.0, inf})
    expect_refused_by_name(folder.write("g", gadget4({.redshift = z})), {"redshift"}, "redshift");
  // Its h is not in the file.
  expect_refused_by_name(folder.write("g", gadget4({.time = 0.5, .redshift = 1})),
                         {"GADGET-4", "HubbleParam", "write HDF5"}, "comoving");
  expect_refused_by_name(folder.write("g", gadget4({.types = 8, .count_of_last = 3})), {"type 7 is 3"},
                         "types beyond 5");
  expect_refused_by_name(folder.write("g", gadget4({.count_of_last = std::uint64_t{1} << 63})),
                         {"count of type 5"}, "a count below 0");
}

TEST(Stated, LabelsMayBeSmallOrEndInNulAndMissingOnesAreListed) {
  const Folder folder;
  const std::string good = gadget({.labelled = true});
  const std::vector<std::string> labels{"HEAD", "POS ", "VEL ", "ID  ", "MASS"};
  const auto with = [&](const std::function<std::string(std::string)>& change) {
    std::string bytes = good;
    for (const auto& label : labels) bytes.replace(bytes.find(label), 4, change(label));
    return folder.write("g", bytes);
  };
  const auto lower = [](std::string s) {
    for (char& c : s) c = c == ' ' ? ' ' : char(c + 32);
    return s;
  };
  const auto nul = [](std::string s) {
    std::ranges::replace(s, ' ', '\0');
    return s;
  };
  for (const auto& file : {with(lower), with(nul), with([&](const std::string& s) { return nul(lower(s)); })})
    EXPECT_TRUE(read_snapshot(file).snapshot.bodies == truth());
  for (const auto& label : {"POS ", "VEL ", "MASS"}) {
    std::string bytes = good;
    bytes.replace(bytes.find(label), 4, "XYZW");
    expect_refused_by_name(folder.write("g", bytes),
                           {std::string("'") + label + "' is missing", "'HEAD' (256 bytes)", "'XYZW' ("},
                           label);
  }
  const std::string twice = good.substr(0, 16 + 264) + good;
  expect_refused_by_name(folder.write("g", twice), {"'HEAD' is there more than once", "'POS ' (60 bytes)"},
                         "two headers");
  const std::string plain = gadget({});
  expect_refused_by_name(folder.write("g", plain.substr(0, 264) + plain),
                         {"'POS ' has 256 bytes", "the blocks are 'HEAD' (256 bytes), 'POS ' (256 bytes)"},
                         "two headers without labels");
}

}  // namespace
}  // namespace pleiad
