/// Members on the device, or on its emulation: as the host has them, with the bits that they have alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ensemble/device.hpp"

#include "core/larger.hpp"
#include "cuda/steps/catalogue.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr double dt = 1.0 / 128;
constexpr std::uint64_t steps = 8;

Method method(const char* integrator = "kdk", double length = dt) {
  return {.integrator = &integrator_named(integrator), .dt = length};
}
Member sphere(std::size_t n, std::uint64_t seed, double eps, const Method& how = method()) {
  const std::array settings{fmt::format("n={}", n)};
  return member_of(make_model("plummer", settings, seed), {.softening = {eps}}, how);
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
    take_larger(most, norm(a.position(i) - b.position(i))),
        take_larger(most, norm(a.velocity(i) - b.velocity(i)));
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

TEST(EnsembleOnDevice, AgreesWithTheHostAndHasTheBitsOfEachAlone) {
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

TEST(EnsembleOnDevice, CountsWhatItComputes) {
  std::vector<MemberStatus> going(2);
  const auto device = on_device({sphere(10, 1, 0.1), sphere(10, 2, 0.1)}, Precision::f32);
  device->run_towards(1, 4, going);
  EXPECT_EQ(device->interactions(), 5 * 2 * 100);  // the first step needs two evaluations
  device->run_towards(1, 4, going);
  EXPECT_EQ(device->interactions(), 9 * 2 * 100);
}

TEST(EnsembleOnDevice, ContinuesFromItsClocksBitForBit) {
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

TEST(EnsembleOnDevice, LeavesWhoIsRetiredWhereItWas) {
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

TEST(EnsembleOnDevice, SaysWhatItCannotDo) {
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
