/// The C interface: what it computes is what C++ computes, and every failure is a status and a line of text.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/models.hpp>
#include <pleiad/pleiad.h>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

pleiad_bodies* sphere(double n = 300) {
  const char* names[] = {"n"};
  pleiad_bodies* bodies = nullptr;
  EXPECT_EQ(pleiad_bodies_model("plummer", 1, names, &n, 3, &bodies), PLEIAD_OK);
  return bodies;
}
pleiad_simulation_options soft(double dt = 1.0 / 64) {
  pleiad_simulation_options options;
  pleiad_simulation_defaults(&options);
  options.softening = 0.05, options.dt = dt;
  return options;
}

}  // namespace

TEST(C, SimulatesAsCppDoes) {
  auto* bodies = sphere();
  const auto options = soft();
  pleiad_simulation* simulation = nullptr;
  ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK);
  pleiad_bodies_free(bodies);
  ASSERT_EQ(pleiad_simulation_step(simulation, 16), PLEIAD_OK);
  ASSERT_EQ(pleiad_simulation_run_until(simulation, 0.5, nullptr, nullptr), PLEIAD_OK);
  EXPECT_EQ(pleiad_simulation_steps(simulation), 32u);
  EXPECT_EQ(pleiad_simulation_time(simulation), 0.5);

  Simulation same(model("plummer", {{"n", 300}}, 3), {.softening = 0.05, .dt = 1.0 / 64});
  same.run_until(0.5);
  std::vector<double> x(900), v(900), a(900), w(300);
  ASSERT_EQ(pleiad_simulation_copy(simulation, x.data(), v.data()), PLEIAD_OK);
  ASSERT_EQ(pleiad_simulation_accelerations(simulation, a.data(), w.data()), PLEIAD_OK);
  const auto s = same.snapshot_with_fields();
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(x[3 * i + 1], s.bodies.y[i]);
    EXPECT_EQ(v[3 * i + 2], s.bodies.vz[i]);
    EXPECT_EQ(a[3 * i], s.ax[i]);
    EXPECT_EQ(w[i], s.potential[i]);
  }
  double kinetic = 0, error = 0;
  ASSERT_EQ(pleiad_simulation_energy(simulation, &kinetic, nullptr, &error), PLEIAD_OK);
  EXPECT_EQ(kinetic, same.energies().kinetic);
  EXPECT_EQ(error, same.diagnostics().energy_error);
  pleiad_simulation_free(simulation);
}

TEST(C, AWatchEndsACallThatGoesOnLater) {
  auto* bodies = sphere();
  const auto options = soft();
  pleiad_simulation* simulation = nullptr;
  ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK);
  int calls = 0;
  const auto once = [](double, std::uint64_t, void* user) { return ++*static_cast<int*>(user), 0; };
  EXPECT_EQ(pleiad_simulation_run_until(simulation, 0.5, once, &calls), PLEIAD_STOPPED);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(pleiad_simulation_run_until(simulation, 0.5, nullptr, nullptr), PLEIAD_OK);
  pleiad_simulation_free(simulation), pleiad_bodies_free(bodies);
}

TEST(C, EndsAtAnyTimeUnlessStepsAreExact) {
  auto* bodies = sphere();
  auto options = soft();
  for (const int exact : {0, 1}) {
    options.exact_steps = exact;
    pleiad_simulation* simulation = nullptr;
    ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK);
    EXPECT_EQ(pleiad_simulation_run_until(simulation, 0.1, nullptr, nullptr),
              exact != 0 ? PLEIAD_USAGE : PLEIAD_OK);
    EXPECT_EQ(pleiad_simulation_time(simulation), exact != 0 ? 0 : 0.1);
    pleiad_simulation_free(simulation);
  }
  pleiad_bodies_free(bodies);
}

TEST(C, TakesAddedForces) {
  auto* bodies = sphere();
  auto options = soft();
  options.forces = "gas-drag linear=0.5\ngr-potential c=10\n";
  pleiad_simulation* simulation = nullptr;
  ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK);
  double first = 0, last = 0;
  ASSERT_EQ(pleiad_simulation_energy(simulation, &first, nullptr, nullptr), PLEIAD_OK);
  ASSERT_EQ(pleiad_simulation_run_until(simulation, 0.5, nullptr, nullptr), PLEIAD_OK);
  ASSERT_EQ(pleiad_simulation_energy(simulation, &last, nullptr, nullptr), PLEIAD_OK);
  // exp(-2 * 0.5 * 0.5) = 0.61 of the kinetic energy would be left without gravity.
  EXPECT_LE(last, 0.9 * first);
  pleiad_simulation_free(simulation);
  options.forces = "gas-drg linear=0.5";
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_USAGE);
  EXPECT_TRUE(std::string(pleiad_last_error()).starts_with("no force 'gas-drg'"));
  pleiad_bodies_free(bodies);
}

