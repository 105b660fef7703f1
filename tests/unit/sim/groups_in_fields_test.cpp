/// Regularised groups in external fields: binaries and triples in galaxies, by the integrator ar-chain beside
/// gauss-radau, and within block time steps beside ar-chain.
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
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr double pi = std::numbers::pi;

Gravity fields(const std::vector<std::string>& potentials) {
  return {.potentials = potentials_of(potentials)};
}

struct How {
  const char* integrator = "hermite4-block";
  double dt = 1.0 / 16, eta = 0.002;
  double radius = 0;
  int threads = 1;
  bool slow_down = true;
};
Simulation made(const Snapshot& start, const Gravity& gravity, const How& how) {
  const auto* integrator = &integrator_named(how.integrator);
  Method method{.integrator = integrator, .dt = how.dt};
  if (integrator->in_blocks)
    method.eta = how.eta,
    method.blocks = {
        .groups = CloseGroups::regularised, .group_radius = how.radius, .slow_down = how.slow_down};
  Simulation sim(start, gravity, method,
                 EngineOptions{.precision = Precision::f64,
                               .backend = "cpu",
                               .threads = how.threads,
                               .integrator = integrator,
                               .blocks = method.blocks});
  (void)sim.reference_energy();
  return sim;
}

/// Adds a binary whose second body is at apocentre along `along`, and moves across it towards `across`.
void add_binary(Snapshot& s, double m1, double m2, double a, double e, const Vec3<double>& x,
                const Vec3<double>& v, const Vec3<double>& along, const Vec3<double>& across) {
  const double mass = m1 + m2, r = a * (1 + e), speed = std::sqrt(mass / a * (1 - e) / (1 + e));
  s.bodies.add(m1, x - (m2 / mass * r) * along, v - (m2 / mass * speed) * across);
  s.bodies.add(m2, x + (m1 / mass * r) * along, v + (m1 / mass * speed) * across);
}

struct Elements {
  double a = 0, e = 0;
  Vec3<double> towards{};   ///< pericentre, of length e
  Vec3<double> momentum{};  ///< angular, of length sqrt(1 - e^2)
};
Elements elements(const Bodies& b, std::size_t i = 0, std::size_t j = 1) {
  const auto x = b.position(j) - b.position(i), v = b.velocity(j) - b.velocity(i);
  const double mass = b.mass[i] + b.mass[j], r = norm(x);
  const auto towards = (dot(v, v) / mass - 1 / r) * x - (dot(x, v) / mass) * v;
  const double a = 1 / (2 / r - dot(v, v) / mass);
  const Vec3<double> h{x.y * v.z - x.z * v.y, x.z * v.x - x.x * v.z, x.x * v.y - x.y * v.x};
  return {a, norm(towards), towards, (1 / std::sqrt(mass * a)) * h};
}

std::size_t in_groups(const Bodies& b) {
  return std::size_t(std::ranges::count_if(b.series, [](const auto& s) { return s[19] > 0; }));
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}

/// A potential of each kind but Hill's frame, with a flat, a turning, a growing and a moving one among them.
std::vector<std::string> of_all_kinds() {
  return {"point mass=1 softening=0.1",
          "plummer mass=1 scale=0.7 vx=0.1 vy=-0.05",
          "hernquist mass=1 scale=0.8",
          "isochrone mass=1 scale=0.5 rise_from=-1 rise_to=2",
          "nfw mass=3 scale=2",
          "miyamoto-nagai mass=1 scale=0.6 height=0.2",
          "logarithmic speed=1 core=0.3 p=0.9 q=0.8",
          "sphere mass=30 radius=3",
          "uniform gx=0.3 gz=-0.1 e_fold=2",
          "bar mass=1 length=0.8 width=0.2 height=0.3 omega=0.7 angle=0.4",
          "exponential-disc mass=1 scale=0.5 thickness=0.2",
          "milky-way kpc=0.125 msun=1e-12",
          "table rows=0.3,0.1,1.1,0.9,2,1.3",
          "point mass=1 softening=0.2 track_rows=-1,0,0.1,0,0,0.1,0,4,0.2,0.3,0.1,0,0.1,0"};
}

}  // namespace

/// The kinds of potentials are all there.
TEST(GroupsInFields, AreTestedInEveryKindOfPotential) {
  const auto tested = fields(of_all_kinds());
  for (std::size_t k = 0; k < potential_kinds().size(); ++k) {
    if (potential_kinds()[k].name == "hill") continue;
    EXPECT_TRUE(std::ranges::any_of(tested.potentials, [&](const Potential& p) { return p.kind == int(k); }))
        << potential_kinds()[k].name;
  }
}

