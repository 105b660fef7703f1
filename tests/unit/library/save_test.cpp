/// A simulation that is saved and loaded goes on with the same bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "sim/comoving_space.hpp"
#include "unit/scratch.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

Snapshot sphere() { return model("plummer", {{"n", 300}}, 3); }
std::string hash(Simulation& s) { return state_hash(s.snapshot().bodies); }

}  // namespace

TEST(Saved, GoesOnWithTheSameBits) {
  const test::Folder scratch;
  const auto& folder = scratch.path;
  for (const auto& options : std::vector<SimulationOptions>{
           {.softening = 0.05, .dt = 0.3 / 64},
           {.softening = 0.05, .dt = 1.0 / 64, .adaptive = true, .eta = 0.1},
           {.dt = 1.0 / 512, .integrator = "hermite4", .precision = Precision::f64},
           {.dt = 1.0 / 512, .integrator = "wisdom-holman", .corrector = 7, .precision = Precision::f64},
           {.softening = 0.05, .dt = 1.0 / 64, .kernel = "cpu/fmm order=4 theta=0.6 leaf=32"}}) {
    Simulation whole(sphere(), options), first(sphere(), options);
    whole.make_steps(20);
    first.make_steps(9);
    save(first, folder);
    auto second = load(folder);
    second.make_steps(11);
    EXPECT_EQ(hash(whole), hash(second)) << options.integrator << ' ' << options.kernel;
    EXPECT_EQ(whole.time(), second.time());
    EXPECT_EQ(whole.step(), second.step());
    EXPECT_EQ(whole.diagnostics().energy_error, second.diagnostics().energy_error);
  }
}

/// Comoving bodies, with all densities that a universe has: radiation alone changes the steps in the fifth
/// digit.
TEST(Saved, KeepsItsExpandingUniverse) {
  const test::Folder scratch;
  auto start = model("uniform-box", {{"n", 60}, {"box", 2}}, 1);
  start.time = std::log(0.1), start.boundary.images = Images::all;
  cosmology::Cosmology universe{
      .omega_m = 0.3, .omega_b = 0.05, .omega_lambda = 0.6, .omega_r = 1e-3, .w0 = -0.8, .wa = 0.2, .h = 0.6};
  const Gravity law{.softening = {0.05}, .boundary = start.boundary};
  for (const auto& [adaptive, neutrinos] : {std::pair{false, 0.0}, {true, 0.0}, {false, 0.3}}) {
    universe.neutrino_masses = {neutrinos, neutrinos / 2}, universe.t_nu = neutrinos > 0 ? 1.9 : 1.95176;
    const Method method{.integrator = &integrator_named("kdk"),
                        .dt = 0.03,
                        .adaptive = adaptive,
                        .space = std::make_shared<ComovingSpace>(universe, 1.3)};
    Simulation whole(start, law, method, {.precision = Precision::f64});
    whole.make_steps(4);
    save(whole, scratch.path);
    auto second = load(scratch.path);
    whole.make_steps(6), second.make_steps(6);
    EXPECT_EQ(hash(whole), hash(second)) << adaptive;
    EXPECT_EQ(whole.time(), second.time()) << adaptive;
    const auto* kept = dynamic_cast<const ComovingSpace*>(second.method().space.get());
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->universe(), universe);
    EXPECT_EQ(kept->hubble(), 1.3);
  }
  // Text of a universe that is none.
  for (const auto& [text, word] : {std::pair{"0.3 0 0.7", "8 finite numbers"},
                                   {"0.3 0 0.7 0 -1 0 0.7 x", "8 finite numbers"},
                                   {"-1 0 0.7 0 -1 0 0.7 1", "section 'space'"},
                                   {"0.3 0 0.7 0 -1 0 0.7 1 0.1", "or 13 with massive neutrinos"},
                                   {"0.3 0 0.7 0 -1 0 0.7 0", "H0 must be > 0"}}) {
    auto loaded = load_checkpoint(scratch.path);
    loaded.checkpoint.extra["space"] = text;
    save_checkpoint(scratch.path, loaded.checkpoint);
    EXPECT_NE(test::message_of<InputError>([&] { load(scratch.path); }).find(word), std::string::npos)
        << text;
  }
}

