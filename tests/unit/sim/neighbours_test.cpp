/// The neighbour scheme of hermite4-block: both parts of the pulls, changes of lists, its order, energies and
/// momentum beside those of sums over all, few bodies, bits, unusual bodies, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/neighbours.hpp"

#include "core/larger.hpp"
#include "cpu/body_paths.hpp"
#include "unit/scratch.hpp"
#include "unit/sim/without_particles.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct How {
  double dt = 1.0 / 16, eta = 0.02;
  Neighbours neighbours = Neighbours::on;
  int threads = 1;
};
Simulation simulation(const Snapshot& start, const Gravity& gravity, const How& how) {
  const auto* integrator = &integrator_named("hermite4-block");
  const BlockSteps blocks{.neighbours = how.neighbours};
  Simulation made(start, gravity,
                  Method{.integrator = integrator, .dt = how.dt, .eta = how.eta, .blocks = blocks},
                  EngineOptions{.precision = Precision::f64,
                                .backend = "cpu",
                                .threads = how.threads,
                                .integrator = integrator,
                                .blocks = blocks});
  (void)made.reference_energy();
  return made;
}
Snapshot sphere(int n, std::uint64_t seed = 3) {
  return make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, seed);
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
/// The change of the momentum, relative to the sum of |m v|.
double momentum_error(const Bodies& before, const Bodies& after) {
  Vec3<double> change{};
  double all = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    change += before.mass[i] * (after.velocity(i) - before.velocity(i));
    all += before.mass[i] * norm(after.velocity(i));
  }
  return norm(change) / all;
}
double energy_error(const Snapshot& start, const Gravity& gravity, const How& how, double until) {
  auto sim = simulation(start, gravity, how);
  sim.run_until(until);
  return std::abs(sim.diagnostics().energy_error);
}

BodyPaths paths_of(const Bodies& b) {
  BodyPaths paths;
  paths.resize(b.size());
  paths.pulling = std::size_t(std::ranges::count_if(b.mass, [](double m) { return m > 0; })), paths.unit = 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    BodyPaths::set(paths.x, i, b.position(i)), BodyPaths::set(paths.v, i, b.velocity(i));
    paths.mass[i] = b.mass[i];
  }
  std::vector<std::uint32_t> all(b.size());
  std::iota(all.begin(), all.end(), 0U);
  cpu::predict(paths, 0, all);
  return paths;
}
NeighbourReach reach_of(const BodyPaths& paths, double radius) {
  NeighbourReach reach;
  reach.radius.assign(paths.bodies, radius), reach.ahead.assign(paths.bodies, 0);
  reach.weight.assign(BodyPaths::padded(paths.bodies), 1);
  return reach;
}
struct Parts {
  std::vector<Vec4<double>> far_a, far_j, near_a, near_j;
  std::vector<NeighbourList> lists;
};
Parts parts_of(const BodyPaths& paths, std::span<const std::uint32_t> chosen, const NeighbourReach& reach,
               double eps2) {
  const std::size_t n = chosen.size();
  Parts p{.far_a = std::vector<Vec4<double>>(n),
          .far_j = std::vector<Vec4<double>>(n),
          .near_a = std::vector<Vec4<double>>(n),
          .near_j = std::vector<Vec4<double>>(n),
          .lists = std::vector<NeighbourList>(n)};
  std::vector<NeighbourList*> lists;
  for (auto& list : p.lists) lists.push_back(&list);
  cpu::far_pulls_on(paths, chosen, reach, eps2, p.lists, p.far_a, p.far_j);
  cpu::near_pulls_on(paths, chosen, lists, eps2, p.near_a, p.near_j);
  return p;
}

}  // namespace

