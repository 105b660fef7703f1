/// How errors of forces are measured: the sample, the exact sums, the percentiles, and bodies that feel
/// nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "reference/reference.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using Vectors = std::vector<Vec3<double>>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Pulls of size 1 that are wrong by k / 1000.
ForceErrors errors_of_growing(std::size_t n) {
  Vectors exact(n, {0, 0, 1}), found = exact;
  for (std::size_t k = 0; k < n; ++k) found[(k * 7) % n].x = double(k) / 1000;
  return errors_of(found, exact);
}

}  // namespace

TEST(ForceErrors, ArePercentilesWhateverTheOrder) {
  const auto e = errors_of_growing(1000);
  EXPECT_EQ(e.sample, 1000U);
  EXPECT_EQ(e.median, 0.5);
  EXPECT_EQ(e.p99, 0.99);
  EXPECT_EQ(e.largest, 0.999);
}

TEST(ForceErrors, OfOneBodyAreItsOwnAndOfNoneZero) {
  const Vectors exact{{3, 4, 0}}, found{{3, 4, 0.5}};
  const auto one = errors_of(found, exact);
  EXPECT_EQ(one.sample, 1U);
  for (const double e : {one.median, one.p99, one.largest}) EXPECT_EQ(e, 0.1);
  const auto none = errors_of({}, {});
  EXPECT_EQ(none.sample, 0U);
  EXPECT_EQ(none.largest, 0);
}

TEST(ForceErrors, CountWhatIsNoNumberAsInfinite) {
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    const Vectors exact(10, {1, 0, 0});
    auto found = exact;
    found[3].y = bad;
    EXPECT_EQ(errors_of(found, exact).largest, infinity) << bad;
    EXPECT_EQ(errors_of(found, exact).median, 0) << bad;
    // Sums that are no numbers themselves must not pass for exact ones.
    EXPECT_EQ(errors_of(exact, found).largest, infinity) << bad;
  }
  const Vectors all(200, {std::nan(""), 0, 0});
  const auto e = errors_of(all, all);
  for (const double each : {e.median, e.p99, e.largest}) EXPECT_EQ(each, infinity);
}

