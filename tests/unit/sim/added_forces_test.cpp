/// Simulations with added forces: the orders of all integrators, what is kept, fields and energies, saved
/// simulations, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// One of each kind, strong enough to change orbits by far more than an integrator's errors.
const std::vector<std::string> forces{"post-newtonian c=8",
                                      "gr-potential c=5",
                                      "oblate j2=0.02 j4=-0.004 radius=0.8 axis_x=0.3 axis_y=-0.2",
                                      "radiation beta=0.2 on=all",
                                      "poynting-robertson beta=0.3 c=6 on=all",
                                      "gas-drag linear=0.05 quadratic=0.1 vx=0.2",
                                      "gas-drag linear=0.3 rotation=0.9 vz=0.1",
                                      "dynamical-friction log_lambda=3 sigma=0.6 on=all"};
const std::string halo = "logarithmic speed=0.5 core=1";

bool rubs(const std::string& force) { return force.starts_with("dynamical"); }

/// A star, two planets and a particle without mass.
Snapshot system(double planet = 0.01) {
  Snapshot s;
  s.bodies.add(1, {0.1, 0, 0}, {0.02, -0.01, 0.01});
  s.bodies.add(planet, {1.1, 0, 0.1}, {0, 1.05, 0.1});
  s.bodies.add(planet / 2, {-0.2, 1.8, 0}, {-0.7, 0.1, -0.05});
  s.bodies.add(0, {0.1, -2.6, 0.2}, {0.6, 0, 0.1});
  return s;
}
Gravity law(const std::vector<std::string>& some, double eps = 0, bool in_halo = false) {
  Gravity g{.softening = {eps}, .forces = added_forces_of(some)};
  if (in_halo) g.potentials = potentials_of(std::vector<std::string>{halo});
  return g;
}
/// Its energy errors are those since now.
Simulation simulation(const Snapshot& start, const std::string& integrator, double dt, const Gravity& gravity,
                      Precision precision = Precision::f64, int threads = 1) {
  Simulation made(start, gravity, Method{.integrator = &integrator_named(integrator), .dt = dt},
                  EngineOptions{.precision = precision,
                                .backend = "cpu",
                                .method = force_method_of("cpu/threads"),
                                .threads = threads,
                                .integrator = &integrator_named(integrator)});
  (void)made.reference_energy();
  return made;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    take_larger(largest, d);
  }
  return largest;
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz;
}
std::string refusal(const std::string& integrator, const Gravity& gravity, const Snapshot& start = system()) {
  try {
    (void)simulation(start, integrator, 0.01, gravity);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

/// The solution is that of Gauss-Radau, which takes velocities where it takes positions, and so shares
/// nothing with implicit kicks.
TEST(AddedForces, AreIntegratedToTheOrderOfEveryIntegrator) {
  constexpr double end = 2;
  for (const auto& force : forces) {
    const auto gravity = law({force}, 0, rubs(force));
    auto reference = simulation(system(), "gauss-radau", 1.0 / 64, gravity);
    reference.run_until(end);
    const auto exact = reference.snapshot().bodies;
    auto without = gravity;
    without.forces.clear();
    auto plain = simulation(system(), "gauss-radau", 1.0 / 64, without);
    plain.run_until(end);
    EXPECT_GE(distance(plain.snapshot().bodies, exact), 3e-4) << force;
    for (const auto* i : integrators()) {
      if (i->in_blocks) continue;  // it takes none
      if ((i->on_orbits && rubs(force)) || (i->needs_jerks && rubs(force)) || i->order > 8 || i->needs_snaps)
        continue;
      // The eighth order reaches rounding with steps that others need.
      const int per_unit = i->order == 8 ? 8 : i->order > 2 ? 32 : 64;
      double errors[2];
      for (int k = 0; k < 2; ++k) {
        auto sim = simulation(system(), std::string(i->name), 1.0 / (per_unit << k), gravity);
        sim.run_until(end);
        errors[k] = distance(sim.snapshot().bodies, exact);
      }
      const double slope = std::log2(errors[0] / errors[1]);
      EXPECT_NEAR(slope, i->order, 0.25 * i->order)
          << force << ", " << i->name << ": " << errors[0] << ", " << errors[1];
    }
  }
}

/// The energy less the work of drags is kept as the energy is without them: to the order of the integrator.
/// Without the work it would change by a share of 1e-3 and more.
TEST(AddedForces, TakeTheEnergyThatTheirWorkSays) {
  const auto worst = [](const Gravity& gravity, const std::string& integrator, double dt) {
    auto sim = simulation(system(), integrator, dt, gravity);
    double largest = 0;
    for (int k = 1; k <= 8; ++k) {
      sim.run_until(k * 0.25);
      const double error = std::abs(sim.diagnostics().energy_error);
      take_larger(largest, error);
    }
    EXPECT_GE(std::abs(sim.work()[0] / sim.reference_energy()), 1e-3) << integrator;
    return largest;
  };
  for (const auto* drag :
       {"poynting-robertson beta=0.3 c=6 on=all", "gas-drag linear=0.05 quadratic=0.1 vx=0.2",
        "gas-drag linear=0.3 rotation=0.9", "dynamical-friction log_lambda=3 sigma=0.6 on=all"}) {
    const auto gravity = law({drag, "gr-potential c=20"}, 0, rubs(drag));
    ASSERT_TRUE(counts_work(gravity));
    // 128 steps with a rounding error of some 1e-16 each.
    EXPECT_LE(worst(gravity, "gauss-radau", 1.0 / 64), 3e-14) << drag;
    for (const auto* i : integrators()) {
      if (i->needs_snaps || i->in_blocks || (i->needs_doubles && rubs(drag)) || i->order > 8) continue;
      const std::string name(i->name);
      const double per_unit = i->order == 8 ? 8 : i->order > 2 ? 32 : 64;
      const double one = worst(gravity, name, 1 / per_unit), half = worst(gravity, name, 0.5 / per_unit);
      EXPECT_GE(std::log2(one / half), 0.75 * i->order)
          << drag << ", " << name << ": " << one << ", " << half;
    }
  }
}

/// A body alone under a linear drag k has the energy E exp(-2 k t). Kicks take exactly what their work says,
/// whatever the step; the others to their order.
TEST(AddedForces, CountAllEnergyOfABodyAlone) {
  Snapshot s;
  s.bodies.add(2, {1, 2, 3}, {0.6, -0.8, 0.4});
  const auto gravity = law({"gas-drag linear=0.5"});
  const double energy = 0.6 * 0.6 + 0.8 * 0.8 + 0.4 * 0.4;
  for (const auto* name : {"kdk", "dkd", "euler", "forest-ruth", "yoshida6", "gauss-radau", "hermite4"}) {
    auto sim = simulation(s, name, 1.0 / 16, gravity);
    sim.run_until(2);
    const double left = sim.energies().total(), work = sim.work()[0];
    // 32 steps of a few roundings; Hermite's error is h^4 k^5 / 720 a unit of time.
    const bool hermite = std::string(name) == "hermite4";
    EXPECT_LE(std::abs(left - work - energy), hermite ? 1e-7 : 32 * 4 * 0x1p-52) << name;
    EXPECT_NEAR(work, energy * (std::exp(-2.0) - 1), std::string(name) == "euler" ? 1e-3 : 4e-4) << name;
  }
}

/// In a field that turns, the Jacobi energy; and the same bits on threads, and after a save.
TEST(AddedForces, CountTheirWorkInTurningFieldsWithTheSameBits) {
  Gravity gravity{.forces = added_forces_of(std::vector<std::string>{"gas-drag linear=0.05 on=massive"})};
  gravity.potentials =
      potentials_of(std::vector<std::string>{"bar mass=1 length=1 width=0.3 height=0.2 omega=0.7"});
  Snapshot s;
  for (int k = 0; k < 300; ++k)
    s.bodies.add(1e-9, {1.5 + 0.001 * k, 0.002 * k, 0.1}, {0.01 * (k % 7), 0.7, 0.1});
  gravity.softening = {0.1};
  const test::Folder folder;
  for (const auto* name : {"gauss-radau", "kdk", "hermite4"}) {
    auto whole = simulation(s, name, 1.0 / 64, gravity), part = simulation(s, name, 1.0 / 64, gravity),
         threads = simulation(s, name, 1.0 / 64, gravity, Precision::f64, 3);
    whole.make_steps(40), part.make_steps(17), threads.make_steps(40);
    if (std::string(name) == "gauss-radau") {
      EXPECT_LE(std::abs(whole.diagnostics().energy_error), 1e-13);
    }
    EXPECT_GE(std::abs(whole.work()[0] / whole.reference_energy()), 1e-3);
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(23);
    EXPECT_EQ(onward.work(), whole.work()) << name;
    EXPECT_EQ(threads.work(), whole.work()) << name;
    EXPECT_EQ(onward.diagnostics().energy_error, whole.diagnostics().energy_error) << name;
  }
}

TEST(AddedForces, ThatReactKeepTheMomentum) {
  for (const auto* name : {"kdk", "yoshida6", "hermite4", "gauss-radau", "wisdom-holman",
                           "wisdom-holman-jacobi", "wisdom-holman-hybrid"})
    for (const auto& force : forces) {
      if (!kind_of(added_force_of(force)).reacts) continue;
      auto sim = simulation(system(), name, 1.0 / 32, law({force}));
      const auto before = sim.diagnostics().momentum;
      sim.run_until(4);
      // 128 steps with some rounding errors of 1e-18, those of momenta of 0.01.
      EXPECT_LE(norm(sim.diagnostics().momentum - before), 1e-15) << name << ", " << force;
    }
}

TEST(AddedForces, OfPositionsKeepTheEnergyThatTheyAreIn) {
  for (const auto* force : {"gr-potential c=5", "oblate j2=0.02 j4=-0.004 radius=0.8 axis_x=0.3"}) {
    const auto gravity = law({force});
    auto sim = simulation(system(), "gauss-radau", 1.0 / 32, gravity);
    EXPECT_NEAR(direct_energies(system().bodies, gravity).potential, sim.energies().potential, 1e-15);
    sim.run_until(10);
    // 320 steps of 1e-16 each.
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-13) << force;
    EXPECT_EQ(pattern_speed_of(gravity), 0);
  }
}

/// The energy of first post-Newtonian order is kept up to the next order, 1 / c^4, and to the mass of the
/// planet, 1e-9 here, in that of the source.
TEST(AddedForces, PostNewtonianEnergyIsKeptToItsOrder) {
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Snapshot s;
    s.bodies.add(1, {0, 0, 0}, {0, 0, 0}), s.bodies.add(1e-9, {1, 0, 0}, {0, 1.2, 0.1});
    const double c = 30.0 * (1 << k);
    auto sim = simulation(s, "gauss-radau", 1.0 / 32, law({"post-newtonian c=" + std::to_string(c)}));
    errors[k] = 0;
    for (int n = 1; n <= 40; ++n) {
      sim.run_until(n * 0.5);
      take_larger(errors[k], std::abs(sim.diagnostics().energy_error));
    }
    // Beside an energy of -0.28 v^4 is up to 2; without its own energy the force would change E by v^2 / c^2,
    // 1.6e-3 and 4e-4.
    EXPECT_LE(errors[k], 50 / (c * c * c * c)) << c;
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, 0.3) << errors[0] << " " << errors[1];
}

