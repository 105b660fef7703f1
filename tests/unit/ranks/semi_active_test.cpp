/// Semi-active bodies: forces and energies of exactly the pairs that act, in every precision and on any
/// number of ranks and threads; momentum, orders, resumes, measured errors, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "ranks/division.hpp"
#include "ranks/simulated.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// A star with `massive` - 1 planets, `semi_active` planetesimals, which are of type disc and lighter than
/// 1e-5, and `massless` particles, in turn; in a ball of radius 1.
Bodies disc_of(std::size_t massive, std::size_t semi_active, std::size_t massless) {
  std::mt19937_64 random(3);
  const auto number = [&] { return double(random() >> 11) * 0x1p-52 - 1; };
  const auto vector = [&] {
    Vec3<double> v{1, 1, 1};
    while (norm(v) > 1) v = {number(), number(), number()};
    return v;
  };
  Bodies b;
  std::array<std::size_t, 3> made{};
  const std::array all{massive, semi_active, massless};
  while (b.size() < massive + semi_active + massless) {
    // The kind of which the smallest share is there.
    std::size_t k = 0;
    for (std::size_t other = 1; other < 3; ++other)
      if (made[k] == all[k] || (made[other] < all[other] && made[other] * all[k] < made[k] * all[other]))
        k = other;
    const bool star = k == 0 && made[0] == 0;
    const double mass = star ? 1 : k == 0 ? 1e-3 * (2 + number()) : k == 1 ? 1e-6 * (2 + number()) : 0;
    b.add(mass, star ? 0.01 * vector() : vector(), star ? Vec3<double>{} : vector(),
          k == 1   ? Type::disc
          : k == 0 ? Type::star
                   : Type::halo);
    ++made[k];
  }
  return b;
}

Gravity law(double eps = 0.05, const std::string& text = "disc") {
  return {.softening = {eps}, .semi_active = semi_active_of(text)};
}

struct Case {
  const Integrator* integrator = &integrator_named("kdk");
  Precision precision = Precision::f64;
  Gravity gravity = law();
  int threads = 1, steps = 3;
  std::string method{};
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
void make_steps(Engine& engine, const Case& run) {
  engine.advance({.integrator = run.integrator, .dt = 0x1p-7}, static_cast<std::uint64_t>(run.steps));
}
Bodies after(Bodies bodies, const Case& run) {
  const auto engine = engine_of(bodies, run);
  make_steps(*engine, run);
  engine->copy_to_host(bodies);
  return bodies;
}

/// Where a run on several ranks comes to, and its energies there.
std::pair<Bodies, Energies> together(const Bodies& bodies, const Case& run, int count) {
  std::vector<Bodies> parts(static_cast<std::size_t>(count));
  std::vector<Energies> energies(parts.size());
  ranks::with_simulated_ranks(count, [&](ranks::Communicator& comm) {
    const ranks::Division division{bodies.size(), count};
    const std::size_t first = division.first(comm.rank());
    Bodies own;
    for (std::size_t i = first; i < first + division.count(comm.rank()); ++i) {
      own.add(bodies.mass[i], bodies.position(i), bodies.velocity(i), bodies.type[i]);
      own.id.back() = bodies.id[i];
    }
    const auto engine = engine_of(own, run, &comm);
    make_steps(*engine, run);
    engine->copy_to_host(own);
    energies[std::size_t(comm.rank())] = engine->energies();
    parts[std::size_t(comm.rank())] = std::move(own);
  });
  Bodies all;
  for (const auto& part : parts)
    for (std::size_t i = 0; i < part.size(); ++i)
      all.add(part.mass[i], part.position(i), part.velocity(i), part.type[i]);
  return {std::move(all), energies.front()};
}

bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz;
}

using Wide = Vec3<long double>;

/// The sums over all pairs that act, with those of the magnitudes.
struct Field {
  Wide pull{};
  long double potential = 0, pulls = 0, potentials = 0;
};
std::vector<Field> reference_of(const Bodies& b, const Gravity& gravity) {
  const auto marked = [&](std::size_t i) {
    return gravity.semi_active.has(b.mass[i], static_cast<unsigned>(b.type[i]));
  };
  std::vector<Field> fields(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool pulls_all = b.mass[i] > 0 && !marked(i);
      if (i == j || b.mass[j] == 0 || (marked(j) && !pulls_all)) continue;
      std::array<long double, 3> d{(long double)b.x[j] - b.x[i], (long double)b.y[j] - b.y[i],
                                   (long double)b.z[j] - b.z[i]};
      if (gravity.boundary.periodic)
        for (auto& c : d) c = std::remainder(c, (long double)gravity.boundary.length.x);
      const long double eps = gravity.softening.eps;
      const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps * eps, r = std::sqrt(r2);
      const long double f = b.mass[j] / (r2 * r);
      auto& field = fields[i];
      field.pull += Wide{f * d[0], f * d[1], f * d[2]}, field.potential -= b.mass[j] / r;
      field.pulls += f * std::sqrt(r2 - eps * eps), field.potentials += b.mass[j] / r;
    }
  return fields;
}