TEST(ForceErrors, OfABodyThatFeelsNothingAreZeroOrInfinite) {
  const Vectors exact{{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(errors_of(exact, exact).largest, 0);
  EXPECT_EQ(errors_of(Vectors{{0, 0, 0}, {0, 1e-30, 0}}, exact).largest, infinity);
}

TEST(ForceErrors, OfABodyWherePullsCancelCountAgainstTheRoundingOfItsSumAlone) {
  // 99 bodies feel 1e6, one feels 1e-3 and gets 1e-5 more: its error is 1e-2, whatever the others feel.
  Vectors exact(100, {1e6, 0, 0});
  exact[7] = {1e-3, 0, 0};
  auto found = exact;
  found[7].y = 1e-5;
  EXPECT_NEAR(errors_of(found, exact).largest, 1e-2, 1e-12);
  // Its sum is known to 1e-4 only.
  std::vector<double> rounding(100);
  rounding[7] = 1e-2;
  const auto e = errors_of(found, exact, {}, 1, rounding);
  EXPECT_NEAR(e.largest, 1e-3, 1e-12);
  EXPECT_EQ(e.cancelled, 1U);
  EXPECT_EQ(e.others_largest, 0);
  EXPECT_EQ(e.others_p99_high, 0);
}

TEST(ForceErrors, OfOthersAreThoseThatTheRoundingOfASumLeavesVisible) {
  // An acceleration of 50 roundings is known to 2 %, one of 200 to 0.5 %: only the second shows an error of 1
  // %.
  for (const auto& [roundings, largest] : {std::pair{50.0, 0.0}, std::pair{200.0, 0.01}}) {
    Vectors exact(100, {1e6, 0, 0});
    exact[7] = {1, 0, 0};
    auto found = exact;
    found[7].y = 0.01;
    std::vector<double> rounding(100);
    rounding[7] = 1 / roundings;
    const auto e = errors_of(found, exact, {}, 1, rounding);
    EXPECT_EQ(e.cancelled, 0U);
    EXPECT_NEAR(e.largest, 0.01, 1e-12);
    EXPECT_NEAR(e.others_largest, largest, 1e-12);
  }
}

TEST(ForceErrors, OfALatticeAtRestAreRoundingThatIsNoReasonToRefuseIt) {
  // Odd: every pull of a nearest image has its opposite, and what is left is the rounding of the positions.
  Bodies b;
  constexpr int side = 33;
  for (int i = 0; i < side * side; ++i) b.add(1, {(i % side + 0.5) / side, (i / side + 0.5) / side, 0}, {});
  const Gravity gravity{.boundary = {.periodic = true}};
  const auto sample = sample_of(b, b.size());
  const auto exact = exact_accelerations(b, gravity, sample.bodies);
  const auto e = errors_of(Vectors(exact.size()), exact, sample, 1, rounding_of(b, gravity, sample, exact));
  EXPECT_EQ(e.others_p99_high, 0);
  EXPECT_EQ(e.others_largest, 0);
}

namespace {

/// The sum of the magnitudes of all pulls on a body, by the definition.
double magnitudes(const Bodies& b, std::size_t i, double eps, const Boundary& space) {
  double sum = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    auto d = b.position(j) - b.position(i);
    if (space.periodic)
      for (auto* c : {&d.x, &d.y, &d.z}) *c -= std::rint(*c);
    const double r2 = dot(d, d);
    if (j != i) sum += b.mass[j] * std::sqrt(r2) / std::pow(r2 + eps * eps, 1.5);
  }
  return sum;
}

/// A lattice of k^3 bodies in the unit cube, where all pulls of a periodic box cancel.
Bodies lattice(std::size_t k) {
  Bodies b;
  for (std::size_t i = 0; i < k * k * k; ++i)
    b.add(1.0 / double(k * k * k),
          {double(i % k) / double(k), double(i / k % k) / double(k), double(i / k / k) / double(k)}, {});
  return b;
}

}  // namespace

TEST(Rounding, IsFourUlpsOfTheSumOfTheMagnitudesWhereThisMatters) {
  for (const double eps : {0.0, 0.02})
    for (const bool periodic : {true, false}) {
      auto bodies = lattice(7);
      const Gravity gravity{.G = 3, .softening = {eps}, .boundary = {.periodic = periodic}};
      const auto sample = sample_of(bodies, 100);
      EXPECT_TRUE(sample.symmetric());
      const auto exact = exact_accelerations(bodies, gravity, sample.bodies);
      const auto rounding = rounding_of(bodies, gravity, sample, exact);
      std::size_t cancelled = 0;
      for (std::size_t k = 0; k < exact.size(); ++k) {
        const double f = rounding_of_sums * 3 * magnitudes(bodies, sample.bodies[k], eps, gravity.boundary);
        const double given = rounding.empty() ? 0 : rounding[k];
        // Where it is left away, the acceleration is larger.
        if (given > 0) EXPECT_NEAR(given, f, 1e-12 * f);
        else EXPECT_GE(norm(exact[k]), f);
        cancelled += norm(exact[k]) < f;
      }
      EXPECT_EQ(errors_of(exact, exact, sample, 3, rounding).cancelled, cancelled);
      // In a box all cancel; in open space the body in the middle alone, if it is in the sample.
      if (periodic) EXPECT_EQ(cancelled, 100U);
      else EXPECT_LE(cancelled, 1U);
    }
}

TEST(Sample, OfBodiesInNoOrderIsNotSymmetric) {
  Bodies b;
  Random random(5, 0);
  for (int k = 0; k < 500; ++k) b.add(1, random.uniform() * random.direction(), {});
  EXPECT_FALSE(sample_of(b, 100).symmetric());
}

TEST(ForceErrors, AreThoseOfAllBodiesByWeight) {
  // Of 10,000 bodies 9,990 are as wrong as 1e-4; 10, each of which is in the sample, are wrong by 1.
  Sample sample;
  Vectors exact(1000, {0, 0, 1}), found = exact;
  for (std::size_t k = 0; k < 1000; ++k) {
    sample.bodies.push_back(k), sample.weights.push_back(k < 10 ? 1 : 9990.0 / 990);
    found[k].x = k < 10 ? 1 : 1e-4;
  }
  sample.closest = 10;
  const auto e = errors_of(found, exact, sample, 1);
  EXPECT_EQ(e.p99, 1e-4);
  EXPECT_EQ(e.p99_high, 1e-4);
  EXPECT_EQ(e.largest, 1);
  EXPECT_EQ(e.closest, 1);
  EXPECT_TRUE(gross(e, 1e-3, true));
  EXPECT_TRUE(gross(e, 1e-3, false));
  // Unweighted, those ten are the last hundredth.
  EXPECT_EQ(errors_of(found, exact).p99, 1);
}

TEST(ForceErrors, HaveAnIntervalThatHoldsThePercentileOfAll) {
  // Errors of 20,000 bodies from 0 to 1; whatever 1000 of them are drawn, 19,800 / 20,000 lies within in 95 %
  // of the draws: of 200 at least 180, which chance misses once in two thousand times.
  constexpr std::size_t n = 20'000, most = 1000;
  int held = 0;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    Random random(7, draw);
    Sample sample;
    Vectors exact(most, {0, 0, 1}), found = exact;
    for (std::size_t k = 0; k < most; ++k) {
      sample.bodies.push_back(k), sample.weights.push_back(double(n) / most);
      found[k].x = random.uniform();
    }
    const auto e = errors_of(found, exact, sample, 1);
    EXPECT_LT(e.p99_low, e.p99_high);
    held += e.p99_low <= 0.99 && 0.99 <= e.p99_high;
  }
  EXPECT_GE(held, 180);
  // Most of 5000 bodies are looked at; of each of a thousand pairs one is, for both: errors of one
  // population.
  std::vector<double> errors(5000);
  Random population(8, 0);
  for (auto& e : errors) e = population.uniform();
  auto sorted = errors;
  std::ranges::sort(sorted);
  held = 0;
  constexpr int draws = 400;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    Random random(9, draw);
    Sample sample;
    Vectors exact(4000, {0, 0, 1}), found = exact;
    for (std::size_t k = 0; k < 4000; ++k) {
      const std::size_t body = k < 3000 ? k : 3000 + 2 * (k - 3000) + random.bits() % 2;
      sample.bodies.push_back(body), sample.weights.push_back(k < 3000 ? 1 : 2);
      found[k].x = errors[body];
    }
    const auto e = errors_of(found, exact, sample, 1);
    held += e.p99_low <= sorted[4950] && sorted[4950] <= e.p99_high;
  }
  // 95 % of the draws: of 400 at least 364, which chance misses once in two hundred times.
  EXPECT_GE(held, 364);
  // Where all are looked at, nothing is left to chance.
  const auto all = errors_of_growing(1000);
  EXPECT_EQ(all.p99_low, all.p99);
  EXPECT_EQ(all.p99_high, all.p99);
}

