/// Test particles: they change no bit of the bodies with mass, feel these to the rounding of the arithmetic,
/// and have the same bits on any number of threads and ranks, and after a resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ranks/division.hpp"
#include "ranks/simulated.hpp"
#include "reference/reference.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// Where the test particles are in the order of the bodies.
enum class Order { first, last, mixed };
constexpr std::array orders{Order::first, Order::last, Order::mixed};
constexpr std::array<std::string_view, 3> order_names{"first", "last", "mixed"};

/// Bodies in a ball of radius 1, one of them with most of the mass, and particles, the last two at one place
/// with different velocities.
Bodies scene(std::size_t massive, std::size_t massless, Order order) {
  std::mt19937_64 random(7);
  const auto number = [&] { return double(random() >> 11) * 0x1p-52 - 1; };
  const auto vector = [&] {
    Vec3<double> v{1, 1, 1};
    while (norm(v) > 1) v = {number(), number(), number()};
    return v;
  };
  Bodies heavy, light, all;
  for (std::size_t k = 0; k < massive; ++k)
    heavy.add(k == 0 ? 1 : 0.01 * (1.5 + number()) / double(massive), k == 0 ? 0.01 * vector() : vector(),
              k == 0 ? Vec3<double>{} : vector());
  for (std::size_t k = 0; k < massless; ++k) light.add(0, vector(), vector());
  if (massless > 1)
    for (auto* axis : {&light.x, &light.y, &light.z}) axis->back() = axis->at(massless - 2);
  std::size_t h = 0, l = 0;
  const auto take = [&](const Bodies& from, std::size_t& k) {
    all.add(from.mass[k], from.position(k), from.velocity(k));
    all.id.back() = &from == &heavy ? k : 1'000'000 + k;
    ++k;
  };
  // Mixed: spread evenly, so that no rank has all of either kind.
  while (h + l < massive + massless) {
    const bool next_heavy = order == Order::first ? l == massless
                            : order == Order::last
                                ? h < massive
                                : l == massless || (h < massive && h * massless <= l * massive);
    if (next_heavy) take(heavy, h);
    else take(light, l);
  }
  return all;
}

/// The bodies with or without mass.
Bodies those(const Bodies& b, bool with_mass) {
  Bodies some;
  for (std::size_t i = 0; i < b.size(); ++i)
    if ((b.mass[i] > 0) == with_mass) {
      some.add(b.mass[i], b.position(i), b.velocity(i));
      some.id.back() = b.id[i];
      if (!b.low.empty()) some.low.push_back(b.low[i]);
      if (!b.series.empty()) some.series.push_back(b.series[i]);
    }
  return some;
}

struct Case {
  const Integrator* integrator;
  Precision precision;
  std::string method{};
  Gravity gravity{};
  int threads = 1, steps = 3;
  std::string text() const {
    return std::string(integrator->name) + " " + std::string(name_of(precision)) + " " + method;
  }
};

std::unique_ptr<Engine> engine_of(const Bodies& bodies, const Case& run,
                                  ranks::Communicator* ranks = nullptr) {
  return make_engine(bodies, run.gravity,
                     {.precision = run.precision,
                      .backend = "cpu",
                      .method = run.method.empty() ? std::nullopt : force_method_of(run.method),
                      .threads = run.threads,
                      .integrator = run.integrator,
                      .ranks = ranks});
}
void advance(Engine& engine, const Case& run, int from, int to) {
  engine.advance({.integrator = run.integrator,
                  .dt = 0x1p-7,
                  .time = 0x1p-7 * from,
                  .eta = run.integrator->in_blocks ? 0.001 : 0},
                 static_cast<std::uint64_t>(to - from));
}
Bodies after(Bodies bodies, const Case& run) {
  const auto engine = engine_of(bodies, run);
  advance(*engine, run, 0, run.steps);
  engine->copy_to_host(bodies);
  return bodies;
}

/// Every integrator in every precision that it has. For the hybrid one these bodies are one encounter: it has
/// tests of its own. A regularised group takes no test particles.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto* integrator : integrators())
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64}) {
      if (integrator->name == "wisdom-holman-hybrid" || integrator->name == "ar-chain") continue;
      if (integrator->needs_doubles && precision != Precision::f64) continue;
      Case run{.integrator = integrator, .precision = precision};
      if (!integrator->on_orbits) run.gravity.softening = {0.05};
      all.push_back(run);
    }
  return all;
}

