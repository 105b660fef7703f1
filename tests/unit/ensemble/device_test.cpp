/// Members on the device, or on its emulation: as the host has them, with the bits that they have alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ensemble/device.hpp"

#include "core/larger.hpp"
#include "cuda/gpu.hpp"
#include "cuda/steps/catalogue.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;

namespace {

using EnsembleOnDevice = Gpu;

constexpr double dt = 1.0 / 128;
constexpr std::uint64_t steps = 8;

Method method(const char* integrator = "kdk", double length = dt) {
  return {.integrator = &integrator_named(integrator), .dt = length};
}
Member sphere(std::size_t n, std::uint64_t seed, double eps, const Method& how = method()) {
  const std::array settings{fmt::format("n={}", n)};
  return member_of(make_model("plummer", settings, seed), {.softening = {eps}}, how);
}
constexpr double orbit_step = 0.1;
Method orbits(const char* integrator = "wisdom-holman", int corrector = 0) {
  return {.integrator = &integrator_named(integrator), .dt = orbit_step, .corrector = corrector};
}
/// A star and planets on periods of 2 pi and longer, of masses up to 1e-4 of its own.
Member planets(std::size_t count, double turn, const Method& how = orbits()) {
  Snapshot s;
  s.bodies.add(1 + 0.1 * turn, {0.3, -0.2, 0.1}, {0.01, 0.02, -0.01});
  for (std::size_t k = 0; k < count; ++k) {
    StatedOrbit orbit;
    orbit.semi_major_axis = std::pow(1.5, double(k)), orbit.eccentricity = 0.05;
    orbit.mean_anomaly = turn + 2.0 * double(k), orbit.inclination = 0.02 * double(k);
    add_on_orbit(s, 1e-4 / double(k + 1), orbit, orbit_centre_named("0"));
  }
  return member_of(std::move(s), {}, how);
}
/// Two numbers of planets, two maps, a corrector and none: five groups.
std::vector<Member> planetary() {
  std::vector<Member> all;
  for (int k = 0; k < 3; ++k) all.push_back(planets(5, 0.7 * k));
  all.push_back(planets(2, 0.4));
  for (int k = 0; k < 2; ++k) all.push_back(planets(5, 0.3 * k, orbits("wisdom-holman-jacobi")));
  all.push_back(planets(5, 0.2, orbits("wisdom-holman", 5)));
  all.push_back(planets(5, 0.2, orbits("wisdom-holman-jacobi", 11)));
  return all;
}
/// Two sizes, two methods, three softenings: four groups.
std::vector<Member> mixture() {
  std::vector<Member> all;
  for (std::uint64_t k = 0; k < 3; ++k) all.push_back(sphere(33, k, 0.05 + 0.01 * double(k)));
  all.push_back(sphere(3, 7, 0.1));
  all.push_back(sphere(33, 8, 0.05, method("forest-ruth")));
  all.push_back(sphere(33, 9, 0.05, method("kdk", dt / 2)));
  all.push_back(sphere(1, 10, 0.1));
  return all;
}
std::unique_ptr<Members> on_device(std::vector<Member> members, Precision precision) {
  return make_device_members(std::move(members), {.precision = precision, .backend = "cuda"},
                             cuda_ensemble_kernels());
}
double farthest(const Bodies& a, const Bodies& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const double off : {norm(a.position(i) - b.position(i)), norm(a.velocity(i) - b.velocity(i))})
      take_larger(most, off);
  return most;
}
std::string refusal(std::vector<Member> members) {
  try {
    on_device(std::move(members), Precision::f64);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "(accepted)";
}

}  // namespace

TEST_F(EnsembleOnDevice, AgreesWithTheHostAndHasTheBitsOfEachAlone) {
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    const auto all = mixture();
    std::vector<MemberStatus> going(all.size()), one(1);
    const auto device = on_device(all, precision);
    EXPECT_FALSE(device->run_towards(steps * dt, 3, going));  // in pieces
    EXPECT_TRUE(device->run_towards(steps * dt, 1000, going));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto alone = on_device({all[k]}, precision);
      ASSERT_TRUE(alone->run_towards(steps * dt, 1000, one));
      EXPECT_EQ(state_hash(device->snapshot(k).bodies), state_hash(alone->snapshot(0).bodies))
          << name_of(precision) << ", member " << k;
      EXPECT_EQ(device->clock(k).time, steps * dt);
      Simulation host(all[k].state, all[k].gravity, all[k].method,
                      {.precision = precision, .backend = "cpu"});
      host.run_until(steps * dt);
      EXPECT_EQ(device->clock(k).step, host.step());
      // The strongest pull of a mass of 1 softened by 0.05 is 0.385 / 0.05^2 = 154; forces err by 5e-6 at
      // worst in single precision (500 roundings of 2^-24 are 3e-5, of 2^-53 6e-14), for a time of 1/16.
      const double bound = 154 * steps * dt * (precision == Precision::f64 ? 6e-14 : 3e-5);
      EXPECT_LE(farthest(device->snapshot(k).bodies, host.snapshot().bodies), bound)
          << name_of(precision) << ", member " << k;
    }
  }
}