/// A star, two planets and three planetesimals that are heavy enough to be seen, on orbits apart.
Snapshot planets() {
  Snapshot s;
  s.bodies.add(1, {0.1, 0, 0}, {0.02, -0.01, 0.01}, Type::star);
  s.bodies.add(0.004, {1.5, 1.2, 0}, {-0.4, 0.5, 0.1}, Type::disc);
  s.bodies.add(0.01, {1.1, 0, 0.1}, {0, 1.05, 0.1}, Type::star);
  s.bodies.add(0.005, {-0.2, 1.8, 0}, {-0.7, 0.1, -0.05}, Type::star);
  s.bodies.add(0.003, {0.1, -2.6, 0.2}, {0.6, 0, 0.1}, Type::disc);
  s.bodies.add(0.002, {-2.4, -0.9, 0.1}, {0.25, -0.55, 0}, Type::disc);
  return s;
}
Simulation simulation(const Snapshot& start, const Integrator& integrator, double dt, const Gravity& gravity,
                      Precision precision = Precision::f64, int threads = 1) {
  Simulation made(
      start, gravity, Method{.integrator = &integrator, .dt = dt},
      EngineOptions{.precision = precision, .backend = "cpu", .threads = threads, .integrator = &integrator});
  (void)made.reference_energy();
  return made;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}

std::string refusal(const Bodies& bodies, const Case& run) {
  return test::message_of<UsageError>([&] { (void)engine_of(bodies, run); });
}

}  // namespace

/// The bound of |da| / sum of |pulls| as for test particles; massive pairs are those of the precision, which
/// dominate the pulls of massive bodies and are none of the others.
TEST(SemiActiveBodies, FeelAndPullExactlyThePairsThatAct) {
  const auto bodies = disc_of(7, 1400, 30);
  for (const bool periodic : {false, true})
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
      Case run{.precision = precision};
      if (periodic) run.gravity.boundary = {.periodic = true, .length = {3, 3, 3}, .images = Images::nearest};
      const auto engine = engine_of(bodies, run);
      auto there = bodies;
      engine->copy_to_host(there);
      const auto exact = reference_of(there, run.gravity);
      Snapshot found;
      engine->fields(found);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const bool massive = there.type[i] == Type::star;
        const double bound = precision == Precision::f32              ? 400 * 0x1p-24
                             : massive && precision != Precision::f64 ? 400 * 0x1p-24
                                                                      : 300 * 0x1p-53;
        const auto& e = exact[i];
        const Wide off{found.ax[i] - e.pull.x, found.ay[i] - e.pull.y, found.az[i] - e.pull.z};
        EXPECT_LE(std::sqrt(double(dot(off, off))), bound * double(e.pulls)) << name_of(precision) << i;
        EXPECT_LE(std::abs(double(found.potential[i] - e.potential)), bound * double(e.potentials));
      }
      long double potential = 0;
      for (std::size_t i = 0; i < there.size(); ++i) potential += there.mass[i] * exact[i].potential / 2;
      const double bound = precision == Precision::f64 ? 1e-13 : 1e-5;
      EXPECT_LE(std::abs(engine->energies().potential / double(potential) - 1), bound);
      EXPECT_LE(std::abs(direct_energies(there, run.gravity).potential / double(potential) - 1), 1e-13);
    }
}

TEST(SemiActiveBodies, AreThoseOfATypeOrBelowAMass) {
  const auto bodies = disc_of(4, 50, 5);
  const auto by_type = after(bodies, {});
  EXPECT_TRUE(same_bits(after(bodies, {.gravity = law(0.05, "below=1e-5")}), by_type));
  EXPECT_TRUE(same_bits(after(bodies, {.gravity = law(0.05, "below=1e-7 disc gas")}), by_type));
  EXPECT_FALSE(same_bits(after(bodies, {.gravity = {.softening = {0.05}}}), by_type));
  EXPECT_EQ(text_of(semi_active_of("  star   below=1e-9 disc")), "disc star below=1e-09");
  EXPECT_EQ(text_of(SemiActive{}), "");
}