/// Lists are those by their definition, with bodies without mass in none, and both parts make up the sum over
/// all to rounding: of terms whose sum is at worst a hundredth of the largest, as in PullAsDirectSums.
TEST(NeighbourPulls, HaveTwoPartsOfTheWhole) {
  for (const std::size_t n : {1U, 2U, 3U, 17U, 150U, 5000U})
    for (const double eps : {0.0, 0.05}) {
      auto b = sphere(int(n)).bodies;
      const std::size_t massless = n / 10;
      for (std::size_t i = n - massless; i < n; ++i) b.mass[i] = 0;
      const auto paths = paths_of(b);
      auto reach = reach_of(paths, 0);
      std::vector<std::uint32_t> chosen;
      for (std::size_t k = 0; k<n; k += n> 1000 ? 37 : 1) chosen.push_back(static_cast<std::uint32_t>(k));
      for (std::size_t k = 0; k < n; ++k) {
        reach.radius[k] = 0.2 + 0.01 * double(k % 30), reach.ahead[k] = 0.05 * double(k % 3);
        if (k % 7 == 3) reach.weight[k] = 4;
      }
      const double eps2 = eps * eps;
      const auto parts = parts_of(paths, chosen, reach, eps2);
      std::vector<Vec4<double>> a(chosen.size()), j(chosen.size());
      cpu::pulls_on(paths, chosen, eps2, a, j);
      std::size_t near = 0, ahead = 0;
      for (std::size_t t = 0; t < chosen.size(); ++t) {
        const std::size_t i = chosen[t];
        NeighbourList expected;
        for (std::size_t k = 0; k < paths.pulling; ++k) {
          const auto d = b.position(k) - b.position(i), u = b.velocity(k) - b.velocity(i);
          const double limit = reach.radius[i] * reach.radius[i] * reach.weight[k];
          if (k != i && dot(d, d) + 2 * reach.ahead[i] * std::min(dot(d, u), 0.0) < limit)
            expected.push_back(static_cast<std::uint32_t>(k)), ahead += dot(d, d) >= limit ? 1U : 0U;
        }
        near += expected.size();
        EXPECT_EQ(parts.lists[t], expected) << n << " " << i;
        EXPECT_LE(norm(parts.far_a[t].xyz() + parts.near_a[t].xyz() - a[t].xyz()), 1e-13 * norm(a[t].xyz()))
            << n << " " << i;
        EXPECT_LE(norm(parts.far_j[t].xyz() + parts.near_j[t].xyz() - j[t].xyz()), 1e-12 * norm(j[t].xyz()))
            << n << " " << i;
      }
      if (n >= 150) {
        EXPECT_GT(near, chosen.size());
        EXPECT_GT(ahead, 10U);
      }
    }
}

/// What moves from one part to the other is the difference of each: the sum is as before, to rounding.
TEST(NeighbourPulls, KeepTheSumWhenListsChange) {
  const std::size_t n = 600;
  const auto paths = paths_of(sphere(int(n)).bodies);
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  const auto narrow = reach_of(paths, 0.2), wide = reach_of(paths, 0.3);
  for (const bool grows : {true, false}) {
    const auto before = parts_of(paths, all, grows ? narrow : wide, 0),
               after = parts_of(paths, all, grows ? wide : narrow, 0);
    auto found = after.lists, lists = before.lists;
    std::vector<NeighbourList*> changed;
    for (auto& list : lists) changed.push_back(&list);
    std::vector<Vec4<double>> a(n), j(n);
    cpu::change_lists(paths, all, found, 0, changed, a, j);
    EXPECT_EQ(lists, after.lists);
    std::size_t moves = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto is_near = [](Vec3<double> x, Vec3<double> y, double scale) {
        return norm(x - y) <= 1e-12 * scale;
      };
      const double scale_a = norm(before.near_a[i].xyz()) + norm(before.far_a[i].xyz()) + norm(a[i].xyz()),
                   scale_j = norm(before.near_j[i].xyz()) + norm(before.far_j[i].xyz()) + norm(j[i].xyz());
      EXPECT_TRUE(is_near(before.near_a[i].xyz() + a[i].xyz(), after.near_a[i].xyz(), scale_a)) << i;
      EXPECT_TRUE(is_near(before.far_a[i].xyz() - a[i].xyz(), after.far_a[i].xyz(), scale_a)) << i;
      EXPECT_TRUE(is_near(before.near_j[i].xyz() + j[i].xyz(), after.near_j[i].xyz(), 10 * scale_j)) << i;
      EXPECT_TRUE(is_near(before.far_j[i].xyz() - j[i].xyz(), after.far_j[i].xyz(), 10 * scale_j)) << i;
      moves += norm(a[i].xyz()) > 0 ? 1U : 0U;
    }
    EXPECT_GT(moves, n / 2);
  }
}

/// A quarter of eta is half of each step, and a sixteenth of the error of positions: at least an eighth,
/// since lengths of steps are rounded to powers of two.
TEST(NeighbourScheme, IsOfTheFourthOrder) {
  const auto start = sphere(60, 5);
  const Gravity gravity{.softening = {0.2}};
  auto exact = simulation(start, gravity, {.dt = 1.0 / 64, .eta = 1e-5, .neighbours = Neighbours::off});
  exact.run_until(0.5);
  double errors[3];
  for (const int k : {0, 1, 2}) {
    auto sim = simulation(start, gravity, {.eta = 0.08 / std::pow(4, k)});
    sim.run_until(0.5);
    errors[k] = distance(sim.snapshot().bodies, exact.snapshot().bodies);
  }
  EXPECT_LE(errors[1], errors[0] / 8) << errors[0];
  EXPECT_LE(errors[2], errors[1] / 8) << errors[1];
  EXPECT_LE(errors[2], 1e-7);
}