TEST(C, TakesSymmetricSteps) {
  auto* bodies = sphere();
  auto options = soft();
  options.adaptive = 1, options.dt = 1, options.eta = 0.1;
  std::vector<double> x(900), of_symmetric(900);
  for (auto [symmetric, positions] : {std::pair(0, &x), std::pair(1, &of_symmetric)}) {
    options.symmetric_steps = symmetric;
    pleiad_simulation* simulation = nullptr;
    ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK) << pleiad_last_error();
    ASSERT_EQ(pleiad_simulation_step(simulation, 8), PLEIAD_OK);
    ASSERT_EQ(pleiad_simulation_copy(simulation, positions->data(), nullptr), PLEIAD_OK);
    pleiad_simulation_free(simulation);
  }
  EXPECT_NE(x, of_symmetric);
  options.adaptive = 0;
  pleiad_simulation* none = nullptr;
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &none), PLEIAD_USAGE);
  EXPECT_EQ(std::string(pleiad_last_error()),
            "time.symmetric_steps is for steps that change; set time.adaptive = true, or leave it out");
  pleiad_bodies_free(bodies);
}

TEST(C, TakesBlockSteps) {
  auto* bodies = sphere();
  auto options = soft();
  EXPECT_EQ(options.eta, 0);  // the usual one of the integrator
  options.integrator = "block-kdk", options.eta = 1e-3;
  pleiad_simulation *blocks = nullptr, *single = nullptr;
  ASSERT_EQ(pleiad_simulation_new(bodies, &options, &blocks), PLEIAD_OK) << pleiad_last_error();
  options.single_step = 1;
  ASSERT_EQ(pleiad_simulation_new(bodies, &options, &single), PLEIAD_OK) << pleiad_last_error();
  std::vector<double> x(900), of_single(900);
  for (auto [simulation, positions] : {std::pair(blocks, &x), std::pair(single, &of_single)}) {
    ASSERT_EQ(pleiad_simulation_step(simulation, 8), PLEIAD_OK);
    ASSERT_EQ(pleiad_simulation_copy(simulation, positions->data(), nullptr), PLEIAD_OK);
    pleiad_simulation_free(simulation);
  }
  EXPECT_NE(x, of_single);
  pleiad_simulation* none = nullptr;
  options.block_criterion = "pears";
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &none), PLEIAD_USAGE);
  EXPECT_EQ(std::string(pleiad_last_error()),
            "block_criterion must be one of auto, acceleration, pairs, not 'pears'");
  pleiad_bodies_free(bodies);
}

TEST(C, ChoosesStepsForAPositionError) {
  pleiad_bodies* bodies = nullptr;
  ASSERT_EQ(pleiad_bodies_model("figure-eight", 0, nullptr, nullptr, 0, &bodies), PLEIAD_OK)
      << pleiad_last_error();
  pleiad_simulation_options options;
  pleiad_simulation_defaults(&options);
  options.position_error = 1e-3, options.t_end = 6.32591398;
  pleiad_simulation* simulation = nullptr;
  ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK) << pleiad_last_error();
  double x[9], first[9];
  ASSERT_EQ(pleiad_simulation_copy(simulation, first, nullptr), PLEIAD_OK);
  ASSERT_EQ(pleiad_simulation_run_until(simulation, options.t_end, nullptr, nullptr), PLEIAD_OK);
  ASSERT_EQ(pleiad_simulation_copy(simulation, x, nullptr), PLEIAD_OK);
  for (int k = 0; k < 9; ++k)
    EXPECT_LE(std::abs(x[k] - first[k]), 2e-3);  // after a period, of orbits of size 1
  pleiad_simulation_free(simulation);
  options.position_error = 0, options.dt = 0.01, options.corrector = 3;
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_USAGE);
  EXPECT_NE(std::string(pleiad_last_error()).find("time.corrector = 3"), std::string::npos);
  pleiad_bodies_free(bodies);
}