/// Each kick rounds a velocity by half a unit in its last place, and the opposite pulls of a pair, of which
/// it is the sum, some ten times: m |v| is 1 in all, the kicks are less.
TEST(SemiActiveBodies, KeepTheMomentum) {
  const auto momentum_of = [](const Bodies& b) {
    Wide sum{};
    for (std::size_t i = 0; i < b.size(); ++i)
      sum += (long double)b.mass[i] * Wide{b.vx[i], b.vy[i], b.vz[i]};
    return sum;
  };
  const auto bodies = disc_of(6, 2100, 9);
  for (const auto* integrator : integrators()) {
    // For the hybrid map thousands of these bodies are in encounters.
    if (integrator->needs_snaps || integrator->in_blocks || integrator->name == "wisdom-holman-hybrid" ||
        integrator->name == "ar-chain")  // which takes none
      continue;
    Case run{.integrator = integrator, .steps = 20};
    if (integrator->on_orbits) run.gravity.softening = {};
    const auto change = momentum_of(after(bodies, run)) - momentum_of(bodies);
    EXPECT_LE(std::sqrt(double(dot(change, change))), 20 * 10 * 0x1p-53) << integrator->name;
  }
  // Also where pairs of massive bodies are in single precision: there is one here.
  const auto about_a_star = disc_of(1, 2100, 0);
  const auto change = momentum_of(after(about_a_star, {.precision = Precision::mixed, .steps = 20})) -
                      momentum_of(about_a_star);
  EXPECT_LE(std::sqrt(double(dot(change, change))), 20 * 10 * 0x1p-53);
}

/// Distances from Gauss-Radau's solution, as for other forces. Without the law orbits are others by far more.
TEST(SemiActiveBodies, AreIntegratedToTheOrderOfEveryIntegrator) {
  constexpr double end = 2;
  const auto gravity = law(0);
  const auto& best = integrator_named("gauss-radau");
  auto reference = simulation(planets(), best, 1.0 / 64, gravity);
  reference.run_until(end);
  EXPECT_LE(std::abs(reference.diagnostics().energy_error), 128 * 0x1p-53);  // of as many steps
  const auto exact = reference.snapshot().bodies;
  auto all_pairs = simulation(planets(), best, 1.0 / 64, {});
  all_pairs.run_until(end);
  EXPECT_GE(distance(all_pairs.snapshot().bodies, exact), 3e-4);
  for (const auto* i : integrators()) {
    if (i->order > 8 || i->needs_snaps || i->in_blocks) continue;
    const int per_unit = i->order == 8 ? 8 : i->order > 2 ? 32 : 64;
    double errors[2], energies[2];
    for (int k = 0; k < 2; ++k) {
      auto sim = simulation(planets(), *i, 1.0 / (per_unit << k), gravity);
      sim.run_until(end);
      errors[k] = distance(sim.snapshot().bodies, exact);
      energies[k] = std::abs(sim.diagnostics().energy_error);
    }
    const double slope = std::log2(errors[0] / errors[1]);
    EXPECT_NEAR(slope, i->order, 0.25 * i->order) << i->name << ": " << errors[0] << ", " << errors[1];
    // Energies that counted other pairs would not follow the step.
    EXPECT_LE(energies[1], std::max(1e-13, 0.8 * energies[0])) << i->name << ": " << energies[0];
  }
}

TEST(SemiActiveBodies, HaveTheSameBitsOnAnyNumberOfThreadsAndRanks) {
  const auto bodies = disc_of(5, 9000, 40);
  for (const auto* integrator : integrators())
    for (const auto precision : {Precision::f64, Precision::mixed}) {
      if (integrator->needs_snaps || integrator->in_blocks ||
          (integrator->needs_doubles && precision != Precision::f64) ||
          integrator->name == "wisdom-holman-hybrid" || integrator->name == "ar-chain")
        continue;
      Case run{.integrator = integrator, .precision = precision, .steps = integrator->order > 8 ? 1 : 2};
      if (integrator->on_orbits) run.gravity.softening = {};
      const auto one = after(bodies, run);
      run.threads = 4;
      EXPECT_TRUE(same_bits(after(bodies, run), one)) << integrator->name << name_of(precision);
      if (integrator->on_orbits) continue;
      run.threads = 1;
      const auto [two, energies_of_two] = together(bodies, run, 2);
      const auto [three, energies] = together(bodies, run, 3);
      EXPECT_TRUE(same_bits(two, one) && same_bits(three, one)) << integrator->name << name_of(precision);
      EXPECT_EQ(energies_of_two.total(), energies.total());
    }
}

TEST(SemiActiveBodies, GoOnWithTheSameBitsAfterTheyWereSaved) {
  const test::Folder folder;
  for (const auto* integrator : integrators()) {
    if (integrator->needs_snaps || integrator->in_blocks || integrator->name == "ar-chain") continue;
    const auto gravity = law(0, "disc below=1e-9");
    auto whole = simulation(planets(), *integrator, 0.02, gravity),
         part = simulation(planets(), *integrator, 0.02, gravity);
    whole.make_steps(20), part.make_steps(7);
    save(part, folder.path);
    auto onward = load(folder.path);
    EXPECT_EQ(onward.gravity().semi_active, gravity.semi_active);
    onward.make_steps(13);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << integrator->name;
  }
}