/// Over a short time, in which chaos does not make differences grow, stars are where sums over all bring
/// them, to the error that these have with steps twice as long: 16 times theirs, by the fourth order.
TEST(NeighbourScheme, FollowsTheOrbitsOfSumsOverAll) {
  const auto start = sphere(400);
  auto exact = simulation(start, {}, {.eta = 1e-4, .neighbours = Neighbours::off}),
       plain = simulation(start, {}, {.neighbours = Neighbours::off}), divided = simulation(start, {}, {});
  exact.run_until(0.25), plain.run_until(0.25), divided.run_until(0.25);
  const double error = distance(plain.snapshot().bodies, exact.snapshot().bodies);
  EXPECT_GT(error, 0);
  EXPECT_LE(distance(divided.snapshot().bodies, exact.snapshot().bodies), 16 * error);
}

/// Energies are kept to four times the bounds of sums over all (KeepsTheEnergyOfClustersByEta): few stars
/// have few others in the regular part, whose pulls change fast. Momentum is kept as well as energy.
TEST(NeighbourScheme, KeepsEnergyAndMomentumOfClusters) {
  for (const int n : {256, 1024}) {
    const auto start = sphere(n);
    double errors[2];
    for (const int k : {0, 1}) {
      auto sim = simulation(start, {}, {.eta = k == 0 ? 0.02 : 0.005});
      sim.run_until(0.5);
      errors[k] = std::abs(sim.diagnostics().energy_error);
      EXPECT_LE(momentum_error(start.bodies, sim.snapshot().bodies), k == 0 ? 1e-6 : 1e-7) << n;
    }
    EXPECT_LE(errors[0], 2e-7) << n;
    EXPECT_LE(errors[1], 2e-8) << n;
  }
}

/// Fewer pairs are summed than by sums over all.
TEST(NeighbourScheme, SumsFewerPairs) {
  const auto pairs = [](Neighbours neighbours) {
    auto sim = simulation(sphere(2000), {}, {.neighbours = neighbours});
    sim.make_steps(2);
    return double(sim.evaluations()) * sim.describe().interactions_per_evaluation;
  };
  EXPECT_LE(pairs(Neighbours::on), pairs(Neighbours::off) / 2);
}

/// Saved after any step, with three threads, and with someone who looks between the steps.
TEST(NeighbourScheme, HasTheSameBitsAfterASaveAndWithAnyThreads) {
  const test::Folder folder;
  for (const bool in_field : {false, true}) {
    Gravity gravity{};
    if (in_field) gravity.potentials = potentials_of_lines("nfw mass=8 scale=2");
    auto start = sphere(300);
    if (in_field)
      for (std::size_t i = 0; i < start.bodies.size(); i += 7) start.bodies.mass[i] = 0;
    const How how{.dt = 1.0 / 32};
    auto with_threads = how;
    with_threads.threads = 3;
    auto whole = simulation(start, gravity, how), part = simulation(start, gravity, how),
         threads = simulation(start, gravity, with_threads), looked_at = simulation(start, gravity, how);
    std::vector<double> errors;
    looked_at.every(
        1.0 / 50, [&](const Snapshot&) { errors.push_back(std::abs(looked_at.diagnostics().energy_error)); });
    whole.make_steps(5), part.make_steps(2), threads.make_steps(5), looked_at.run_until(5.0 / 32);
    save(part, folder.path);
    auto onward = load(folder.path);
    EXPECT_EQ(onward.method().blocks.neighbours, Neighbours::on);
    onward.make_steps(3);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << in_field;
    EXPECT_TRUE(same_bits(threads.snapshot().bodies, whole.snapshot().bodies)) << in_field;
    EXPECT_TRUE(same_bits(looked_at.snapshot().bodies, whole.snapshot().bodies)) << in_field;
    ASSERT_GE(errors.size(), 7U);
    for (const double error : errors) EXPECT_LE(error, 1e-6);
  }
}

TEST(NeighbourScheme, OfBodiesWithMassHasTheBitsThatItHasWithoutParticles) {
  test::expect_same_bits_without_particles(sphere(200),
                                           [](const Snapshot& start) { return simulation(start, {}, {}); });
}