/// The chain beside Gauss-Radau in every field, which has no digits of differences of its own to lose here:
/// both have errors of some 1e-14 of the distances from the origin, which grow with the orbits of the pair.
TEST(GroupsInFields, AreByTheChainWhereGaussRadauSeesThem) {
  for (const auto& potential : of_all_kinds()) {
    Snapshot s;
    add_binary(s, 0.02, 0.01, 0.03, 0.4, {0.6, 0.5, 0.1}, {-0.4, 0.5, 0.1}, {0.6, 0.8, 0}, {0, 0, 1});
    s.bodies.add(0.005, {0.7, 0.45, 0.15}, {-0.3, 0.7, 0.1});
    auto chain = made(s, fields({potential}), {.integrator = "ar-chain", .dt = 0.25}),
         radau = made(s, fields({potential}), {.integrator = "gauss-radau", .dt = 1.0 / 512});
    chain.run_until(1), radau.run_until(1);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LE(norm(chain.snapshot().bodies.position(i) - radau.snapshot().bodies.position(i)), 1e-11)
          << potential;
    if (is_static(fields({potential}).potentials[0])) {
      EXPECT_LE(std::abs(chain.diagnostics().energy_error), 1e-13) << potential;
    }
  }
}

/// One body alone, which has no gravity but that of the field: its orbit beside that of Gauss-Radau.
TEST(GroupsInFields, MayHaveOneBody) {
  for (const double mass : {0.0, 1.0}) {
    Snapshot s;
    s.bodies.add(mass, {1, 0, 0.1}, {0, 1.1, 0.2});
    const auto gravity = fields({"miyamoto-nagai mass=2 scale=0.6 height=0.2"});
    auto chain = made(s, gravity, {.integrator = "ar-chain", .dt = 0.5}),
         radau = made(s, gravity, {.integrator = "gauss-radau", .dt = 1.0 / 64});
    chain.run_until(10), radau.run_until(10);
    EXPECT_LE(norm(chain.snapshot().bodies.position(0) - radau.snapshot().bodies.position(0)), 1e-11) << mass;
  }
}

/// A pair as a group beside the chain, in every field: the centre of mass has the errors of Hermite's scheme
/// with this eta, and the orbit about it those of kicks.
TEST(GroupsInFields, AreInBlockStepsAsByTheChain) {
  for (const auto& potential : of_all_kinds()) {
    Snapshot s;
    add_binary(s, 0.002, 0.001, 0.004, 0.4, {0.6, 0.5, 0.1}, {-0.4, 0.5, 0.1}, {0.6, 0.8, 0}, {0, 0, 1});
    const auto gravity = fields({potential});
    auto blocks = made(s, gravity, {.radius = 0.05}),
         chain = made(s, gravity, {.integrator = "ar-chain", .dt = 0.25});
    blocks.run_until(1), chain.run_until(1);
    const auto &b = blocks.snapshot().bodies, &c = chain.snapshot().bodies;
    EXPECT_EQ(in_groups(b), 2U) << potential;
    const auto start = elements(s.bodies), of_blocks = elements(b), of_chain = elements(c);
    const double change = norm(of_chain.towards - start.towards);
    EXPECT_LE(norm(of_blocks.towards - of_chain.towards), 1e-4 * change + 1e-13) << potential;
    EXPECT_LE(norm(b.position(0) - c.position(0)), 2e-7) << potential;
    // Of the energy of the motion, since the sum of all may nearly vanish.
    if (is_static(gravity.potentials[0])) {
      EXPECT_LE(std::abs(blocks.energies().total() - blocks.reference_energy()),
                1e-7 * blocks.energies().kinetic)
          << potential;
    }
  }
}