/// One body against the force alone: 4 G M / r etc. of a test particle.
TEST(AddedForces, AreInTheFieldsOfASnapshot) {
  const auto start = system();
  const auto gravity = law({"gr-potential c=5", "radiation beta=0.25 on=massless"});
  auto without = gravity;
  without.forces.clear();
  for (const double G : {1.0, 2.5}) {
    auto some = gravity, none = without;
    some.G = none.G = G;
    auto with = simulation(start, "kdk", 0.01, some), plain = simulation(start, "kdk", 0.01, none);
    const auto full = with.snapshot_with_fields(), bare = plain.snapshot_with_fields();
    const auto r = start.bodies.position(3) - start.bodies.position(0);
    const double r2 = dot(r, r), length = std::sqrt(r2);
    const auto a = (-6 * G * G / (25 * r2 * r2) + 0.25 * G / (r2 * length)) * r;
    EXPECT_NEAR(full.ax[3], bare.ax[3] + a.x, 1e-15);
    EXPECT_NEAR(full.ay[3], bare.ay[3] + a.y, 1e-15);
    EXPECT_NEAR(full.potential[3], bare.potential[3] - 3 * G * G / (25 * r2) + 0.25 * G / length, 1e-15);
    Vec3<double> pull{};
    for (std::size_t i = 0; i < 4; ++i)
      pull += start.bodies.mass[i] *
              Vec3<double>{full.ax[i] - bare.ax[i], full.ay[i] - bare.ay[i], full.az[i] - bare.az[i]};
    EXPECT_LE(norm(pull), 1e-16);
    // The snapshot that is taken meanwhile is the same.
    Snapshot meanwhile;
    with.snapshot_meanwhile(true)(meanwhile);
    EXPECT_EQ(meanwhile.ax, full.ax);
    EXPECT_EQ(meanwhile.potential, full.potential);
  }
}