namespace {

Bodies shuffled(const Bodies& b, std::uint64_t seed) {
  std::vector<std::size_t> order(b.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  Random random(seed, 0);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.bits() % k]);
  Bodies s;
  for (const auto i : order) s.add(b.mass[i], b.position(i), b.velocity(i), b.type[i]);
  return s;
}

std::vector<std::array<double, 4>> places(const Bodies& b, const Sample& sample) {
  std::vector<std::array<double, 4>> at;
  for (const auto i : sample.bodies) at.push_back({b.x[i], b.y[i], b.z[i], b.mass[i]});
  std::ranges::sort(at);
  return at;
}

/// A heavy shell of radius 1 and light bodies inside, in turns.
Bodies in_turns(std::size_t n) {
  Bodies b;
  Random random(3, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const auto direction = random.direction();
    if (k % 2 == 0) b.add(1, direction, {});
    else b.add(1e-6, 0.5 * std::cbrt(random.uniform()) * direction, {});
  }
  return b;
}

}  // namespace

TEST(ForceErrors, MeetAnAccuracyByTheUpperEndOfTheInterval) {
  for (const bool direct : {false, true}) {
    const ForceErrors e{.p99 = 1e-3, .p99_low = 9e-4, .p99_high = 1.2e-3, .largest = 5e-3};
    EXPECT_TRUE(meet(e, 1.2e-3, direct));
    EXPECT_FALSE(meet(e, 1.19e-3, direct));
  }
}

TEST(Sample, NamesNoBodyTwiceAndItsWeightsAreAllBodies) {
  for (const std::size_t n : {1UL, 2UL, 3UL, 999UL, 1000UL, 1001UL, 1500UL, 20'000UL}) {
    const auto sample = sample_of(in_turns(n), 1000);
    ASSERT_EQ(sample.bodies.size(), std::min<std::size_t>(n, 1000)) << n;
    ASSERT_EQ(sample.weights.size(), sample.bodies.size()) << n;
    auto sorted = sample.bodies;
    std::ranges::sort(sorted);
    EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end()) << n;
    EXPECT_LT(sorted.back(), n);
    double all = 0;
    for (const double w : sample.weights) all += w;
    EXPECT_EQ(all, double(n));
  }
  EXPECT_TRUE(sample_of({}, 1000).bodies.empty());
}