/// The sums of the magnitudes of the pulls on a target, and of its potentials; in a periodic box those of the
/// nearest images, and as much as the others may add.
struct Magnitudes {
  double pull = 0, potential = 0;
};
Magnitudes magnitudes_at(const Vec3<double>& at, const Bodies& sources, const Gravity& gravity) {
  Magnitudes sum;
  const auto& box = gravity.boundary;
  for (std::size_t j = 0; j < sources.size(); ++j) {
    auto d = sources.position(j) - at;
    const double m = sources.mass[j];
    if (box.periodic) {
      d = {std::remainder(d.x, box.length.x), std::remainder(d.y, box.length.y),
           std::remainder(d.z, box.length.z)};
      sum.pull += 10 * m / (box.length.x * box.length.x), sum.potential += 10 * m / box.length.x;
    }
    const double r2 = dot(d, d) + gravity.softening.eps2();
    sum.pull += m * norm(d) / (r2 * std::sqrt(r2)), sum.potential += m / std::sqrt(r2);
  }
  return sum;
}

/// Compares the fields of the particles with those of the reference.
void expect_fields(Engine& engine, Bodies bodies, const Case& run, double bound) {
  engine.copy_to_host(bodies);
  Snapshot found;
  engine.fields(found);
  const auto sources = those(bodies, true);
  std::vector<Mass<double>> from, targets;
  for (std::size_t j = 0; j < sources.size(); ++j)
    from.push_back({sources.x[j], sources.y[j], sources.z[j], sources.mass[j]});
  for (std::size_t i = 0; i < bodies.size(); ++i)
    targets.push_back({bodies.x[i], bodies.y[i], bodies.z[i], 0});
  const auto exact =
      reference::pulls(targets, from, run.gravity.softening, run.gravity.boundary, reference::none);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.mass[i] > 0) continue;
    const auto& e = exact[i];
    const Vec3<double> off{found.ax[i] - double(e.x), found.ay[i] - double(e.y), found.az[i] - double(e.z)};
    const auto sum = magnitudes_at(bodies.position(i), sources, run.gravity);
    EXPECT_LE(norm(off), bound * sum.pull) << run.text() << ", body " << i;
    EXPECT_LE(std::abs(found.potential[i] - double(e.w)), bound * sum.potential)
        << run.text() << ", body " << i;
  }
}

/// The bound of |da| / sum of |pulls|. A pair is rounded some ten times, and sums of blocks of 256 at most as
/// often as they have terms; in single precision positions of size 1 are rounded by 2^-25, which changes the
/// pull at the distance eps = 0.05 by 3 sqrt(3) 2^-25 / 0.05 of it, 105 times 2^-25.
double bound_of(Precision precision) { return precision == Precision::f64 ? 300 * 0x1p-53 : 400 * 0x1p-24; }

constexpr std::array<std::size_t, 4> numbers_massive{1, 2, 9, 100};
constexpr std::array<std::size_t, 3> numbers_massless{1, 7, 1000};

/// Where a run on several ranks comes to.
Bodies together(const Bodies& bodies, const Case& run, int count) {
  std::vector<Bodies> parts(static_cast<std::size_t>(count));
  ranks::with_simulated_ranks(count, [&](ranks::Communicator& comm) {
    const ranks::Division division{bodies.size(), count};
    const std::size_t first = division.first(comm.rank());
    Bodies own;
    for (std::size_t i = first; i < first + division.count(comm.rank()); ++i) {
      own.add(bodies.mass[i], bodies.position(i), bodies.velocity(i));
      own.id.back() = bodies.id[i];
    }
    const auto engine = engine_of(own, run, &comm);
    advance(*engine, run, 0, run.steps);
    engine->copy_to_host(own);
    parts[static_cast<std::size_t>(comm.rank())] = std::move(own);
  });
  Bodies all;
  for (const auto& part : parts)
    for (std::size_t i = 0; i < part.size(); ++i) {
      all.add(part.mass[i], part.position(i), part.velocity(i));
      all.id.back() = part.id[i];
    }
  return all;
}

Gravity box(Images images) {
  return {.softening = {0.05}, .boundary = {.periodic = true, .length = {4, 4, 4}, .images = images}};
}

}  // namespace