TEST(AddedForces, HaveTheSameBitsOnAnyNumberOfThreadsAndAfterTheyWereSaved) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=700"}, 3);
  std::vector<std::string> all = forces;
  for (auto& force : all)
    if (kind_of(added_force_of(force)).of_source) force += " body=650";
  const test::Folder folder;
  for (const auto* name :
       {"kdk", "dkd", "blanes-moan4", "yoshida6", "kahan-li8", "euler", "hermite4", "gauss-radau"}) {
    auto some = all;
    if (integrator_named(name).needs_jerks) std::erase_if(some, rubs);
    const auto gravity = law(some, 0.05, true);
    const auto ran = [&](int threads) {
      auto sim = simulation(start, name, 0.002, gravity, Precision::f64, threads);
      sim.make_steps(6);
      return sim.snapshot().bodies;
    };
    const auto one = ran(1);
    EXPECT_TRUE(same_bits(ran(3), one)) << name;
    auto first = simulation(start, name, 0.002, gravity);
    first.make_steps(2);
    save(first, folder.path);
    auto onward = load(folder.path);
    EXPECT_EQ(onward.gravity().forces, gravity.forces);
    onward.make_steps(4);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, one)) << name;
  }
}

TEST(AddedForces, WisdomHolmanGoesOnWithTheSameBitsAfterItWasSaved) {
  const test::Folder folder;
  auto some = forces;
  std::erase_if(some, rubs);
  for (const auto* name : {"wisdom-holman", "wisdom-holman-jacobi", "wisdom-holman-hybrid"}) {
    auto whole = simulation(system(), name, 0.02, law(some)),
         part = simulation(system(), name, 0.02, law(some));
    whole.make_steps(100), part.make_steps(37);
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(63);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << name;
  }
}

