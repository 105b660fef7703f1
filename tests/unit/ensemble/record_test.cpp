/// What a checkpoint keeps of an ensemble: all of it, bit for bit, and nothing that is not its own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/ensemble/record.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <cstring>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

Options options_of(std::uint64_t count) {
  Options o;
  o.ic.model = "two-body";
  o.time.integrator = "dkd", o.time.dt = 0.125;
  o.ensemble.count = count;
  return o;
}

/// Three systems of 2, 3 and 1 bodies, with laws, clocks, statuses and histories of their own.
struct Three {
  Ensemble ensemble;
  std::vector<History> histories;
  Three() : ensemble(members()), histories(3) {
    ensemble.retire(0, MemberStatus::escaped);
    ensemble.retire(2, MemberStatus::step_too_small);
    for (std::size_t k = 0; k < 3; ++k) {
      auto& h = histories[k];
      h.add({.time = 0.1 * double(k), .step = k, .virial_ratio = 0.3, .escapers = k, .escaper = 7 + k});
      h.add({.time = 0.2 + double(k), .closest = 1e-3 / double(k + 1)});
    }
  }
  static std::vector<Member> members() {
    std::vector<Member> all;
    for (std::size_t k = 0; k < 3; ++k) {
      Member m;
      for (std::size_t i = 0; i < (k == 2 ? 1 : k + 2); ++i) {
        m.state.bodies.add(1.0 / double(i + 3), {double(k), double(i), 0}, {0, 0.1 * double(k), 0},
                           k == 1 ? Type::star : Type::halo);
        m.state.bodies.id[i] = 100 * k + i;
      }
      m.gravity = {.G = 1 + double(k), .softening = {0.5 * double(k)}, .dimension = k == 0 ? 2 : 3};
      if (k > 0) m.gravity.boundary = {true, {9, 10, 11}, k == 2 ? Images::all : Images::nearest};
      m.method = {.integrator = &integrator_named("dkd"), .dt = 0.125};
      m.clock = {.start = -1, .time = -1 + 0.125 * double(k), .step = k, .next_dt = 0.01};
      m.state.time = m.clock.time;
      all.push_back(m);
    }
    return all;
  }
};

Checkpoint saved(const Three& three) {
  Checkpoint c;
  save_ensemble(c, three.ensemble, three.histories);
  return c;
}

std::string refusal(const Checkpoint& c, std::uint64_t systems = 3) {
  try {
    load_ensemble(c, Scan(options_of(systems)));
  } catch (const InputError& e) {
    return e.what();
  }
  return "(accepted)";
}

/// The records with number `at` of system k replaced.
Checkpoint with(Checkpoint c, std::size_t k, std::size_t at, std::uint64_t value) {
  auto& records = c.extra["ensemble"];
  std::memcpy(&records[k * records.size() / 3 + 8 * at], &value, 8);
  return c;
}

}  // namespace

TEST(Record, GivesBackEverySystem) {
  const Three three;
  const auto c = saved(three);
  EXPECT_EQ(c.snapshot.bodies, all_bodies(three.ensemble));
  const auto back = load_ensemble(c, Scan(options_of(3)));
  ASSERT_EQ(back.members.size(), 3u);
  const auto truth = Three::members();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& [m, t] = std::pair(back.members[k], truth[k]);
    EXPECT_EQ(m.state.bodies, t.state.bodies) << k;
    EXPECT_EQ(m.state.time, t.clock.time) << k;
    EXPECT_EQ(m.state.step, k);
    EXPECT_EQ(m.gravity.G, t.gravity.G) << k;
    EXPECT_EQ(m.gravity.softening.eps, t.gravity.softening.eps) << k;
    EXPECT_EQ(m.gravity.dimension, t.gravity.dimension) << k;
    EXPECT_EQ(m.gravity.boundary.periodic, t.gravity.boundary.periodic) << k;
    EXPECT_EQ(m.gravity.boundary.all_images(), t.gravity.boundary.all_images()) << k;
    EXPECT_EQ(m.gravity.boundary.length, t.gravity.boundary.length) << k;
    EXPECT_EQ(m.method.integrator, t.method.integrator) << k;
    EXPECT_EQ(m.clock.start, -1) << k;
    EXPECT_EQ(m.clock.step, k);
    EXPECT_EQ(m.clock.next_dt, 0.01) << k;
    EXPECT_EQ(back.statuses[k], three.ensemble.status(k)) << k;
    const auto &h = back.histories[k], &g = three.histories[k];
    EXPECT_EQ(h.diagnosed, 2u);
    EXPECT_EQ(h.first.escaper, 7 + k);
    EXPECT_EQ(h.first.virial_ratio, 0.3);
    EXPECT_EQ(h.last.time, g.last.time);
    EXPECT_EQ(h.closest, g.closest);
    EXPECT_EQ(std::memcmp(&h.escape_time, &g.escape_time, 8), 0) << "it may be no number";
  }
}

TEST(Record, RefusesWhatIsNotOfItsConfiguration) {
  const auto c = saved(Three());
  EXPECT_NE(refusal(Checkpoint{}).find("it is of a single system"), std::string::npos);
  EXPECT_NE(refusal(c, 2).find("bytes of records for 2 systems"), std::string::npos) << refusal(c, 2);
  EXPECT_NE(refusal(c, 4).find("bytes of records for 4 systems"), std::string::npos) << refusal(c, 4);
  auto more = c;
  more.snapshot.bodies.add(1, {}, {});
  EXPECT_NE(refusal(more).find("1 bodies belong to no system"), std::string::npos) << refusal(more);
  // Bodies, status and kind of space are the first three numbers of a record.
  EXPECT_NE(refusal(with(c, 1, 0, 5)).find("system 1 is damaged"), std::string::npos);
  EXPECT_NE(refusal(with(c, 1, 0, 2)).find("1 bodies belong to no system"), std::string::npos);
  EXPECT_NE(refusal(with(c, 0, 0, ~std::uint64_t{0})).find("system 0 is damaged"), std::string::npos);
  EXPECT_NE(refusal(with(c, 2, 1, 6)).find("system 2 is damaged"), std::string::npos);
  EXPECT_NE(refusal(with(c, 2, 2, 3)).find("system 2 is damaged"), std::string::npos);
  EXPECT_EQ(refusal(with(c, 2, 1, 5)), "(accepted)");
  // The eleventh number is the time; here it is not one.
  EXPECT_NE(refusal(with(c, 1, 10, 0x7ff8000000000000)).find("system 1: its times must be finite"),
            std::string::npos);
  auto lost = c;
  lost.snapshot.bodies.x[3] = 1.0 / 0.0;
  EXPECT_NE(refusal(lost).find("system 1"), std::string::npos) << refusal(lost);
}