/// Errors of the pairs of single precision, and those of none where all are in double precision.
TEST(SemiActiveBodies, AreInTheMeasuredErrors) {
  Snapshot start;
  start.bodies = disc_of(40, 600, 30);
  for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
    auto sim = simulation(start, integrator_named("kdk"), 0.01, law(), precision);
    const auto sample = sim.sample();
    EXPECT_EQ(sample.bodies.size(), 40U);
    EXPECT_GE(sample.particles.size(), 100U);
    const auto errors = sim.force_errors(sample);
    EXPECT_LE(errors.p99, precision == Precision::f64 ? 1e-13 : 1e-5);
    EXPECT_GE(errors.p99, precision == Precision::f64 ? 0 : 1e-9);
    EXPECT_EQ(sim.describe().test_particles, 30U);
  }
  // The exact ones are those of the reference.
  const auto exact = exact_accelerations(start.bodies, law(), std::array<std::size_t, 3>{0, 1, 300});
  const auto reference = reference_of(start.bodies, law());
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& e = reference[std::array<std::size_t, 3>{0, 1, 300}[k]];
    EXPECT_LE(norm(exact[k] - Vec3<double>{double(e.pull.x), double(e.pull.y), double(e.pull.z)}),
              300 * 0x1p-53 * double(e.pulls));
  }
}

/// Their own close passages shorten the steps of all: they pull the others.
TEST(SemiActiveBodies, LimitAdaptiveSteps) {
  auto bodies = disc_of(3, 20, 0);
  const auto far = engine_of(bodies, {})->suggest_dt(integrator_named("kdk"), 0.02);
  const auto light = std::size_t(std::ranges::find(bodies.type, Type::disc) - bodies.type.begin());
  bodies.x[light] = bodies.x[0] + 0.03, bodies.y[light] = bodies.y[0], bodies.z[light] = bodies.z[0];
  EXPECT_LE(engine_of(bodies, {})->suggest_dt(integrator_named("kdk"), 0.02), 0.9 * far);
}

TEST(SemiActiveBodies, AreRefusedWhereTheyCannotBe) {
  const auto bodies = disc_of(3, 20, 0);
  EXPECT_EQ(refusal(bodies, {}), "");
  const auto by_tree = refusal(bodies, {.method = "cpu/fmm order=4"});
  EXPECT_TRUE(by_tree.starts_with("gravity.semi_active: computed by direct sums, not by 'cpu/fmm order=4"))
      << by_tree;
  EXPECT_TRUE(by_tree.ends_with("; use solver.method = \"direct\"")) << by_tree;
  Case spline;
  spline.gravity.softening.kernel = SofteningKernel::spline;
  EXPECT_TRUE(refusal(bodies, spline).starts_with("gravity.semi_active: pairs have one Plummer softening"));
  Case images;
  images.gravity.boundary = {.periodic = true, .length = {3, 3, 3}, .images = Images::all};
  EXPECT_TRUE(refusal(bodies, images).starts_with("gravity.semi_active: there are no sums over all images"));
  EXPECT_EQ(
      test::message_of<UsageError>([] { (void)semi_active_of("dics"); }),
      "'dics' is no type; there are gas, halo, disc, bulge, star, boundary, and below=MASS; did you mean "
      "'disc'?");
  EXPECT_EQ(test::message_of<UsageError>([] { (void)semi_active_of("below=-1"); }),
            "'below=-1' must have a finite mass > 0, such as below=1e-9");
  EXPECT_THROW((void)semi_active_of("disc disc"), UsageError);
  EXPECT_THROW((void)semi_active_of("below=1 below=2"), UsageError);
  Snapshot start;
  start.bodies = bodies;
  const auto made = [&](const char* text) {
    return test::message_of<UsageError>([&] {
      (void)Simulation(start, {.softening = 0.1, .dt = 0.01, .semi_active = semi_active_of(text)});
    });
  };
  EXPECT_EQ(
      made("gas"),
      "the bodies: no body with mass is semi-active by \"gas\"; leave it out, or choose other types or a "
      "larger mass");
  EXPECT_EQ(made("below=2"),
            "the bodies: all bodies with mass are semi-active by \"below=2\", so that none pulls the others; "
            "choose fewer types or a smaller mass");
  Snapshot of_stars = planets();
  of_stars.bodies.mass[1] = 2;
  EXPECT_TRUE(test::message_of<UsageError>([&] {
                auto sim = simulation(of_stars, integrator_named("wisdom-holman"), 0.01, law(0));
                sim.make_steps(1);
              }).starts_with("gravity.semi_active: the heaviest body is one"));
}

}  // namespace pleiad