/// A tight pair with a third body near it, which is slowed down in a group of all three; far away a wide
/// pair, which is a group with the usual radius alone; and a body for itself.
TEST(C, HasTheGroupsOfCpp) {
  const double masses[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  const double x[] = {1e-5, 0, 0, -1e-5, 0, 0, 5e-3, 0, 0, 3, 0, 0, 3.05, 0, 0, -3, 0, 0},
               v[] = {0, 111, 0, 0, -111, 0, 0, 0, 17, 0, 0.3, 0, 0, 2, 0, 0, -0.4, 0};
  constexpr std::size_t n = std::size(masses);
  pleiad_bodies* bodies = nullptr;
  ASSERT_EQ(pleiad_bodies_new(n, masses, x, v, &bodies), PLEIAD_OK) << pleiad_last_error();
  Snapshot start;
  for (std::size_t i = 0; i < n; ++i)
    start.bodies.add(masses[i], {x[3 * i], x[3 * i + 1], x[3 * i + 2]},
                     {v[3 * i], v[3 * i + 1], v[3 * i + 2]});
  std::vector<double> places[3];
  for (const int k : {0, 1, 2}) {
    pleiad_simulation_options options;
    pleiad_simulation_defaults(&options);
    options.integrator = "hermite4-block", options.dt = 0x1p-12, options.backend = "cpu",
    options.precision = "f64";
    options.groups = "regularised";
    SimulationOptions same{
        .dt = 0x1p-12, .integrator = "hermite4-block", .precision = Precision::f64, .backend = "cpu"};
    same.blocks.groups = CloseGroups::regularised;
    if (k > 0) options.group_radius = same.blocks.group_radius = 0.01;
    if (k > 1) options.slow_down = 0, same.blocks.slow_down = false;
    pleiad_simulation* simulation = nullptr;
    ASSERT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK) << pleiad_last_error();
    Simulation expected(start, same);
    ASSERT_EQ(pleiad_simulation_step(simulation, 2), PLEIAD_OK) << pleiad_last_error();
    expected.make_steps(2);
    places[k].resize(3 * n);
    ASSERT_EQ(pleiad_simulation_copy(simulation, places[k].data(), nullptr), PLEIAD_OK);
    const auto& b = expected.snapshot().bodies;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(places[k][3 * i], b.x[i]) << k;
      EXPECT_EQ(places[k][3 * i + 2], b.z[i]) << k;
    }
    pleiad_simulation_free(simulation);
  }
  EXPECT_NE(places[0], places[1]);
  EXPECT_NE(places[1], places[2]);
  pleiad_simulation_options wrong;
  pleiad_simulation_defaults(&wrong);
  wrong.integrator = "hermite4-block", wrong.dt = 0x1p-12, wrong.groups = "close";
  pleiad_simulation* none = nullptr;
  EXPECT_EQ(pleiad_simulation_new(bodies, &wrong, &none), PLEIAD_USAGE);
  EXPECT_STREQ(pleiad_last_error(), "groups must be one of off, regularised, not 'close'");
  pleiad_bodies_free(bodies);
}

TEST(C, FindsAccelerationsAsCppDoes) {
  const auto b = model("plummer", {{"n", 400}}, 3).bodies;
  std::vector<double> xyz, a(1200), w(400), at(30);
  for (std::size_t i = 0; i < 400; ++i) xyz.insert(xyz.end(), {b.x[i], b.y[i], b.z[i]});
  pleiad_force_options options;
  pleiad_force_defaults(&options);
  options.softening = 0.1;
  ASSERT_EQ(pleiad_accelerations(400, xyz.data(), b.mass.data(), &options, a.data(), w.data()), PLEIAD_OK);
  const auto same = accelerations(xyz, b.mass, {.softening = 0.1, .potential = true});
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_EQ(a[3 * i], same.accelerations[i].x);
    EXPECT_EQ(w[i], same.potentials[i]);
  }
  pleiad_solver* solver = nullptr;
  ASSERT_EQ(pleiad_solver_new(&options, &solver), PLEIAD_OK);
  ASSERT_EQ(pleiad_solver_accelerations_at(solver, 10, xyz.data(), 400, xyz.data(), b.mass.data(), at.data(),
                                           nullptr),
            PLEIAD_OK);
  EXPECT_EQ(std::string(pleiad_solver_kernel(solver)), "cpu/threads");
  for (std::size_t k = 0; k < 30; ++k) EXPECT_NEAR(at[k], a[k], 1e-5);
  pleiad_solver_free(solver);
}