TEST(TestParticles, ChangeNoBitOfTheBodiesWithMass) {
  for (const auto& run : cases())
    for (const auto massive : numbers_massive) {
      const auto alone = after(scene(massive, 0, Order::last), run);
      for (const auto massless : numbers_massless)
        for (const auto order : orders) {
          const auto all = after(scene(massive, massless, order), run);
          EXPECT_TRUE(those(all, true) == alone) << run.text() << ", " << massive << " and " << massless
                                                 << ", " << order_names[static_cast<std::size_t>(order)];
          const auto light = those(all, false);
          EXPECT_TRUE(std::ranges::all_of(light.x, [](double x) { return std::isfinite(x); })) << run.text();
        }
    }
}

TEST(TestParticles, AreInTheSameStateInAnyOrderOfTheBodiesInDoublePrecision) {
  // Each is pulled by the same sources in the same order; in other precisions the frame of a group of targets
  // depends on their neighbours. Jacobi's coordinates are relative to the bodies before each one.
  for (const auto& run : cases()) {
    if (run.precision != Precision::f64 || run.integrator == &integrator_named("wisdom-holman-jacobi"))
      continue;
    const auto last = those(after(scene(9, 1000, Order::last), run), false);
    for (const auto order : {Order::first, Order::mixed})
      EXPECT_TRUE(those(after(scene(9, 1000, order), run), false) == last) << run.text();
  }
}

TEST(TestParticles, FeelTheBodiesWithMass) {
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
    for (const auto massive : numbers_massive)
      for (const auto order : orders) {
        const Case run{
            .integrator = &integrator_named("kdk"), .precision = precision, .gravity = {.softening = {0.05}}};
        const auto bodies = scene(massive, 1000, order);
        const auto engine = engine_of(bodies, run);
        advance(*engine, run, 0, 1);
        expect_fields(*engine, bodies, run, bound_of(precision));
      }
}

TEST(TestParticles, FeelAllBodiesOfATreeToItsAccuracy) {
  for (const std::string method : {"cpu/fmm order=5 theta=0.5 leaf=16", "cpu/barnes-hut order=3 theta=0.4"})
    for (const auto order : orders) {
      const Case run{.integrator = &integrator_named("kdk"),
                     .precision = Precision::f64,
                     .method = method,
                     .gravity = {.softening = {0.05}}};
      const auto bodies = scene(2000, 500, order);
      const auto engine = engine_of(bodies, run);
      // theta^(order + 1) is the first term that is left out, of the pulls of distant cells.
      expect_fields(*engine, bodies, run, 0.03);
      EXPECT_TRUE(those(after(bodies, run), true) == after(scene(2000, 0, order), run)) << method;
    }
}

TEST(TestParticles, InPeriodicBoxesChangeNoBitAndFeelTheBodies) {
  for (const auto images : {Images::nearest, Images::all})
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
      for (const auto order : orders) {
        const Case run{
            .integrator = &integrator_named("kdk"), .precision = precision, .gravity = box(images)};
        const auto bodies = scene(9, 300, order);
        EXPECT_TRUE(those(after(bodies, run), true) == after(scene(9, 0, order), run)) << run.text();
        // Ewald's sums leave out 2.4e-7 of a pull in single precision and 3e-11 in double precision, and
        // round thousands of waves.
        const double ewald = precision == Precision::f64 ? 1e-9 : 1e-4;
        const auto engine = engine_of(bodies, run);
        expect_fields(*engine, bodies, run, images == Images::all ? ewald : bound_of(precision));
      }
}

TEST(TestParticles, OfOnePlaceAreAlikeWithoutSoftening) {
  for (auto run : cases()) {
    run.gravity.softening = {};
    auto bodies = scene(2, 7, Order::mixed);
    const std::size_t one = bodies.size() - 1;
    std::size_t other = 0;
    while (other < one && !(bodies.x[other] == bodies.x[one])) ++other;
    ASSERT_LT(other, one);
    bodies.vx[other] = bodies.vx[one], bodies.vy[other] = bodies.vy[one], bodies.vz[other] = bodies.vz[one];
    const auto all = after(bodies, run);
    for (const auto axis : {&Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz}) {
      EXPECT_TRUE(std::isfinite((all.*axis)[one])) << run.text();
      EXPECT_EQ((all.*axis)[one], (all.*axis)[other]) << run.text();
    }
  }
}

