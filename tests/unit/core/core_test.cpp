/// The small parts that everything rests on.
#include "core/part.hpp"
#include "core/round_down.hpp"
#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>
#include <pleiad/units.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

using namespace pleiad;

TEST(RoundDown, GivesOneTwoOrFiveTimesAPowerOfTen) {
  for (const auto& [x, round] : {std::pair{1.0, 1.0},
                                 {1.99, 1.0},
                                 {2.0, 2.0},
                                 {4.999, 2.0},
                                 {5.0, 5.0},
                                 {9.99, 5.0},
                                 {10.0, 10.0},
                                 {0.0031, 0.002},
                                 {7e12, 5e12},
                                 {1e-300, 1e-300}})
    EXPECT_NEAR(round_down(x), round, 1e-13 * round) << x;
  // A number of this form stays itself, whatever its last bits.
  for (int power = -20; power <= 20; ++power)
    for (const double lead : {1.0, 2.0, 5.0}) {
      const double x = lead * std::pow(10.0, power);
      for (const double near : {x * (1 - 1e-15), x, x * (1 + 1e-15)})
        EXPECT_NEAR(round_down(near), x, 1e-13 * x) << x;
    }
}

// Known answers of Random123's kat_vectors for philox4x32-10.
TEST(Philox, GivesThePublishedKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, HasTheMomentsOfItsDistributions) {
  // 1e5 draws: the standard error of a mean of uniforms is 0.29/sqrt(1e5) = 9e-4, of normals 3.2e-3; bounds
  // are five of them.
  double mean = 0, square = 0, gauss = 0, gauss2 = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    Random r(7, i);
    const double u = r.uniform(), g = r.normal();
    mean += u, square += u * u, gauss += g, gauss2 += g * g;
  }
  EXPECT_LE(std::abs(mean / 1e5 - 0.5), 4.6e-3);
  EXPECT_LE(std::abs(square / 1e5 - 1 / 3.0), 4.8e-3);
  EXPECT_LE(std::abs(gauss / 1e5), 1.6e-2);
  EXPECT_LE(std::abs(gauss2 / 1e5 - 1), 2.3e-2);
}

TEST(BlockedSum, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<double> values(100003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = Random(1, i).normal();
  std::vector<double> sums;
  for (const int t : {1, 2, 3, 7}) {
    set_threads(t);
    sums.push_back(blocked_sum<double>(values.size(), [&](std::size_t begin, std::size_t end) {
      double s = 0;
      for (std::size_t i = begin; i < end; ++i) s += values[i];
      return s;
    }));
  }
  set_threads(0);
  for (const double s : sums) EXPECT_EQ(s, sums[0]);
}

TEST(BlockedFold, JoinsWhatBlocksGiveInTheirOrderFromTheStart) {
  const auto ends = [](std::size_t begin, std::size_t end) { return std::vector{begin, end}; };
  const auto join = [](std::vector<std::size_t> all, const std::vector<std::size_t>& next) {
    all.insert(all.end(), next.begin(), next.end());
    return all;
  };
  using Ends = std::vector<std::size_t>;
  for (const int t : {1, 3}) {
    set_threads(t);
    EXPECT_EQ(blocked_fold(2 * sum_block + 5, Ends{7}, ends, join),
              (Ends{7, 0, sum_block, sum_block, 2 * sum_block, 2 * sum_block, 2 * sum_block + 5}));
    EXPECT_EQ(blocked_fold(0, Ends{7}, ends, join), Ends{7});
  }
  set_threads(0);
}

TEST(Nearest, FindsTyposAndNothingElse) {
  constexpr std::array<std::string_view, 3> names{"softening", "dt", "t_end"};
  EXPECT_EQ(nearest("sofetning", names), "softening");
  EXPECT_EQ(nearest("tend", names), "t_end");
  EXPECT_EQ(nearest("zzzzzzzz", names), "");
  const std::array<std::string_view, 3> short_ones{"n", "G", "dt"};
  EXPECT_EQ(nearest("w0", short_ones), "") << "it has no letter of theirs";
  EXPECT_EQ(nearest("m", short_ones), "");
  EXPECT_EQ(nearest("dt0", short_ones), "dt");
  const std::array<std::string_view, 3> backends{"auto", "cpu", "cuda"};
  EXPECT_EQ(nearest("gpu", backends), "cuda");
  EXPECT_EQ(nearest("cpuu", backends), "cpu");
}

TEST(Units, GalacticHasGadgetsG) {
  const auto u = units_named("galactic");
  EXPECT_LE(std::abs(6.672e-8 * u.mass_g / (u.length_cm * u.velocity_cm_s * u.velocity_cm_s) - u.G()),
            0.3);  // GADGET's rounded G
  EXPECT_LE(std::abs(units_named("cluster").G() - 0.0043009), 5e-8);
}

TEST(Units, TimesAreShownInTheUnitsOfTheField) {
  const auto shown = [](double t, const char* system) { return time_in_words(t, units_named(system)); };
  EXPECT_EQ(shown(1, "galactic"), "0.977792 Gyr");
  EXPECT_EQ(shown(2, "cluster"), "1.95558 Myr");
  EXPECT_EQ(shown(6.283185307179586, "solar"), "1.00002 yr") << "a Gaussian year in Julian ones";
  EXPECT_EQ(shown(1234.5, "nbody"), "1234.5");
  EXPECT_EQ(shown(0, "si"), "0 s");
  EXPECT_EQ(shown(3.15576e7 * 1e5, "cgs"), "100 kyr");
  // One unit for a whole axis, in every system: below 10,000 of it, and above a tenth of the system's own.
  for (const auto name : unit_system_names()) {
    const auto units = units_named(name);
    if (!units.physical) continue;
    for (double longest = 1e-3; longest < 1e20; longest *= 7) {
      const auto unit = time_unit_of(units, longest);
      EXPECT_TRUE(longest * units.time_s() < 1e4 * unit.seconds || unit.name == "Gyr") << name << longest;
      EXPECT_LE(time_unit_of(units).seconds, unit.seconds) << name;
    }
  }
}

TEST(Units, ConvertThereAndBackGivesTheSameBodies) {
  Bodies b;
  b.add(2, {1, 2, 3}, {4, 5, 6});
  const auto from = units_named("galactic"), to = units_named("si");
  Bodies c = b;
  convert(c, from, to);
  EXPECT_LE(std::abs(c.x[0] / 3.085678e19 - 1), 1e-15);
  convert(c, to, from);
  EXPECT_LE(std::abs(c.x[0] - 1), 4e-16);
  EXPECT_LE(std::abs(c.vz[0] - 6), 2e-15);
  EXPECT_LE(std::abs(c.mass[0] - 2), 9e-16);
  EXPECT_THROW(convert(c, units_named("nbody"), to), UsageError);
}

TEST(Validate, NamesTheFirstBadBodyAndTheCount) {
  Bodies b;
  for (int i = 0; i < 5; ++i) b.add(1, {double(i), 0, 0}, {});
  EXPECT_NO_THROW(validate(b, 0, "test"));
  b.x[2] = b.x[4] = std::numeric_limits<double>::quiet_NaN();
  try {
    validate(b, 0, "test");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("body 2 has x = nan (and 1 more bodies)"), std::string::npos)
        << e.what();
  }
  b.x[2] = 1, b.x[4] = 4;
  EXPECT_THROW(validate(b, 0, "test"), InputError);  // 1 and 2 coincide
  EXPECT_NO_THROW(validate(b, 0.1, "test"));
  b.mass.assign(5, 0);
  EXPECT_THROW(validate(b, 0.1, "test"), InputError);
  EXPECT_THROW(validate(Bodies{}, 0.1, "test"), InputError);
}