TEST(C, SaysWhatWentWrongInEachThread) {
  pleiad_bodies* bodies = nullptr;
  EXPECT_EQ(pleiad_bodies_model("plumer", 0, nullptr, nullptr, 1, &bodies), PLEIAD_USAGE);
  EXPECT_NE(std::string(pleiad_last_error()).find("did you mean 'plummer'"), std::string::npos);
  std::string elsewhere = "?";
  std::thread([&] { elsewhere = pleiad_last_error(); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_EQ(bodies, nullptr);
  EXPECT_EQ(pleiad_bodies_read("/nowhere/at.all", &bodies), PLEIAD_USAGE);
  EXPECT_EQ(pleiad_bodies_new(1, nullptr, nullptr, nullptr, &bodies), PLEIAD_USAGE);
  EXPECT_EQ(std::string(pleiad_last_error()), "masses must not be NULL");
}

TEST(C, RefusesWhatCannotBe) {
  auto* bodies = sphere();
  pleiad_simulation* simulation = nullptr;
  auto options = soft(0);
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_USAGE);
  EXPECT_EQ(std::string(pleiad_last_error()), "dt = 0 must be finite and > 0");
  options = soft(), options.size = 0;
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_USAGE);
  EXPECT_EQ(pleiad_simulation_new(bodies, nullptr, &simulation), PLEIAD_USAGE);
  EXPECT_EQ(pleiad_simulation_step(nullptr, 1), PLEIAD_USAGE);
  EXPECT_EQ(pleiad_simulation_load("/nowhere", 0, &simulation), PLEIAD_INPUT);
  EXPECT_EQ(simulation, nullptr);
  const double nan = std::numeric_limits<double>::quiet_NaN(), mass = 1, at[3] = {0, nan, 0};
  double a[3];
  pleiad_force_options law;
  pleiad_force_defaults(&law);
  EXPECT_EQ(pleiad_accelerations(1, at, &mass, &law, a, nullptr), PLEIAD_INPUT);
  pleiad_bodies_free(bodies), pleiad_bodies_free(nullptr), pleiad_simulation_free(nullptr),
      pleiad_solver_free(nullptr);
}

/// A caller that was compiled with fewer options has the defaults of those that it does not know.
TEST(C, TakesTheOptionsOfAnEarlierVersion) {
  auto* bodies = sphere();
  auto options = soft();
  options.size = offsetof(pleiad_simulation_options, kernel);
  options.kernel = "no such kernel";
  pleiad_simulation* simulation = nullptr;
  EXPECT_EQ(pleiad_simulation_new(bodies, &options, &simulation), PLEIAD_OK) << pleiad_last_error();
  pleiad_simulation_free(simulation), pleiad_bodies_free(bodies);
}

TEST(C, GivesACodeForTheCauseOfEachError) {
  EXPECT_EQ(int(PLEIAD_INVALID_ARGUMENT), int(Error::Code::invalid_argument));
  EXPECT_EQ(int(PLEIAD_INACCURATE), int(Error::Code::inaccurate));
  auto* bodies = sphere(8);
  pleiad_bodies* none = nullptr;
  pleiad_simulation* simulation = nullptr;
  const auto code_with = [&](const auto& change) {
    auto options = soft();
    change(options);
    const auto status = pleiad_simulation_new(bodies, &options, &simulation);
    EXPECT_EQ(int(status), int(pleiad_last_error_code()) / 100);
    return pleiad_last_error_code();
  };
  EXPECT_EQ(pleiad_bodies_read("/no/such/file.hdf5", &none), PLEIAD_USAGE);
  EXPECT_EQ(pleiad_last_error_code(), PLEIAD_MISSING_FILE);
  EXPECT_EQ(code_with([](auto& o) { o.integrator = "kdkk"; }), PLEIAD_UNKNOWN_NAME);
  EXPECT_EQ(code_with([](auto& o) { o.kernel = "cpu/thread"; }), PLEIAD_UNKNOWN_NAME);
  EXPECT_EQ(code_with([](auto& o) { o.integrator = "hermite4", o.kernel = "cpu/fmm"; }), PLEIAD_UNSUPPORTED);
  EXPECT_EQ(code_with([](auto& o) { o.dt = -1; }), PLEIAD_INVALID_ARGUMENT);
  pleiad_bodies_free(bodies);
}

// The names and numbers of pleiad.h are those of C++: a status is its code without the last two digits.
TEST(C, CodesHaveTheirKindAndAName) {
  std::set<std::string_view> names;
  for (int code = 200; code < 600; ++code) {
    const auto name = name_of(Error::Code{code});
    if (name.empty()) continue;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(int(Error(Error::Code{code}, "").kind()), code / 100) << name;
  }
  EXPECT_EQ(names.size(), 19u);
}