/// Samples of 100 and 1000: of 20,000 bodies the former is drawn from a part that the hash has taken.
TEST(Sample, IsTheSameInAnyOrder) {
  for (const std::size_t n : {500UL, 7000UL, 20'000UL})
    for (const std::size_t most : {100UL, 1000UL}) {
      const auto bodies = in_turns(n);
      const auto first = places(bodies, sample_of(bodies, most));
      for (const std::uint64_t seed : {1, 2, 3}) {
        const auto other = shuffled(bodies, seed);
        EXPECT_EQ(places(other, sample_of(other, most)), first) << n << ", shuffled by " << seed;
      }
    }
}

TEST(Sample, IsTheSameForAnyNumberOfThreads) {
  const auto bodies = in_turns(100'000);
  const auto sample = sample_of(bodies, 500);
  set_threads(1);
  const auto alone = sample_of(bodies, 500);
  set_threads(0);
  EXPECT_EQ(alone.bodies, sample.bodies);
  EXPECT_EQ(alone.weights, sample.weights);
  EXPECT_EQ(alone.acceleration, sample.acceleration);
}

TEST(Sample, OfVeryManyHasAsManyOfEachClassAsThereAre) {
  // Of 100,000 bodies a sample of 200 is drawn from 12,800: the rare class is 1 % of all, so that 128 of
  // these are of it, give or take 11.
  constexpr std::size_t n = 100'000, most = 200;
  Bodies b;
  Random random(9, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const bool rare = k % 100 == 0;
    b.add(rare ? 64 : 1, random.direction(), {}, rare ? Type::star : Type::halo);
  }
  const auto sample = sample_of(b, most);
  ASSERT_EQ(sample.bodies.size(), most);
  double all = 0, of_rare = 0;
  for (std::size_t k = 0; k < most; ++k) {
    all += sample.weights[k];
    if (b.type[sample.bodies[k]] == Type::star) of_rare += sample.weights[k];
  }
  EXPECT_NEAR(all, double(n), 1e-6 * n);
  EXPECT_NEAR(of_rare, n / 100.0, 2.0 * n / most + 32);
}

/// Bodies that share one place and mass have one hash: nothing tells which to take.
TEST(Sample, StandsForAllWhereMostShareTheirPlace) {
  Bodies b;
  Random random(13, 0);
  for (int k = 0; k < 30'000; ++k) b.add(1, k % 3 == 0 ? random.direction() : Vec3<double>{}, {});
  const auto sample = sample_of(b, 100);
  ASSERT_EQ(sample.bodies.size(), 100U);
  double in_one = 0;
  for (std::size_t k = 0; k < 100; ++k)
    if (norm(b.position(sample.bodies[k])) == 0) in_one += sample.weights[k];
  EXPECT_NEAR(in_one, 20'000, 700);
}

TEST(Sample, HasAsManyOfEachClassAsThereAre) {
  // Every period of the file must be seen, whatever it is.
  constexpr std::size_t n = 30'000;
  for (const std::size_t period : {2UL, 3UL, 10UL, 30UL}) {
    Bodies b;
    Random random(5, period);
    for (std::size_t k = 0; k < n; ++k) {
      const bool odd = k % period == 0;
      b.add(odd ? 64 : 1, (odd ? 10 : 1) * random.direction(), {}, odd ? Type::halo : Type::disc);
    }
    const auto sample = sample_of(b, 1000);
    double heavy = 0;
    for (std::size_t k = 0; k < sample.bodies.size(); ++k)
      heavy += b.mass[sample.bodies[k]] == 64 ? sample.weights[k] : 0;
    // Classes of another type are apart in the order of the strata: the border's part and the closest.
    EXPECT_NEAR(heavy, double(n / period), 32 + 2 * n / 1000.0) << "period " << period;
  }
}

TEST(Sample, HasTheClosestNeighboursWhereverTheyAre) {
  // Pairs of 1e-12 and 1e-9 in a system of size 1: across the middle of all axes, across a face, anywhere;
  // and the whole far smaller than the distance of one body.
  for (const auto& at : {Vec3<double>{0, 0, 0}, Vec3<double>{0.25, 0, 0.5}, Vec3<double>{0.3, -0.1, 0.2}})
    for (const double d : {1e-12, 1e-9})
      for (const double far : {1.0, 1e8}) {
        Bodies b;
        Random random(11, 0);
        for (int k = 0; k < 20'000; ++k)
          b.add(1, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, {});
        b.add(1, at - Vec3<double>{d / 2, d / 3, d / 2}, {});
        b.add(1, at + Vec3<double>{d / 2, d / 3, d / 2}, {});
        b.add(1, {far, far, -far}, {});
        for (const std::size_t most : {100UL, 1000UL}) {
          const auto sample = sample_of(b, most);
          const auto closest = std::span(sample.bodies).first(sample.closest);
          for (const std::size_t i : {20'000UL, 20'001UL})
            EXPECT_NE(std::ranges::find(closest, i), closest.end())
                << at.x << ", " << d << " apart, far " << far;
          EXPECT_NEAR(sample.separation, d, 1e-3 * d);
        }
      }
}

TEST(Sample, TellsThePercentileOfAllBodies) {
  // Errors that a class, the density or the mass decides: the estimate must be the percentile of all.
  const std::vector<std::string> settings{"n=12000"};
  auto plummer = make_model("plummer", settings, 5).bodies;
  for (std::size_t i = 0; i < plummer.size(); ++i) plummer.mass[i] *= i % 3 == 0 ? 100 : 1;
  for (const auto& b : {in_turns(12'000), plummer}) {
    const auto error_of = [&](std::size_t i) {
      return b.mass[i] > 1e-3 ? 1e-4 : 1e-2 * (1 + norm(b.position(i)));
    };
    Vectors exact(b.size(), {0, 0, 1}), found = exact;
    for (std::size_t i = 0; i < b.size(); ++i) found[i].x = error_of(i);
    const double right = errors_of(found, exact).p99;
    auto sample = sample_of(b, 1000);
    sample.acceleration = 0;  // these pulls are made up
    Vectors some_exact(1000, {0, 0, 1}), some = some_exact;
    for (std::size_t k = 0; k < 1000; ++k) some[k].x = error_of(sample.bodies[k]);
    const auto e = errors_of(some, some_exact, sample, 1);
    EXPECT_LE(e.p99_low, right);
    EXPECT_GE(e.p99_high, right);
    EXPECT_NEAR(e.p99, right, 0.25 * right);
  }
}

TEST(Sample, IsSmallerWhereEveryBodyCostsMore) {
  EXPECT_EQ(sample_size(1'000'000'000), 4000U);
  EXPECT_EQ(sample_size(1'000'000, true), 10'000U);
  EXPECT_EQ(sample_size(1'000'000'000, true), 5'000U);
}

TEST(ExactAccelerations, AreThoseOfTheReference) {
  const std::vector<std::string> settings{"n=777"};
  auto bodies = make_model("plummer", settings, 5).bodies;
  // Two at one place do not pull each other, nor does anybody itself.
  bodies.x[10] = bodies.x[500], bodies.y[10] = bodies.y[500], bodies.z[10] = bodies.z[500];
  std::vector<Mass<double>> masses;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    masses.push_back({bodies.x[i], bodies.y[i], bodies.z[i], bodies.mass[i]});
  const std::vector<std::size_t> chosen{0, 3, 10, 500, 776};
  for (const Boundary& boundary : {Boundary{}, Boundary{true, {40, 50, 60}}}) {
    const Gravity gravity{.G = 3, .softening = {0.01}, .boundary = boundary};
    const auto found = exact_accelerations(bodies, gravity, chosen);
    const auto right = reference::pulls(chosen, masses, gravity.softening, boundary);
    ASSERT_EQ(found.size(), chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const Vec3<double> a{3 * double(right[k].x), 3 * double(right[k].y), 3 * double(right[k].z)};
      // 777 terms, each with some roundings of 2^-53; they cancel to about a tenth of their sizes.
      EXPECT_LE(norm(found[k] - a), 1e-13 * norm(a)) << "body " << chosen[k];
    }
  }
}

TEST(ExactAccelerations, OfABodyThatIsAloneAreZero) {
  Bodies one;
  one.add(1, {1, 2, 3}, {0, 0, 0});
  const std::vector<std::size_t> chosen{0};
  EXPECT_EQ(norm(exact_accelerations(one, {}, chosen)[0]), 0);
  EXPECT_TRUE(exact_accelerations(one, {}, {}).empty());
}

}  // namespace pleiad