/// The tidal tensor T of a binary on a circular orbit of angular speed `rate` in the plane z = 0, from the
/// x axis at t = 0: of `radial` along the radius, and -rate^2 across it.
struct Orbit {
  double rate = 0, radial = 0;
  Vec3<double> tide(double time, const Vec3<double>& x) const {
    const Vec3<double> out{std::cos(rate * time), std::sin(rate * time), 0};
    return (-rate * rate) * x + ((radial + rate * rate) * dot(out, x)) * out;
  }
  double trace() const { return radial - 2 * rate * rate; }
};
Vec3<double> cross(const Vec3<double>& a, const Vec3<double>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The orbit of a binary whose periods are short, by its averaged potential -a^2/4 ((1 - e^2) tr T - j.Tj + 5
/// e.Te) (Milankovitch's equations: Tremaine, Touma & Namouni, AJ 137, 3706, 2009), with Runge and Kutta's
/// steps.
Elements averaged(Elements of, double mass, const Orbit& orbit, double begin, double end, int steps) {
  using State = std::array<Vec3<double>, 2>;  // j and e
  const double h = (end - begin) / steps, per_L = of.a * of.a / std::sqrt(mass * of.a);
  const auto rates = [&](double time, const State& s) {
    const auto by_j = 0.5 * orbit.tide(time, s[0]),
               by_e = 0.5 * orbit.trace() * s[1] - 2.5 * orbit.tide(time, s[1]);
    return State{-per_L * (cross(s[0], by_j) + cross(s[1], by_e)),
                 -per_L * (cross(s[0], by_e) + cross(s[1], by_j))};
  };
  State s{of.momentum, of.towards};
  const auto moved = [&](const State& by, double step) {
    return State{s[0] + step * by[0], s[1] + step * by[1]};
  };
  for (int k = 0; k < steps; ++k) {
    const double t = begin + k * h;
    const auto k1 = rates(t, s), k2 = rates(t + h / 2, moved(k1, h / 2)),
               k3 = rates(t + h / 2, moved(k2, h / 2)), k4 = rates(t + h, moved(k3, h));
    for (std::size_t c = 0; c < 2; ++c) s[c] += (h / 6) * (k1[c] + 2.0 * (k2[c] + k3[c]) + k4[c]);
  }
  return {of.a, norm(s[1]), s[1], s[0]};
}
/// A galaxy, and the tide at a distance of 1 from its centre.
struct Galaxy {
  const char* potential;
  Orbit orbit;
};
/// Their frequencies at 1 are 1, and sqrt(1 / 1.25) with a second derivative 0.75 / 1.25^2.
const Galaxy galaxies[]{{"point mass=1", {1, 2}},
                        {"logarithmic speed=1 core=0.5", {std::sqrt(1 / 1.25), 0.75 / (1.25 * 1.25)}}};

/// A binary whose orbit is inclined by 70 degrees to that about the galaxy, which makes it eccentric and
/// round again (Kozai 1962, Lidov 1962), beside the averaged equations, whose error is of the ratio of the
/// periods, 1 / 100, times the changes within an orbit of the galaxy. About a point mass the greatest e is
/// sqrt(1 - 5/3 cos^2 i) if it begins with 0, and a little larger for 0.05.
TEST(GroupsInFields, MakeBinariesEccentricByTheTideOfTheGalaxy) {
  const double tilt = 70 * pi / 180;
  for (const auto& [potential, orbit] : galaxies) {
    const double mass = 1e-8, a = std::cbrt(mass) * std::pow(1e-2 / orbit.rate, 2.0 / 3);
    Snapshot s;
    add_binary(s, mass / 2, mass / 2, a, 0.05, {1, 0, 0}, {0, orbit.rate, 0}, {1, 0, 0},
               {0, std::cos(tilt), std::sin(tilt)});
    auto sim = made(s, fields({potential}), {.dt = 0.25});
    auto now = elements(s.bodies);
    double most = 0, of_averaged = 0, worst = 0;
    for (int k = 1; k <= 400; ++k) {
      sim.run_until(k);
      const auto e = elements(sim.snapshot().bodies);
      now = averaged(now, mass, orbit, k - 1, k, 64);
      take_larger(most, e.e), take_larger(of_averaged, now.e);
      take_larger(worst, norm(e.towards - now.towards));
    }
    EXPECT_EQ(in_groups(sim.snapshot().bodies), 2U);
    EXPECT_LE(worst, 5e-3) << potential;
    EXPECT_NEAR(most, of_averaged, 2e-3) << potential;
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-6) << potential;
    if (orbit.radial == 2) {
      EXPECT_NEAR(most, std::sqrt(1 - 5.0 / 3 * std::pow(std::cos(tilt), 2)), 2e-3);
    }
  }
}

/// A hard pair, whose tide is 1e-8 of its binding: a hundred of its orbits are made at once. Elements of the
/// averaged orbit are those of the true one but for changes within an orbit of some of this tide.
TEST(GroupsInFields, TurnHardBinariesByWholeOrbits) {
  for (const auto& [potential, orbit] : galaxies) {
    const double mass = 1e-8, a = std::cbrt(mass) * std::pow(3e-5, 2.0 / 3), tilt = 1;
    Snapshot s;
    add_binary(s, mass / 3, mass * 2 / 3, a, 0.6, {1, 0, 0}, {0, orbit.rate, 0}, {0.6, 0.8, 0},
               {-0.8 * std::cos(tilt), 0.6 * std::cos(tilt), std::sin(tilt)});
    auto sim = made(s, fields({potential}), {.dt = 0.25});
    const auto start = elements(sim.snapshot().bodies);
    sim.run_until(3);
    const auto found = elements(sim.snapshot().bodies), expected = averaged(start, mass, orbit, 0, 3, 1000);
    const double change = norm(expected.towards - start.towards);
    EXPECT_GT(change, 5e-6) << potential;
    EXPECT_LE(norm(found.towards - expected.towards), 2e-8) << potential;
    EXPECT_LE(std::abs(found.a / start.a - 1), 2e-8) << potential;
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-8) << potential;
  }
}

