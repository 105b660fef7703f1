/// Steps on a lattice: they lead back bit for bit, whatever the forces; what would not is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/lattice.hpp"

#include "sim/lattice.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr double dt = 1.0 / 64;

Snapshot sphere(double n = 200) { return model("plummer", {{"n", n}}, 3); }

Method on_lattice(std::string_view integrator, double step = dt) {
  return {.integrator = &integrator_named(integrator), .dt = step, .lattice = LatticeUnits{}};
}

/// All bits of the state, also those beyond doubles; -0 is 0.
bool same(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low;
}
Bodies reversed(Bodies b) {
  for (const auto axis : {&Bodies::vx, &Bodies::vy, &Bodies::vz})
    for (double& v : b.*axis) v = -v;
  for (auto& low : b.low)
    for (std::size_t k = 3; k < 6; ++k) low[k] = -low[k];
  return b;
}

/// Steps there, and as many back: whether all bits are those of the start.
bool returns(Simulation& s, std::uint64_t steps) {
  const auto start = s.snapshot().bodies;
  s.make_steps(steps);
  EXPECT_FALSE(same(s.snapshot().bodies, start));
  s.reverse_velocities();
  s.make_steps(steps);
  return same(reversed(s.snapshot().bodies), start);
}

/// A law and an engine.
struct Way {
  std::string name;
  Gravity gravity{.softening = {0.05}};
  EngineOptions engine{.precision = Precision::f64};
};
std::vector<Way> ways() {
  std::vector<Way> all;
  for (const auto precision : {Precision::f64, Precision::mixed})
    all.push_back({.name = std::string(name_of(precision)), .engine = {.precision = precision}});
  for (const char* text : {"cpu/threads", "cpu/symmetric", "cpu/barnes-hut order=2 theta=0.6",
                           "cpu/fmm order=3 theta=0.6", "cpu/fmm structure=kd order=3 theta=0.6"})
    all.push_back({.name = text, .engine = {.method = force_method_of(text)}});
  all.push_back({.name = "no softening", .gravity = {}});
  all.push_back({.name = "in a potential",
                 .gravity = {.softening = {0.05}, .potentials = potentials_of_lines("nfw mass=8 scale=2")}});
  all.push_back(
      {.name = "with an added force",
       .gravity = {.softening = {0.05}, .forces = added_forces_of_lines("oblate j2=0.1 radius=0.1")}});
  all.push_back({.name = "a spline", .gravity = {.softening = {0.1, SofteningKernel::spline}}});
  return all;
}

}  // namespace

TEST(Lattice, MovesByWholeNumbersThatCanBeTakenAway) {
  bool left = false;
  EXPECT_EQ(lattice::moved(7, 2.5, left), 9);  // halves to the even number
  EXPECT_EQ(lattice::moved(9, -2.5, left), 7);
  EXPECT_EQ(lattice::moved(0, 3.5, left), 4);
  EXPECT_EQ(lattice::moved(lattice::farthest - 2, 2, left), lattice::farthest);
  EXPECT_FALSE(left);
  std::mt19937_64 random(7);
  for (int k = 0; k < 100000; ++k) {
    const auto from = static_cast<std::int64_t>(random()) >> (2 + random() % 40);
    const double by =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -int(random() % 66) - 3);
    ASSERT_EQ(lattice::moved(lattice::moved(from, by, left), -by, left), from) << by;
    double low = 0;
    const double high = lattice::number_of(from, 0x1p-40, low);
    ASSERT_EQ(lattice::multiple_of(high, low, 0x1p40), from);
    ASSERT_LE(std::abs(low), std::abs(high) * 0x1p-53);
  }
  EXPECT_FALSE(left);
  for (const double by : {0x1p62, -0x1p62, 1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    left = false;
    EXPECT_EQ(lattice::moved(3, by, left), 3);
    EXPECT_TRUE(left) << by;
  }
  left = false;
  EXPECT_EQ(lattice::moved(lattice::farthest, 1, left), lattice::farthest);
  EXPECT_TRUE(left);
}

TEST(Lattice, StepsLeadBackWhateverTheForces) {
  for (const auto& way : ways()) {
    Simulation s(sphere(), way.gravity, on_lattice("kdk"), way.engine);
    EXPECT_TRUE(returns(s, 100)) << way.name;
  }
}