/// In lower precisions, by every solver: within the rounding errors of single precision over 50 steps.
TEST(AddedForces, ActInEveryPrecisionAndWithEverySolver) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=300"}, 3);
  const auto gravity = law({"post-newtonian c=20", "oblate j2=1 radius=0.05", "gas-drag linear=1"}, 0.05);
  const auto ran = [&](const std::string& kernel, Precision precision) {
    Simulation sim(
        start, gravity, Method{.integrator = &integrator_named("kdk"), .dt = 0.01},
        EngineOptions{.precision = precision, .backend = "cpu", .method = force_method_of(kernel)});
    sim.make_steps(50);
    return sim.snapshot().bodies;
  };
  const auto exact = ran("cpu/threads", Precision::f64);
  for (const auto precision : {Precision::f32, Precision::mixed}) {
    EXPECT_LE(distance(ran("cpu/threads", precision), exact), 1e-3);
    EXPECT_LE(distance(ran("cpu/symmetric", precision), exact), 1e-3);
  }
  EXPECT_LE(distance(ran("cpu/fmm order=5 theta=0.4", Precision::f64), exact), 1e-3);
}

TEST(AddedForces, AreRefusedWhereTheyCannotBe) {
  const auto c = std::string("gr-potential c=10");
  EXPECT_EQ(refusal("kdk", law({c})), "");
  EXPECT_EQ(refusal("kdk", law({c + " body=9"})),
            "gravity.forces: there is no body with id 9, which body = 9 asks for");
  EXPECT_EQ(refusal("kdk", law({c + " body=3"})),
            "gravity.forces: body 3 has no mass; choose a source with mass");
  EXPECT_EQ(refusal("kdk", law({"dynamical-friction log_lambda=1 potential=2"}, 0, true)),
            "force 'dynamical-friction': potential = 2 is not there; gravity.potentials has 1");
  EXPECT_EQ(
      refusal("hermite4", law({forces.back()}, 0, true)),
      "hermite4 needs the change of accelerations, which force 'dynamical-friction' does not say; choose "
      "another integrator, kdk for example");
  auto turning = law({c});
  turning.potentials = potentials_of(std::vector<std::string>{"hill rate=1 kappa=1 nu=1"});
  EXPECT_EQ(
      refusal("kdk", turning),
      "gravity.forces act in a frame at rest; leave them out, or the potential 'hill', whose frame turns");
  auto box = law({c}, 0.1);
  box.boundary = {.periodic = true, .length = {10, 10, 10}};
  const auto open = refusal("kdk", box);
  EXPECT_TRUE(open.starts_with("gravity.forces need open space")) << open;
  auto flat = law({c});
  flat.dimension = 2;
  EXPECT_TRUE(refusal("kdk", flat).starts_with("gravity.forces need open space"));
}

/// The linear drag of a step that is far too long.
TEST(AddedForces, SayWhenAStepIsTooLongForADrag) {
  auto sim = simulation(system(), "kdk", 0.5, law({"gas-drag linear=10"}));
  EXPECT_THROW(sim.make_steps(1), NumericalError);
}

}  // namespace pleiad