TEST_F(EnsembleOnDevice, CountsWhatItComputes) {
  std::vector<MemberStatus> going(2);
  const auto device = on_device({sphere(10, 1, 0.1), sphere(10, 2, 0.1)}, Precision::f32);
  device->run_towards(1, 4, going);
  EXPECT_EQ(device->interactions(), 5 * 2 * 100);  // the first step needs two evaluations
  device->run_towards(1, 4, going);
  EXPECT_EQ(device->interactions(), 9 * 2 * 100);
}

TEST_F(EnsembleOnDevice, ContinuesFromItsClocksBitForBit) {
  const auto all = mixture();
  std::vector<MemberStatus> going(all.size());
  const auto whole = on_device(all, Precision::mixed), first = on_device(all, Precision::mixed);
  whole->run_towards(steps * dt, 1000, going);
  first->run_towards(steps * dt, 5, going);
  std::vector<Member> saved;
  for (std::size_t k = 0; k < all.size(); ++k)
    saved.push_back({first->snapshot(k), first->gravity(k), first->method(k), first->clock(k)});
  const auto rest = on_device(saved, Precision::mixed);
  EXPECT_TRUE(rest->run_towards(steps * dt, 1000, going));
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(state_hash(whole->snapshot(k).bodies), state_hash(rest->snapshot(k).bodies)) << k;
}

TEST_F(EnsembleOnDevice, LeavesWhoIsRetiredWhereItWas) {
  std::vector<MemberStatus> statuses(3);
  const auto device = on_device({sphere(8, 1, 0.1), sphere(8, 2, 0.1), sphere(8, 3, 0.1)}, Precision::f64);
  device->run_towards(1, 4, statuses);
  const auto before = state_hash(device->snapshot(1).bodies);
  statuses[1] = MemberStatus::energy_limit;
  device->run_towards(1, 4, statuses);
  EXPECT_EQ(state_hash(device->snapshot(1).bodies), before);
  EXPECT_EQ(device->clock(1).step, 4u);
  EXPECT_EQ(device->clock(2).step, 8u);
  const auto alone = on_device({sphere(8, 3, 0.1)}, Precision::f64);
  std::vector<MemberStatus> one(1);
  alone->run_towards(1, 8, one);
  EXPECT_EQ(state_hash(device->snapshot(2).bodies), state_hash(alone->snapshot(0).bodies));
  device->limit_steps(10);
  EXPECT_TRUE(device->run_towards(1, 100, statuses));
  EXPECT_EQ(device->clock(2).step, 10u);
  EXPECT_EQ(statuses[2], MemberStatus::step_limit);
}

/// Maps round alike on both but for the order of sums: 1e-16 a step, which shifts a planet along its orbit by
/// 1e-16 n^2 / 2 of the angle of a step, 0.1: 2e-12 after 500 steps.
TEST_F(EnsembleOnDevice, MovesPlanetsAsTheHostDoesWithTheBitsOfEachAlone) {
  constexpr std::uint64_t made = 500;
  const auto all = planetary();
  std::vector<MemberStatus> going(all.size()), one(1);
  const auto device = on_device(all, Precision::f64);
  EXPECT_FALSE(device->run_towards(made * orbit_step, 137, going));
  (void)device->snapshot(0);
  EXPECT_TRUE(device->run_towards(made * orbit_step, 1000, going));
  EXPECT_EQ(device->describe().kernel(), "cuda/orbit-systems");
  EXPECT_FALSE(device->describe().others);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto alone = on_device({all[k]}, Precision::f64);
    ASSERT_TRUE(alone->run_towards(made * orbit_step, 1000, one));
    EXPECT_EQ(state_hash(device->snapshot(k).bodies), state_hash(alone->snapshot(0).bodies)) << k;
    Simulation host(all[k].state, all[k].gravity, all[k].method,
                    {.precision = Precision::f64, .backend = "cpu"});
    host.make_steps(made);
    EXPECT_EQ(device->clock(k).step, host.step());
    EXPECT_LE(farthest(device->snapshot(k).bodies, host.snapshot().bodies), 2e-11) << k;
    EXPECT_GE(farthest(device->snapshot(k).bodies, all[k].state.bodies), 0.1) << k;
  }
}