/// A triple in a galaxy, in one group, with and without the slow-down of its inner binary.
TEST(GroupsInFields, SlowBinariesDownInTriples) {
  std::vector<Vec3<double>> outer;
  std::vector<double> phases;
  for (const bool slow : {false, true}) {
    Snapshot s;
    add_binary(s, 0.005, 0.005, 2e-4, 0.3, {1 - 0.02, 0, 0}, {0, 1 - 0.3, 0}, {0.6, 0.8, 0}, {0, 0, 1});
    s.bodies.add(0.01, {1.02, 0, 0}, {0, 1 + 0.3, 0});
    auto sim = made(s, fields({galaxies[1].potential}), {.dt = 0.125, .radius = 0.2, .slow_down = slow});
    sim.run_until(0.25);
    const auto& b = sim.snapshot().bodies;
    EXPECT_EQ(in_groups(b), 3U);
    phases.push_back(b.position(1).x - b.position(0).x);
    outer.push_back(b.position(2) - 0.5 * (b.position(0) + b.position(1)));
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-6) << slow;
  }
  EXPECT_LE(norm(outer[1] - outer[0]), 1e-4 * norm(outer[0]));
  EXPECT_NE(phases[0], phases[1]);
}

/// A cluster of binaries of all sizes in a galaxy: the energy in fields at rest, and the bits after a resume
/// inside the life of groups and with three threads, where fields move too.
TEST(GroupsInFields, KeepEnergyAndBitsOfAClusterOfBinaries) {
  const auto centres = make_model("plummer", std::vector<std::string>{"n=32"}, 4);
  Snapshot s;
  for (std::size_t i = 0; i < 32; ++i) {
    const double turn = 1.3 * double(i), a = 1e-5 * std::pow(1000, double(i) / 31);
    add_binary(s, 0.6 / 32, 0.4 / 32, a, 0.9 * std::fmod(0.618 * double(i), 1),
               centres.bodies.position(i) + Vec3<double>{8, 0, 0},
               centres.bodies.velocity(i) + Vec3<double>{0, 1.8, 0}, {std::cos(turn), std::sin(turn), 0},
               {0, 0, 1});
  }
  const std::string halo = "logarithmic speed=2 core=1",
                    bar = "bar mass=3 length=3 width=1 height=1 omega=0.3",
                    satellite = "plummer mass=1 scale=1 track_rows=0,6,2,0,0,0,0,2,6,1,0,0,-1,0";
  for (const auto& potentials : {std::vector{halo}, std::vector{halo, bar}, std::vector{halo, satellite}}) {
    const auto gravity = fields(potentials);
    auto whole = made(s, gravity, {.dt = 1.0 / 32, .eta = 0.005}),
         part = made(s, gravity, {.dt = 1.0 / 32, .eta = 0.005}),
         threads = made(s, gravity, {.dt = 1.0 / 32, .eta = 0.005, .threads = 3});
    whole.make_steps(4), part.make_steps(2), threads.make_steps(4);
    EXPECT_GE(in_groups(part.snapshot().bodies), 40U);
    const test::Folder folder;
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(2);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies));
    EXPECT_TRUE(same_bits(threads.snapshot().bodies, whole.snapshot().bodies));
    // The bar turns about the centre of the halo: what is kept is the Jacobi energy.
    if (potentials.back() != satellite) {
      EXPECT_LE(std::abs(whole.diagnostics().energy_error), 1e-8) << potentials.size();
    }
  }
}

/// Two bodies on either side of a galaxy are no group, whose centre of mass would be in its middle.
TEST(GroupsInFields, AreNotOfBodiesThatTheFieldHoldsApart) {
  Snapshot s;
  s.bodies.add(1e-3, {1, 0, 0}, {0, 1, 0}), s.bodies.add(1e-3, {-1, 0, 0}, {0, -1, 0});
  auto sim = made(s, fields({"point mass=1"}), {});
  sim.run_until(2);
  EXPECT_EQ(in_groups(sim.snapshot().bodies), 0U);
  EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-8);
}

}  // namespace pleiad