TEST(TestParticles, GoOnFromASavedStateWithTheSameBits) {
  for (const auto& run : cases()) {
    const auto bodies = scene(9, 300, Order::mixed);
    const auto whole = engine_of(bodies, run);
    advance(*whole, run, 0, 2), advance(*whole, run, 2, 4);
    const auto half = engine_of(bodies, run);
    advance(*half, run, 0, 2);
    auto saved = bodies, expected = bodies;
    half->copy_to_host(saved);
    const auto rest = engine_of(saved, run);
    advance(*rest, run, 2, 4);
    rest->copy_to_host(saved), whole->copy_to_host(expected);
    EXPECT_EQ(state_hash(saved), state_hash(expected)) << run.text();
  }
}

/// Blocks of particles are carried through up to 64 steps; one step at a time is made by all together.
TEST(TestParticles, HaveTheBitsOfSingleStepsInManyStepsAtOnce) {
  const auto compare = [](const Bodies& bodies, const Case& run) {
    const auto many = engine_of(bodies, run), single = engine_of(bodies, run);
    auto found = bodies, expected = bodies;
    for (const auto& [from, to] : {std::pair(0, 3), std::pair(3, 70), std::pair(70, 72)}) {
      advance(*many, run, from, to);
      for (int k = from; k < to; ++k) advance(*single, run, k, k + 1);
      many->copy_to_host(found), single->copy_to_host(expected);
      ASSERT_TRUE(found == expected) << run.text() << ", " << bodies.size() << " bodies, step " << to;
      EXPECT_EQ(many->evaluations(), single->evaluations()) << run.text();
    }
  };
  Gravity in_field{.G = 1.5, .softening = {0.05}}, changing, in_box = in_field, with_spline = in_field;
  in_field.potentials = {potential_of("nfw mass=2 scale=3 x=0.5")};
  changing = in_field;
  changing.potentials.push_back(potential_of("bar mass=1 length=1 width=0.5 height=0.3 omega=2"));
  in_box.boundary = {.periodic = true, .length = {1.5, 1.5, 1.5}};
  with_spline.softening.kernel = SofteningKernel::spline;
  for (const auto* name : {"kdk", "dkd", "euler", "blanes-moan4", "yoshida6", "kahan-li8"})
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
      for (const auto& gravity : {in_field, changing, in_box, with_spline})
        compare(scene(3, 40, Order::mixed),
                {.integrator = &integrator_named(name), .precision = precision, .gravity = gravity});
  Case run{.integrator = &integrator_named("kdk"), .precision = Precision::mixed, .gravity = in_field};
  for (const std::size_t massive : {0, 1, 2, 10})
    for (const std::size_t massless : {1, 31, 513, 1200}) {
      run.threads = massless == 1200 ? 2 : 1;
      compare(scene(massive, massless, Order::mixed), run);
    }
}

TEST(TestParticles, HaveTheSameBitsOnAnyNumberOfThreads) {
  for (auto run : cases()) {
    const auto bodies = scene(300, 3000, Order::mixed);
    if (run.integrator->needs_doubles) run.steps = 1;
    const auto one = after(bodies, run);
    run.threads = 2;
    EXPECT_TRUE(after(bodies, run) == one) << run.text();
  }
}

TEST(TestParticles, OnRanksHaveTheBitsOfOneProcess) {
  std::vector<Case> all;
  for (const auto& run : cases())
    if (!run.integrator->on_orbits) all.push_back(run);
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
    for (const auto images : {Images::nearest, Images::all})
      all.push_back({.integrator = &integrator_named("kdk"), .precision = precision, .gravity = box(images)});
  for (const std::string method :
       {"cpu/threads", "cpu/fmm order=4 theta=0.6", "cpu/barnes-hut order=2 theta=0.6"})
    all.push_back({.integrator = &integrator_named("kdk"),
                   .precision = Precision::mixed,
                   .method = method,
                   .gravity = {.softening = {0.05}}});
  for (auto run : all)
    for (const auto order : {Order::last, Order::mixed}) {
      // Three blocks of bodies: with `last` those with mass are on rank 0 alone.
      run.steps = 1;
      const auto bodies = scene(test::all_or<std::size_t>(250, 20), 9000, order);
      const auto one = after(bodies, run);
      for (const int count : {2, 3})
        EXPECT_EQ(state_hash(together(bodies, run, count)), state_hash(one))
            << run.text() << ", " << order_names[static_cast<std::size_t>(order)] << ", " << count
            << " ranks";
    }
}