/// What is seen with a corrector differs from the state in the coordinates of the map, which goes on.
TEST_F(EnsembleOnDevice, GoesOnWithPlanetsBitForBitAfterLooksAndAResume) {
  const auto all = planetary();
  std::vector<MemberStatus> going(all.size());
  const auto whole = on_device(all, Precision::f64), first = on_device(all, Precision::f64);
  whole->run_towards(100 * orbit_step, 1000, going);
  std::vector<Member> saved;
  for (const std::uint64_t some : {0U, 30U, 31U}) {
    if (some > 0) first->run_towards(100 * orbit_step, some, going);
    saved.clear();
    for (std::size_t k = 0; k < all.size(); ++k)
      saved.push_back({first->snapshot(k), first->gravity(k), first->method(k), first->clock(k)});
    if (some > 0) continue;
    for (std::size_t k = 0; k < all.size(); ++k)
      EXPECT_TRUE(saved[k].state.bodies == all[k].state.bodies) << k;
  }
  EXPECT_EQ(saved.front().clock.step, 61u);
  const auto rest = on_device(saved, Precision::f64);
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_TRUE(rest->snapshot(k).bodies == saved[k].state.bodies) << k;
  EXPECT_TRUE(rest->run_towards(100 * orbit_step, 1000, going));
  EXPECT_TRUE(first->run_towards(100 * orbit_step, 1000, going));
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_TRUE(whole->snapshot(k).bodies == rest->snapshot(k).bodies) << k;
    EXPECT_TRUE(whole->snapshot(k).bodies == first->snapshot(k).bodies) << k;
  }
}

/// A body that is no number changes no bit of the other systems, and does not hold up their warp.
TEST_F(EnsembleOnDevice, LeavesTheOtherPlanetsAloneWhereOneIsNoNumber) {
  std::vector<MemberStatus> going(5);
  std::vector<Member> all;
  for (int k = 0; k < 5; ++k) all.push_back(planets(5, 0.7 * k));
  const auto sound = on_device(all, Precision::f64);
  all[2].state.bodies.x[3] = std::numeric_limits<double>::quiet_NaN();
  const auto device = on_device(all, Precision::f64);
  for (const auto* members : {&sound, &device}) (*members)->run_towards(1e6, 50, going);
  for (const std::size_t k : {0U, 1U, 3U, 4U})
    EXPECT_TRUE(sound->snapshot(k).bodies == device->snapshot(k).bodies) << k;
  EXPECT_FALSE(std::isfinite(device->snapshot(2).bodies.x[0]));
}

TEST_F(EnsembleOnDevice, SaysWhichPlanetsItCannotMove) {
  EXPECT_NE(refusal({planets(3, 0, orbits("wisdom-holman-hybrid"))}).find("wisdom-holman-hybrid needs"),
            std::string::npos);
  EXPECT_NE(refusal({planets(33, 0)}).find("'cuda/orbit-systems' takes at most 33 bodies, not 34"),
            std::string::npos);
  EXPECT_EQ(refusal({planets(32, 0)}), "(accepted)");
  auto softened = planets(3, 0);
  softened.gravity.softening.eps = 0.1;
  EXPECT_NE(refusal({softened}).find("without softening"), std::string::npos);
  auto forced = planets(3, 0);
  forced.gravity.forces = {added_force_of("gr-potential c=10")};
  EXPECT_NE(refusal({forced}).find("ensembles take gravity.forces on CPUs"), std::string::npos);
  const auto by = [](const char* kernel, Member member) {
    EngineOptions options{.precision = Precision::f64, .backend = "cuda"};
    for (const auto* k : cuda_ensemble_kernels())
      if (k->name == kernel) options.method = ForceMethod{.ensemble = k};
    try {
      make_device_members({std::move(member)}, options, cuda_ensemble_kernels());
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string("(accepted)");
  };
  EXPECT_EQ(by("cuda/orbit-systems", planets(3, 0)), "(accepted)");
  EXPECT_NE(by("cuda/orbit-systems", sphere(3, 1, 0.1)).find("makes steps of wisdom-holman"),
            std::string::npos);
  EXPECT_NE(by("cuda/orbit-systems", sphere(3, 1, 0, method("hermite4"))).find("not of hermite4"),
            std::string::npos);
  EXPECT_NE(by("cuda/warp-ensemble", planets(3, 0))
                .find("Kepler orbits, which kernel 'cuda/warp-ensemble' does not have"),
            std::string::npos);
}

TEST_F(EnsembleOnDevice, SaysWhatItCannotDo) {
  auto adaptive = method();
  adaptive.adaptive = true;
  EXPECT_NE(refusal({sphere(3, 1, 0.1, adaptive)}).find("adaptive"), std::string::npos);
  EXPECT_NE(refusal({sphere(3, 1, 0.1, method("hermite4"))}).find("hermite4"), std::string::npos);
  EXPECT_NE(refusal({sphere(3, 1, 0.1), sphere(5000, 1, 0.1)}).find("takes at most"), std::string::npos);
  auto periodic = sphere(3, 1, 0.1);
  periodic.gravity.boundary.periodic = true;
  EXPECT_NE(refusal({periodic}).find("does not know periodic boxes"), std::string::npos);
  EXPECT_NE(refusal({sphere(3, 1, 0.1), sphere(3, 1, 0.1, method("kdk", -1))}).find("member 1: dt"),
            std::string::npos);
}