namespace {

/// Bodies anywhere on a line, so many that they are looked at in parts.
Bodies many() {
  Bodies b;
  Random random(21, 0);
  for (int k = 0; k < 100'000; ++k) b.add(1, {random.uniform(), 0, 0}, {});
  return b;
}

}  // namespace

TEST(CoincidentPair, IsTheFirstAlongXAndOfThoseThereTheFirstTwo) {
  auto b = many();
  const std::array none{b.size(), b.size()};
  EXPECT_EQ(coincident_pair(b), none);
  b.x[70'000] = b.x[90'000] = 0.5;
  EXPECT_EQ(coincident_pair(b), (std::array<std::size_t, 2>{70'000, 90'000}));
  for (const std::size_t i : {99'999UL, 30'000UL, 50'000UL}) b.x[i] = -0.0;
  b.x[40'000] = 0.0;  // -0 and 0 are one place
  EXPECT_EQ(coincident_pair(b), (std::array<std::size_t, 2>{30'000, 40'000}));
  b.y[30'000] = 1;
  EXPECT_EQ(coincident_pair(b), (std::array<std::size_t, 2>{40'000, 50'000}));
  b.x[1] = b.x[2] = std::numeric_limits<double>::quiet_NaN();  // nowhere
  EXPECT_EQ(coincident_pair(b), (std::array<std::size_t, 2>{40'000, 50'000}));
  b.x.assign(b.size(), 3), b.y.assign(b.size(), 3);
  EXPECT_EQ(coincident_pair(b), (std::array<std::size_t, 2>{0, 1}));
  EXPECT_EQ(coincident_pair({}), (std::array<std::size_t, 2>{0, 0}));
}

TEST(Validate, NamesTheFirstRepeatedIdInAnyOrder) {
  auto b = many();
  std::ranges::reverse(b.id);
  EXPECT_NO_THROW(validate(b, 0.1, "test"));
  b.id[60'000] = b.id[80'000];
  b.id[70'000] = b.id[7];
  try {
    validate(b, 0.1, "test");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "test: body 70000 repeats the id 99992; ids must be unique: "
              "initial_conditions.renumber = true numbers the bodies anew");
  }
}

TEST(Validate, CountsBadBodiesWhereverTheyAre) {
  auto b = many();
  b.vy[9'000] = b.vy[50'000] = b.vy[99'999] = std::numeric_limits<double>::infinity();
  try {
    validate(b, 0.1, "test");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("body 9000 has vy = inf (and 2 more bodies)"), std::string::npos)
        << e.what();
  }
}

TEST(Bodies, OfWhichTheFirstAreTaken) {
  const auto b = many();
  const auto some = first_of(b, 3);
  auto right = b;
  right.resize(3);
  EXPECT_EQ(some, right);
  EXPECT_EQ(first_of(b, b.size() + 1), b);
}

TEST(Bodies, OfWhichTheFirstAreTakenWhereForcesNeedNoMore) {
  Bodies b;
  b.x = b.y = b.z = b.mass = {1, 2, 3, 4};
  const auto some = first_of(b, 2);
  EXPECT_EQ(some.x, (std::vector<double>{1, 2}));
  EXPECT_EQ(some.mass, (std::vector<double>{1, 2}));
  EXPECT_TRUE(some.vx.empty() && some.id.empty() && some.type.empty());
}