/// What one scheme has kept is not taken for what the other keeps: a simulation of these bodies begins anew,
/// as it does without any series.
TEST(NeighbourScheme, BeginsAnewAfterSumsOverAll) {
  for (const auto first : {Neighbours::on, Neighbours::off}) {
    const How then{.neighbours = first == Neighbours::on ? Neighbours::off : Neighbours::on};
    auto before = simulation(sphere(100), {}, {.neighbours = first});
    before.make_steps(2);
    auto bare = before.snapshot();
    bare.bodies.series.clear();
    auto kept = simulation(before.snapshot(), {}, then), anew = simulation(bare, {}, then);
    kept.make_steps(2), anew.make_steps(2);
    EXPECT_TRUE(same_bits(kept.snapshot().bodies, anew.snapshot().bodies));
  }
}

/// One body goes straight on, or falls in a field; of two, three and seventeen the energy is kept.
TEST(NeighbourScheme, TakesFewBodies) {
  Snapshot one;
  one.bodies.add(1, {0.5, 0.25, 0}, {1, -2, 0.5});
  auto sim = simulation(one, {}, {.dt = 0.125});
  sim.make_steps(8);
  EXPECT_TRUE((sim.snapshot().bodies.position(0) == Vec3<double>{1.5, -1.75, 0.5}));
  auto falls =
      simulation(one, {.potentials = potentials_of_lines("nfw mass=8 scale=2")}, {.dt = 0.125, .eta = 0.005});
  falls.make_steps(40);
  EXPECT_LE(std::abs(falls.diagnostics().energy_error), 1e-6);
  for (const int n : {2, 3, 17})
    EXPECT_LE(energy_error(sphere(n), {.softening = {0.01}}, {.eta = 0.005}, 1), 1e-6) << n;
}

/// Bodies at one distance from each other or from the centre, clusters far apart, and a heavy body, which is
/// a neighbour from afar: errors are at most some times those of sums over all, or those of rounding.
TEST(NeighbourScheme, TakesUnusualBodies) {
  std::vector<Snapshot> starts;
  auto& shell = starts.emplace_back(sphere(300));
  for (std::size_t i = 0; i < shell.bodies.size(); ++i) {
    const auto at = (1 / norm(shell.bodies.position(i))) * shell.bodies.position(i);
    shell.bodies.x[i] = at.x, shell.bodies.y[i] = at.y, shell.bodies.z[i] = at.z;
  }
  auto& corners = starts.emplace_back();
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) corners.bodies.add(0.25, {x, y, x * y}, {});
  auto& apart = starts.emplace_back(sphere(150, 4));
  for (const auto other = sphere(100, 5); std::size_t i : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
    apart.bodies.add(other.bodies.mass[i], other.bodies.position(i) + Vec3<double>{1e6, 0, 0},
                     other.bodies.velocity(i));
  auto& heavy = starts.emplace_back(sphere(300, 6));
  heavy.bodies.add(0.5, {0, 0, 0}, {0, 0, 0});
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const Gravity gravity{.softening = {0.01}};
    const double plain = energy_error(starts[s], gravity, {.neighbours = Neighbours::off}, 0.25);
    EXPECT_LE(energy_error(starts[s], gravity, {}, 0.25), 8 * plain + 1e-8) << s << " " << plain;
  }
}

TEST(NeighbourScheme, IsChosenByTheNumberOfStarsAndRefusedInWords) {
  auto automatic = simulation(sphere(50), {}, {.neighbours = Neighbours::automatic}),
       off = simulation(sphere(50), {}, {.neighbours = Neighbours::off});
  automatic.make_steps(1), off.make_steps(1);
  EXPECT_TRUE(same_bits(automatic.snapshot().bodies, off.snapshot().bodies));
  const auto refusal = [](const char* integrator, const BlockSteps& blocks) {
    const Method method{
        .integrator = &integrator_named(integrator), .dt = 0.1, .eta = 0.02, .blocks = blocks};
    return test::message_of<UsageError>([&] { check(method, {.softening = {0.1}}); });
  };
  EXPECT_EQ(refusal("kdk", {.neighbours = Neighbours::on}),
            "time.neighbours is for integrator hermite4-block, not for kdk; leave it out");
  EXPECT_EQ(refusal("hermite4-block", {.groups = CloseGroups::regularised, .neighbours = Neighbours::on}),
            "time.neighbours = \"on\" with time.groups: the stars near a group have the steps of all others; "
            "use one of them, or \"auto\"");
  EXPECT_EQ(
      refusal("hermite4-block", {.groups = CloseGroups::regularised, .neighbours = Neighbours::automatic}),
      "");
}

}  // namespace pleiad
