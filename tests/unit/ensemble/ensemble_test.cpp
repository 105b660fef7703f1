/// An ensemble's members have the bits of single runs, and fail alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"

#include <pleiad/ensemble.hpp>
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;

namespace {

Snapshot plummer(std::size_t n, std::uint64_t seed) {
  const std::array settings{fmt::format("n={}", n)};
  return make_model("plummer", settings, seed);
}

struct Case {
  std::string integrator;
  bool adaptive;
  Precision precision;
};

}  // namespace

TEST(Ensemble, MembersHaveTheBitsOfSingleRunsForAnyNumberOfThreads) {
  // Sizes on both sides of the kernels' limits (192: pairs once; 640: several threads), different in one
  // ensemble.
  constexpr std::array<std::size_t, 7> sizes{1, 2, 3, 64, 191, 200, 700};
  const EngineOptions defaults{.backend = "cpu"};
  for (const Case& c : {Case{"kdk", false, Precision::mixed}, Case{"forest-ruth", false, Precision::f32},
                        Case{"hermite4", true, Precision::f64}, Case{"euler", false, Precision::f64}}) {
    for (const int count : {1, 3}) {
      EngineOptions options = defaults;
      options.precision = c.precision, options.threads = count;
      std::vector<Member> members;
      for (std::size_t k = 0; k < sizes.size(); ++k)
        members.push_back(member_of(plummer(sizes[k], k + 1), {.softening = {0.02 + 0.01 * double(k)}},
                                    {.integrator = &integrator_named(c.integrator),
                                     .dt = k % 2 ? 0x1p-7 : 0x1p-8,
                                     .adaptive = c.adaptive}));
      const auto alone = members;
      Ensemble ensemble(std::move(members), options);
      ensemble.run_towards(0x1p-5, 1);  // in pieces, which single runs are not
      ensemble.run_until(0x1p-5);
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        Simulation single(alone[k].state, alone[k].gravity, alone[k].method, options);
        single.run_until(0x1p-5);
        EXPECT_EQ(state_hash(ensemble.snapshot(k).bodies), state_hash(single.snapshot().bodies))
            << c.integrator << ", n = " << sizes[k] << ", threads = " << count;
        EXPECT_EQ(ensemble.clock(k).step, single.step());
        EXPECT_EQ(ensemble.snapshot(k).time, 0x1p-5);
      }
    }
  }
  set_threads(0);
}

TEST(Ensemble, ContinuesFromItsClocksBitForBit) {
  const Method method{.integrator = &integrator_named("hermite4"), .dt = 0x1p-6, .adaptive = true};
  const Gravity gravity{.softening = {0.01}};
  const EngineOptions options{.backend = "cpu"};
  const auto start = [&] {
    std::vector<Member> members;
    for (std::uint64_t k = 0; k < 5; ++k) members.push_back(member_of(plummer(16, k), gravity, method));
    return members;
  };
  Ensemble whole(start(), options), first(start(), options);
  whole.run_until(0.25);
  first.run_towards(0.25, 7);
  std::vector<Member> saved;
  for (std::size_t k = 0; k < first.size(); ++k)
    saved.push_back({first.snapshot(k), first.gravity(k), first.method(k), first.clock(k)});
  Ensemble rest(std::move(saved), options);
  rest.run_until(0.25);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    EXPECT_EQ(state_hash(whole.snapshot(k).bodies), state_hash(rest.snapshot(k).bodies));
    EXPECT_EQ(whole.clock(k).step, rest.clock(k).step);
  }
}

TEST(Ensemble, MayHoldNothingAndSystemsOfNothing) {
  Ensemble none(std::vector<Member>{});
  none.run_until(1);
  EXPECT_EQ(none.size(), 0u);
  const Method method{.integrator = &integrator_named("kdk"), .dt = 0.5};
  std::vector<Member> one;
  one.push_back(member_of({}, {}, method));
  Ensemble empty(std::move(one), {.backend = "cpu"});
  empty.run_until(1);
  EXPECT_EQ(empty.clock(0).step, 2u);
  EXPECT_EQ(empty.snapshot(0).bodies.size(), 0u);
}

TEST(Ensemble, LeavesAMemberThatFailsWhereItIs) {
  // Two bodies fall onto each other without softening: the adaptive step shrinks until time stands still.
  Snapshot fall;
  fall.bodies.add(1, {-1, 0, 0}, {});
  fall.bodies.add(1, {1, 0, 0}, {});
  const Method method{.integrator = &integrator_named("hermite4"), .dt = 0.01, .adaptive = true};
  std::vector<Member> members;
  members.push_back(member_of(fall, {}, method));
  members.push_back(member_of(plummer(3, 1), {.softening = {0.1}}, method));
  Ensemble ensemble(std::move(members), {.precision = Precision::f64, .backend = "cpu"});
  ensemble.run_until(4);
  EXPECT_EQ(ensemble.status(0), MemberStatus::step_too_small);
  EXPECT_LE(ensemble.clock(0).time, 3.2);  // they meet at pi sqrt(d^3 / 8 G M) = pi sqrt(8 / 16) = 2.2
  EXPECT_EQ(ensemble.status(1), MemberStatus::going);
  EXPECT_EQ(ensemble.clock(1).time, 4);
  ensemble.retire(1, MemberStatus::energy_limit);
  ensemble.run_until(5);
  EXPECT_EQ(ensemble.clock(1).time, 4);
}

TEST(Ensemble, LetsAMemberRestAtItsLastStepWhateverTheBatches) {
  const Method method{.integrator = &integrator_named("hermite4"), .dt = 0x1p-6, .adaptive = true};
  std::vector<std::string> hashes;
  for (const std::uint64_t batch : {1, 7, 1000}) {
    std::vector<Member> members;
    members.push_back(member_of(plummer(8, 1), {.softening = {0.01}}, method));
    Ensemble ensemble(std::move(members), {.backend = "cpu"});
    ensemble.limit_steps(40);
    while (!ensemble.run_towards(10, batch)) {
    }
    EXPECT_EQ(ensemble.clock(0).step, 40u);
    EXPECT_EQ(ensemble.status(0), MemberStatus::step_limit);
    hashes.push_back(state_hash(ensemble.snapshot(0).bodies));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Ensemble, NamesTheMemberThatCannotBe) {
  std::vector<Member> members;
  const Method good{.integrator = &integrator_named("kdk"), .dt = 0.25};
  Method bad = good;
  bad.dt = -1;
  members.push_back(member_of(plummer(2, 1), {}, good));
  members.push_back(member_of(plummer(2, 2), {}, bad));
  try {
    Ensemble ensemble(std::move(members), {.backend = "cpu"});
    FAIL() << "dt = -1 is accepted";
  } catch (const UsageError& e) {
    EXPECT_EQ(std::string(e.what()).find("member 1: dt"), 0u) << e.what();
  }
  for (const Gravity& law : {Gravity{.softening = {-0.1}}, Gravity{.softening = {NAN}}, Gravity{.G = 0}}) {
    std::vector<Member> two;
    two.push_back(member_of(plummer(2, 1), {}, good));
    two.push_back(member_of(plummer(2, 2), law, good));
    EXPECT_THROW(Ensemble(std::move(two), {.backend = "cpu"}), UsageError);
    EXPECT_THROW(Simulation(plummer(2, 1), law, good, {.backend = "cpu"}), UsageError);
  }
  std::vector<Member> one;
  one.push_back(member_of(plummer(2, 1), {}, good));
  Ensemble ensemble(std::move(one), {.backend = "cpu"});
  EXPECT_THROW(ensemble.run_until(0.3), UsageError);
}