/// Step factors of other kinds have no text.
TEST(Saved, OtherStepFactorsAreRefused) {
  struct Own final : Space {
    double kick(double, double) const override { return 1; }
    double drift(double, double) const override { return 1; }
    double eta_at(double, double eta) const override { return eta; }
  };
  Simulation simulation(
      sphere(), {.softening = {0.05}},
      {.integrator = &integrator_named("kdk"), .dt = 0.1, .space = std::make_shared<Own>()});
  const test::Folder scratch;
  EXPECT_NE(
      test::message_of<UsageError>([&] { save(simulation, scratch.path); }).find("step factors of its own"),
      std::string::npos);
}

TEST(Saved, GoesOnWithTheCountOfAnEarlierOne) {
  const test::Folder scratch;
  const Gravity soft{.softening = {0.05}};
  Simulation first(sphere(), soft, {.integrator = &integrator_named("kdk"), .dt = 1.0 / 64});
  first.make_steps(10);
  Simulation second(first.snapshot(), soft, {.integrator = &integrator_named("kdk"), .dt = 0.1});
  second.continue_from(first);
  second.make_steps(3);
  save(second, scratch.path);
  auto third = load(scratch.path);
  EXPECT_EQ(third.time(), second.time());
  EXPECT_EQ(third.step(), 13U);
  second.make_steps(4);
  third.make_steps(4);
  EXPECT_EQ(hash(second), hash(third));
  EXPECT_EQ(second.time(), third.time());
}

TEST(Saved, WatchesItsAccuracyAsBefore) {
  const test::Folder scratch;
  Simulation first(sphere(), {.softening = 0.05, .dt = 1.0 / 64, .accuracy = 1e-3, .backend = "cpu"});
  first.make_steps(3);
  save(first, scratch.path);
  const auto second = load(scratch.path);
  ASSERT_NE(first.controller(), nullptr);
  ASSERT_NE(second.controller(), nullptr);
  EXPECT_EQ(second.controller()->text(), first.controller()->text());

  const test::Folder other;
  Simulation exact(sphere(), {.softening = 0.05, .dt = 1.0 / 64});
  save(exact, other.path);
  EXPECT_EQ(load(other.path).controller(), nullptr);
}

/// After an end between two steps, and from an observer that sees a copy there.
TEST(Saved, GoesOnFromATimeBetweenTwoSteps) {
  const test::Folder at_end, in_between;
  const SimulationOptions options{.softening = 0.05, .dt = 1.0 / 64};
  Simulation whole(sphere(), options);
  whole.run_until(0.1);
  save(whole, at_end.path);
  whole.run_until(0.3);
  auto rest = load(at_end.path);
  EXPECT_EQ(rest.time(), 0.1);
  EXPECT_EQ(rest.step(), 7U);
  rest.run_until(0.3);
  EXPECT_EQ(hash(rest), hash(whole));
  EXPECT_EQ(rest.step(), whole.step());

  Simulation seen(sphere(), options);
  seen.every(0.1, [&](const Snapshot&) { save(seen, in_between.path); });
  seen.run_until(0.125);
  auto copied = load(in_between.path);
  EXPECT_EQ(copied.time(), 0.1);
  copied.run_until(0.3);
  EXPECT_EQ(hash(copied), hash(whole));
}

TEST(Saved, RefusesTimesBetweenStepsAsBefore) {
  const test::Folder scratch;
  Simulation first(sphere(), {.softening = 0.05, .dt = 1.0 / 64, .exact_steps = true});
  save(first, scratch.path);
  auto again = load(scratch.path);
  EXPECT_THROW(again.run_until(0.1), UsageError);
}

TEST(Saved, RefusesWhatNoSimulationHasSaved) {
  const test::Folder scratch;
  const auto& folder = scratch.path;
  EXPECT_THROW((void)load(folder), InputError);
  Checkpoint of_a_run;
  of_a_run.snapshot = sphere();
  save_checkpoint(folder, of_a_run);
  try {
    (void)load(folder);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("pleiad run --resume continues it"), std::string::npos) << e.what();
  }
  for (const char* text :
       {"", "kdk", "kkd 0x1p-4 0 0x1p-4 0x1p0 0x0p0 3 1", "kdk 0x0p0 0 0x1p-4 0x1p0 0x0p0 3 1",
        "kdk 0x1p-4 0 0x1p-4 0x1p0 0x0p0 3 1 7", "kdk 0x1p-4 0 0x1p-4 0x1p0 0x0p0 3 1 x"}) {
    of_a_run.extra["simulation"] = text;
    save_checkpoint(folder, of_a_run);
    EXPECT_THROW((void)load(folder), InputError) << text;
  }
}