TEST(TestParticles, DoNotChangeAnAdaptiveStep) {
  for (const auto* name : {"kdk", "hermite4", "gauss-radau"}) {
    Method method{.integrator = &integrator_named(name), .dt = 0.125, .adaptive = true, .eta = 0.02};
    const auto ended = [&](std::size_t massless, Order order) {
      Snapshot initial;
      initial.bodies = scene(9, massless, order);
      Simulation simulation(std::move(initial), {.softening = {0.02}}, method,
                            {.precision = Precision::f64, .backend = "cpu", .integrator = method.integrator});
      simulation.run_towards({.time = 0.1}, 1000);
      return std::pair(those(simulation.snapshot().bodies, true), simulation.step());
    };
    const auto alone = ended(0, Order::last);
    EXPECT_GT(alone.second, 1U) << name;
    for (const auto order : orders) EXPECT_TRUE(ended(300, order) == alone) << name;
    // Some of them are closer to the heaviest body than any other one is.
    method.particles_limit_step = true;
    EXPECT_TRUE(ended(0, Order::last) == alone) << name;
    EXPECT_GT(ended(300, Order::mixed).second, alone.second) << name;
  }
}

TEST(TestParticles, LimitAdaptiveStepsOnly) {
  const Method method{.integrator = &integrator_named("kdk"), .dt = 0.125, .particles_limit_step = true};
  EXPECT_THROW(check(method, {.softening = {0.02}}), UsageError);
}

TEST(TestParticles, AreOrbitsInAFieldWhereNoBodyHasMass) {
  for (const auto& run : cases()) {
    if (run.integrator->on_orbits || run.integrator->needs_snaps) continue;
    auto in_field = run;
    in_field.gravity.softening = {};
    in_field.gravity.potentials = {potential_of("plummer mass=1 scale=0.5", {})};
    const auto bodies = scene(0, 300, Order::last);
    const auto all = after(bodies, in_field);
    // Each by itself is where it is among the others, since nothing but the field pulls. Gauss-Radau iterates
    // all of them until the last one has settled.
    const bool exact = in_field.integrator->evaluations < 15;
    for (const std::size_t k : {std::size_t{0}, std::size_t{299}}) {
      Bodies one;
      one.add(0, bodies.position(k), bodies.velocity(k));
      const auto alone = after(one, in_field);
      EXPECT_LE(std::abs(alone.x[0] - all.x[k]), exact ? 0 : 1e-14) << run.text();
      EXPECT_LE(std::abs(alone.vx[0] - all.vx[k]), exact ? 0 : 1e-14) << run.text();
    }
    Snapshot initial;
    initial.bodies = bodies;
    const Method method{.integrator = in_field.integrator, .dt = 0x1p-7};
    Simulation simulation(std::move(initial), in_field.gravity, method,
                          {.precision = run.precision, .backend = "cpu", .integrator = method.integrator});
    EXPECT_EQ(simulation.describe().test_particles, 300U);
    EXPECT_EQ(simulation.describe().interactions_per_evaluation, 0);
    EXPECT_EQ(simulation.totals().energies.total(), 0);
  }
}

TEST(TestParticles, HaveASampleOfTheirOwn) {
  const Method method{.integrator = &integrator_named("kdk"), .dt = 0x1p-7};
  const auto measured = [&](std::size_t massless, Order order) {
    Snapshot initial;
    initial.bodies = scene(400, massless, order);
    Simulation simulation(std::move(initial), {.softening = {0.05}}, method,
                          {.precision = Precision::mixed, .backend = "cpu"});
    const auto sample = simulation.sample();
    std::vector<std::uint64_t> ids;
    for (const auto i : sample.bodies) ids.push_back(simulation.snapshot().bodies.id[i]);
    return std::tuple(sample, ids, simulation.force_errors(sample));
  };
  const auto [alone, ids, errors] = measured(0, Order::last);
  EXPECT_TRUE(alone.particles.empty());
  EXPECT_EQ(errors.particles, 0U);
  for (const auto order : orders) {
    const auto [sample, same, found] = measured(5000, order);
    EXPECT_EQ(same, ids);
    EXPECT_EQ(sample.weights, alone.weights);
    EXPECT_EQ(found.median, errors.median);
    EXPECT_EQ(found.p99, errors.p99);
    EXPECT_EQ(found.largest, errors.largest);
    EXPECT_EQ(found.closest, errors.closest);
    EXPECT_EQ(found.particles, 4000U);
    // Pulls of 400 bodies cancel to a hundredth of their sum at most for 99 % of the places.
    EXPECT_LE(found.particles_p99, 100 * bound_of(Precision::mixed));
    EXPECT_GT(found.particles_p99, 0);
  }
}

}  // namespace pleiad
