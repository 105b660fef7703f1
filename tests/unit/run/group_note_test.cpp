/// What close binaries cost steps of single stars, and the note of it in runs and ensembles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/group_note.hpp"

#include "run/observer.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

constexpr double eta = 0.005, dt = 1.0 / 16;

Method method() { return {.integrator = &integrator_named("hermite4-block"), .dt = dt, .eta = eta}; }
Gravity bare() { return {.G = 1, .softening = {}, .boundary = {}, .dimension = 3}; }

/// A sphere of single stars, the first of which is a pair of half of its mass each.
Snapshot with_pair(std::size_t n, double semi_major_axis) {
  auto s = model("plummer", {{"n", double(n)}});
  auto& b = s.bodies;
  const double m = b.mass[0] / 2, r = semi_major_axis / 2, v = std::sqrt(2 * m / semi_major_axis) / 2;
  b.mass[0] = m;
  b.add(m, b.position(0) - Vec3<double>{r, 0, 0}, b.velocity(0) - Vec3<double>{0, v, 0});
  b.x[0] += r, b.vy[0] += v;
  b.id.back() = n;
  return s;
}

class Hearing : public Observer {
 public:
  void started(const Started& run) override { at_start = run.notes; }
  void note(const std::string& text) override { later.push_back(text); }
  std::vector<std::string> at_start, later;
};
std::ptrdiff_t told(const std::vector<std::string>& notes) {
  return std::ranges::count_if(notes,
                               [](const auto& n) { return n.find("time.groups") != std::string::npos; });
}

}  // namespace

TEST(GroupNote, CountsTheStepsOfACloseBinary) {
  // Each of 100 bodies has a mass of 0.01: the pair goes round in 2 pi sqrt(a^3 / 0.01).
  const double a = 1e-5;
  const auto found = close_binaries(with_pair(100, a), dt, eta);
  EXPECT_EQ(found.binaries, 1U);
  const double omega = std::sqrt(0.01 / (a * a * a));
  EXPECT_NEAR(found.shortest_period, 2 * std::numbers::pi / omega, 1e-6 * found.shortest_period);
  // Both stars have 89 steps in an orbit; of the others none has more than a hundred in dt.
  const double of_pair = 2 * dt * omega / std::sqrt(eta);
  EXPECT_GE(found.gain, of_pair / (100 * 100.0));
  EXPECT_LE(found.gain, 1 + of_pair / 100);
  EXPECT_NEAR(found.share, 1 - 1 / found.gain, 1e-12);
  // A binary too wide for a group is no gain.
  EXPECT_EQ(close_binaries(with_pair(100, 0.02), dt, eta).gain, 1);
}

TEST(GroupNote, IsForStepsOfSingleStarsThatMayHaveGroups) {
  const auto close = with_pair(100, 1e-5);
  const auto note = group_note(close, bare(), method());
  ASSERT_TRUE(note);
  EXPECT_NE(note->find("1 close binary with periods from 2e-06 on takes 100 % of the steps"),
            std::string::npos)
      << *note;
  EXPECT_NE(note->find("time.groups = \"regularised\""), std::string::npos);
  EXPECT_FALSE(group_note(model("plummer", {{"n", 100.0}}), bare(), method()));
  auto soft = bare();
  soft.softening.eps = 1e-3;
  EXPECT_FALSE(group_note(close, soft, method()));
  auto grouped = method();
  grouped.blocks.groups = CloseGroups::regularised;
  EXPECT_FALSE(group_note(close, bare(), grouped));
  auto other = method();
  other.integrator = &integrator_named("hermite4");
  EXPECT_FALSE(group_note(close, bare(), other));
  // Groups that would save little are not worth their cost.
  const auto loose = with_pair(100, 1e-3);
  const double gain = close_binaries(loose, dt, eta).gain;
  EXPECT_TRUE(gain > 1);
  EXPECT_EQ(group_note(loose, bare(), method()).has_value(), gain >= 5);
  for (const std::size_t n : {1UL, 2UL}) {
    auto few = with_pair(n, 1e-5);
    EXPECT_TRUE(group_note(few, bare(), method())) << n;
  }
  EXPECT_FALSE(group_note(model("plummer", {{"n", 1.0}}), bare(), method()));
  // Of systems it names the worst.
  const std::vector<Member> members{member_of(model("plummer", {{"n", 100.0}}), bare(), method()),
                                    member_of(with_pair(100, 1e-4), bare(), method()),
                                    member_of(close, bare(), method())};
  const auto worst = group_note(members);
  ASSERT_TRUE(worst);
  EXPECT_TRUE(worst->starts_with("system 2: 1 close")) << *worst;
}

TEST(GroupNote, IsToldOnceByARunAtItsStartOrWhenABinaryIsThere) {
  const test::Folder folder;
  const auto request = [&](const std::string& to) {
    Request r;
    auto& o = r.options;
    o.time.integrator = "hermite4-block", o.time.dt = 0x1p-10, o.time.t_end = 0x1p-7, o.time.eta = eta;
    o.engine.backend = "cpu", o.engine.precision = "f64";
    o.output.directory = (folder.path / to).string();
    o.output.pictures = o.output.plots = false;
    o.limits.max_energy_error = 0;
    return r;
  };
  auto at_start = request("start");
  at_start.options.ic.model = "cluster";
  at_start.options.ic.parameters = {"n=20",
                                    "half_mass_radius=0.1",
                                    "binaries=0.5",
                                    "separation=log-uniform",
                                    "separation_min=10",
                                    "separation_max=20"};
  Hearing first, none, later;
  at_start.observer = &first;
  ASSERT_EQ(execute(at_start), End::done);
  EXPECT_EQ(told(first.at_start), 1);
  EXPECT_EQ(told(first.later), 0);
  auto grouped = at_start;
  grouped.options.time.groups = "regularised";
  grouped.options.output.directory = (folder.path / "grouped").string();
  grouped.observer = &none;
  ASSERT_EQ(execute(grouped), End::done);
  EXPECT_EQ(told(none.at_start) + told(none.later), 0);
  // A light body between both stars of a binary hides it, and is gone after a step.
  std::ofstream(folder.path / "three.csv") << "0.5 0 0 0 0 15.8 0\n0.5 0.001 0 0 0 -15.8 0\n"
                                              "1e-9 0.0004 0 0 0 0 200\n";
  auto hidden = request("hidden");
  hidden.options.ic.file = (folder.path / "three.csv").string();
  hidden.observer = &later;
  ASSERT_EQ(execute(hidden), End::done);
  EXPECT_EQ(told(later.at_start), 0);
  EXPECT_EQ(told(later.later), 1);
}