TEST(Lattice, StepsOfEveryOrderLeadBack) {
  for (const char* name : {"kdk", "dkd", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8"}) {
    Simulation s(sphere(50), {.softening = {0.02}}, on_lattice(name), {.precision = Precision::f64});
    EXPECT_TRUE(returns(s, 300)) << name;
  }
}

/// Else the test above would say nothing of the lattice.
/// 65,536 bodies, by direct sums.
TEST(LatticeOfManyBodies, LeadsBackThroughDirectSums) {
  Simulation s(sphere(65536), {.softening = {0.01}}, on_lattice("kdk", 0x1p-8),
               {.precision = Precision::mixed, .method = force_method_of("cpu/symmetric")});
  EXPECT_TRUE(returns(s, 4));
}

TEST(Lattice, StepsElsewhereDoNotLeadBack) {
  auto method = on_lattice("kdk");
  method.lattice.reset();
  Simulation s(sphere(), {.softening = {0.05}}, method, {.precision = Precision::f64});
  EXPECT_FALSE(returns(s, 100));
}

TEST(Lattice, TakesTestParticlesBack) {
  auto start = sphere(20);
  for (int k = 0; k < 300; ++k)
    start.bodies.add(0, {std::cos(0.1 * k), 0.01 * k, std::sin(0.1 * k)}, {0.1, -0.2, 0.001 * k});
  for (const auto precision : {Precision::f64, Precision::mixed}) {
    Simulation s(start, {.softening = {0.05}}, on_lattice("blanes-moan4"), {.precision = precision});
    EXPECT_TRUE(returns(s, 100));
  }
}

/// Rounding to the lattice is that of doubles: an orbit of 10 periods differs by no more than two of them do.
TEST(Lattice, HasTheErrorsOfItsIntegrator) {
  Snapshot pair;
  pair.bodies.add(0.5, {-0.75, 0, 0}, {0, -0.5 * std::sqrt(1 / 3.0), 0});
  pair.bodies.add(0.5, {0.75, 0, 0}, {0, 0.5 * std::sqrt(1 / 3.0), 0});
  for (const char* name : {"kdk", "yoshida6"}) {
    auto plain = on_lattice(name);
    plain.lattice.reset();
    Simulation free(pair, {}, plain, {.precision = Precision::f64}),
        bound(pair, {}, on_lattice(name), {.precision = Precision::f64});
    free.run_until(62.5), bound.run_until(62.5);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_LE(norm(free.snapshot().bodies.position(i) - bound.snapshot().bodies.position(i)), 1e-11)
          << name;
  }
}

TEST(Lattice, HasTheSameBitsInBatchesAndAfterASavedState) {
  const test::Folder folder;
  SimulationOptions options;
  options.softening = 0.05, options.dt = dt, options.lattice = true, options.backend = "cpu";
  Simulation whole(sphere(), options), parts(sphere(), options);
  whole.run_until(2);
  for (int k = 1; k <= 16; ++k) parts.run_until(k / 16.0), (void)parts.diagnostics();
  save(parts, folder.path);
  auto rest = load(folder.path);
  ASSERT_TRUE(rest.method().lattice.has_value());
  EXPECT_TRUE(*rest.method().lattice == *whole.method().lattice);
  rest.run_until(2);
  EXPECT_TRUE(same(rest.snapshot().bodies, whole.snapshot().bodies));
  // And back from there, to the first state of all.
  rest.reverse_velocities();
  rest.run_until(4);
  EXPECT_TRUE(same(reversed(rest.snapshot().bodies), Simulation(sphere(), options).snapshot().bodies));
}

/// A body that has moved out beyond the first largest coordinate has bits beyond those of a double.
TEST(Lattice, KeepsTheBitsBeyondDoubles) {
  Snapshot pair;
  pair.bodies.add(1, {-0.3, 0.1, 0.2}, {-0.4, 0, 1 / 3.0});
  pair.bodies.add(1, {0.7, 0, 0.1}, {3.4, 0.7, 0.1});
  Simulation s(pair, {}, on_lattice("kdk"), {.precision = Precision::f64});
  EXPECT_TRUE(returns(s, 2000));
  s.reverse_velocities();
  s.make_steps(2000);
  double most = 0;
  for (const auto& low : s.snapshot().bodies.low)
    for (const double l : low) most = std::max(most, std::abs(l));
  EXPECT_GT(most, 0);
}

TEST(Lattice, UnitsFollowFromTheBodies) {
  const Simulation s(sphere(), {.softening = {0.05}}, on_lattice("kdk"), {.precision = Precision::f64});
  const auto units = *s.method().lattice;
  EXPECT_NO_THROW(check(units));
  const auto start = sphere();
  double length = 0;
  for (std::size_t i = 0; i < start.bodies.size(); ++i)
    length = std::max(
        {length, std::abs(start.bodies.x[i]), std::abs(start.bodies.y[i]), std::abs(start.bodies.z[i])});
  EXPECT_LE(length, units.length * 0x1p53);
  EXPECT_GT(2 * length, units.length * 0x1p53);
  // At rest, from the masses; one body alone at the origin, from any.
  Snapshot cold;
  cold.bodies.add(4, {1, 0, 0}, {});
  cold.bodies.add(4, {-1, 0, 0}, {});
  EXPECT_EQ(Simulation(cold, {}, on_lattice("kdk"), {}).method().lattice->velocity, 4 * 0x1p-53);
  Snapshot alone;
  alone.bodies.add(1, {}, {});
  EXPECT_NO_THROW(check(*Simulation(alone, {}, on_lattice("kdk"), {}).method().lattice));
}

TEST(Lattice, EndsWithWordsWhereABodyLeavesIt) {
  Snapshot pair;
  pair.bodies.add(1, {1, 0, 0}, {});
  pair.bodies.add(1, {-1, 0, 0}, {0, 0, 0});
  auto method = on_lattice("kdk", 1);
  method.lattice = LatticeUnits{.length = 0x1p-60, .velocity = 0x1p-60};
  pair.bodies.vx[0] = 1;
  Simulation s(pair, {}, method, {.precision = Precision::f64});
  const auto message = test::message_of<NumericalError>([&] { s.make_steps(100); });
  EXPECT_NE(message.find("left the lattice"), std::string::npos) << message;
  EXPECT_NE(message.find("coordinates end at 4"), std::string::npos) << message;
  pair.bodies.x[0] = 5;
  EXPECT_NE(test::message_of<UsageError>([&] {
              Simulation(pair, {}, method, {});
            }).find("coordinate of 5 is beyond the end of the lattice, 4"),
            std::string::npos);
  method.lattice = LatticeUnits{.length = 3e-17, .velocity = 0x1p-60};
  EXPECT_NE(test::message_of<UsageError>([&] { Simulation(pair, {}, method, {}); }).find("a power of two"),
            std::string::npos);
}

TEST(Lattice, RefusesWhatWouldNotLeadBack) {
  const auto refused = [](const Method& method, const Gravity& gravity, const EngineOptions& engine = {}) {
    return test::message_of<UsageError>([&] { Simulation(sphere(20), gravity, method, engine); });
  };
  const Gravity soft{.softening = {0.05}};
  for (const char* name : {"euler", "hermite4", "hermite6", "gauss-radau", "wisdom-holman"})
    EXPECT_NE(refused(on_lattice(name), soft).find("its steps do not lead back"), std::string::npos) << name;
  auto adaptive = on_lattice("kdk");
  adaptive.adaptive = true;
  EXPECT_NE(refused(adaptive, soft).find("steps of one length"), std::string::npos);
  const auto kdk = on_lattice("kdk");
  EXPECT_NE(refused(kdk, soft, {.precision = Precision::f32}).find("double precision"), std::string::npos);
  auto law = soft;
  law.boundary = {.periodic = true, .length = {9, 9, 9}};
  EXPECT_NE(refused(kdk, law).find("open space"), std::string::npos);
  law = soft, law.potentials = potentials_of_lines("hill rate=1 kappa=1 nu=1");
  EXPECT_NE(refused(kdk, law).find("hill"), std::string::npos);
  law = soft, law.potentials = potentials_of_lines("plummer mass=1 scale=1 vx=1");
  EXPECT_NE(refused(kdk, law).find("change with time"), std::string::npos);
  law = soft, law.forces = added_forces_of_lines("post-newtonian c=100");
  EXPECT_NE(refused(kdk, law).find("forces of positions"), std::string::npos);

  Simulation s(sphere(20), soft, kdk);
  EXPECT_NE(test::message_of<UsageError>([&] { s.add_force([](const auto&) {}); }).find("of your own"),
            std::string::npos);
  SimulationOptions options;
  options.softening = 0.05, options.dt = dt, options.lattice = true, options.accuracy = 1e-3;
  EXPECT_NE(test::message_of<UsageError>([&] { Simulation(sphere(20), options); }).find("solver.accuracy"),
            std::string::npos);
  EXPECT_NE(test::message_of<UsageError>([&] {
              s.watch_encounters({.radius = 0.01, .on_collision = Reaction::merge});
            }).find("on the way back"),
            std::string::npos);
}
