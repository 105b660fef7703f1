/// A simulation as a program makes one: options, observers, a watch that ends it, diagnostics.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

Snapshot sphere(double n = 300) { return model("plummer", {{"n", n}}, 3); }
std::string hash(Simulation& s) { return state_hash(s.snapshot().bodies); }

}  // namespace

TEST(LibrarySimulation, HasTheBitsOfTheOneThatIsMadeInDetail) {
  Simulation easy(sphere(), {.softening = 0.05, .dt = 1.0 / 64});
  const Method method{.integrator = &integrator_named("kdk"), .dt = 1.0 / 64};
  Simulation detailed(sphere(), {.softening = {0.05}}, method);
  easy.run_until(0.5), detailed.run_until(0.5);
  EXPECT_EQ(hash(easy), hash(detailed));
}

TEST(LibrarySimulation, HasTheUsualEtaOfItsIntegrator) {
  const auto eta = [](SimulationOptions options) {
    options.dt = 1.0 / 64;
    return Simulation(sphere(), options).method().eta;
  };
  EXPECT_EQ(eta({.integrator = "hermite4-block"}), 0.005);
  EXPECT_EQ(eta({.integrator = "hermite4-block", .eta = 0.02}), 0.02);
  EXPECT_EQ(eta({.integrator = "hermite4", .adaptive = true}), 0.02);
  EXPECT_THROW((void)eta({.integrator = "hermite4-block", .eta = -0.005}), UsageError);
}

TEST(LibrarySimulation, TellsObserversAtTheirTimesAndKeepsItsBits) {
  for (const bool adaptive : {false, true}) {
    const SimulationOptions options{.softening = 0.05, .dt = 1.0 / 64, .adaptive = adaptive, .eta = 0.05};
    Simulation seen(sphere(), options), alone(sphere(), options);
    std::vector<double> often, seldom;
    seen.every(1.0 / 16, [&](const Snapshot& s) { often.push_back(s.time); });
    seen.every(1.0 / 8, [&](const Snapshot& s) { seldom.push_back(s.time); });
    EXPECT_TRUE(seen.run_until(1.0 / 8));
    EXPECT_TRUE(seen.run_until(5.0 / 16));
    EXPECT_EQ(often, (std::vector{0., 1. / 16, 2. / 16, 3. / 16, 4. / 16, 5. / 16}));
    EXPECT_EQ(seldom, (std::vector{0., 1. / 8, 2. / 8}));
    if (adaptive) continue;  // whose steps end at the times that somebody asks for
    alone.run_until(5.0 / 16);
    EXPECT_EQ(hash(seen), hash(alone));
  }
}

TEST(LibrarySimulation, EndsWhenItsWatchSaysSoAndGoesOnWithTheSameBits) {
  Simulation watched(sphere(), {.softening = 0.05, .dt = 1.0 / 64});
  Simulation alone(sphere(), {.softening = 0.05, .dt = 1.0 / 64});
  double last = -1;
  const auto stop = [&](const RunProgress& p) {
    EXPECT_EQ(p.end, 2);
    EXPECT_GT(p.time, last);
    last = p.time;
    return p.step < 5;
  };
  EXPECT_FALSE(watched.run_until(2, stop));
  EXPECT_GE(watched.step(), 5u);
  EXPECT_LT(watched.time(), 2);
  EXPECT_TRUE(watched.run_until(2, [](const RunProgress&) { return true; }));
  alone.run_until(2);
  EXPECT_EQ(hash(watched), hash(alone));
}

TEST(LibrarySimulation, GoesOnAfterAnObserverHasThrown) {
  Simulation s(sphere(), {.softening = 0.05, .dt = 1.0 / 64});
  bool fails = true;
  int looks = 0;
  s.every(1.0 / 16, [&](const Snapshot&) {
    if (fails) throw std::runtime_error("the disk is full");
    ++looks;
  });
  EXPECT_THROW(s.run_until(0.5), std::runtime_error);
  fails = false;
  s.run_until(0.5);
  EXPECT_EQ(looks, 9);
}

TEST(LibrarySimulation, TellsItsEnergyErrorSinceTheStart) {
  Simulation s(sphere(), {.softening = 0.05, .dt = 1.0 / 64});
  EXPECT_EQ(s.diagnostics().energy_error, 0);
  const double before = s.energies().total();
  s.run_until(0.5);
  EXPECT_EQ(s.diagnostics().energy_error, s.diagnostics(before).energy_error);
  EXPECT_NE(s.diagnostics().energy_error, 0);
  EXPECT_LT(std::abs(s.diagnostics().energy_error), 1e-3);
}

TEST(LibrarySimulation, MeetsAnAccuracy) {
  Simulation s(sphere(20000), {.softening = 0.02, .dt = 1.0 / 64, .accuracy = 1e-3});
  EXPECT_LT(s.force_errors().p99, 1.5e-3) << s.describe().kernel() << ": " << s.describe().why;
}

TEST(LibrarySimulation, RefusesWhatCannotBe) {
  const auto refusal = [](Snapshot start, const SimulationOptions& options) -> std::string {
    try {
      Simulation s(std::move(start), options);
      s.every(1.0 / 100, [](const Snapshot&) {});
      return "accepted";
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(refusal(sphere(), {.softening = 0.1, .dt = 0}), "dt = 0 must be finite and > 0");
  EXPECT_EQ(refusal(sphere(), {.softening = -0.1, .dt = 1}), "softening = -0.1 must be finite and >= 0");
  EXPECT_EQ(refusal(sphere(), {.softening = 0.1, .dt = 1.0 / 64}), "accepted");
  EXPECT_NE(refusal(sphere(), {.softening = 0.1, .dt = 1.0 / 64, .exact_steps = true})
                .find("must be a whole number"),
            std::string::npos);
  EXPECT_NE(refusal(sphere(), {.dt = 1, .integrator = "kkd"}).find("did you mean 'kdk'"), std::string::npos);
  auto bad = sphere();
  bad.bodies.mass[7] = -1;
  EXPECT_NE(refusal(bad, {.softening = 0.1, .dt = 1}).find("the bodies"), std::string::npos);
}

TEST(LibrarySimulation, ChoosesItsStepsForAPositionError) {
  const auto start = model("figure-eight", {});
  std::string told;
  SimulationOptions options{.position_error = 1e-4, .t_end = 20};
  options.context.note = [&](const std::string& note) { told += note; };
  Simulation chosen(start, options);
  EXPECT_TRUE(
      told.starts_with("position error 0.0001 asked: " + std::string(chosen.method().integrator->name)))
      << told;
  Simulation finer(start, {.dt = chosen.method().dt / 10,
                           .integrator = std::string(chosen.method().integrator->name),
                           .adaptive = chosen.method().adaptive,
                           .eta = chosen.method().eta / 10});
  chosen.run_until(20), finer.run_until(20);
  const auto &b = chosen.snapshot().bodies, &exact = finer.snapshot().bodies;
  for (std::size_t i = 0; i < 3; ++i)  // the bodies are up to 2 apart
    EXPECT_LE(norm(b.position(i) - exact.position(i)), 2e-4) << told;

  options.integrator = "kdk", options.position_error = 0.01;
  EXPECT_EQ(Simulation(start, options).method().integrator->name, "kdk");
  const auto refusal = [&](auto set) -> std::string {
    auto other = options;
    set(other);
    try {
      Simulation s(start, other);
      return "accepted";
    } catch (const UsageError& e) {
      return e.what();
    }
  };
  EXPECT_NE(refusal([](auto& o) { o.t_end = 0; }).find("t_end = 0 must be after the start"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.position_error = -1; }).find("position_error = -1"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.integrator = "wisdom-holman"; }).find("position_error"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.position_error = 1e-15; }).find("no integrator keeps it"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.lattice = true; }).find("lattice"), std::string::npos);
}

TEST(LibraryModels, AreThoseOfTheCommand) {
  const std::vector<std::string> settings{"n=300"};
  EXPECT_EQ(sphere().bodies, make_model("plummer", settings, 3).bodies);
  EXPECT_THROW((void)model("plummer", {{"m", 3}}), UsageError);
  EXPECT_THROW((void)model("plummer", {{"n", -3}}), UsageError);
  EXPECT_THROW((void)model("plummer", {{"n", 2.5}}), UsageError);
}

TEST(LibraryFiles, TakeTheFormatFromTheirNames) {
  const test::Folder scratch;
  const auto& folder = scratch.path;
  for (const std::string format : {"hdf5", "csv", "gadget2"}) {
    write(sphere(), folder / ("a." + format));
    EXPECT_EQ(detect_format(folder / ("a." + format)).name, format);
  }
  EXPECT_THROW(write(sphere(), folder / "a.txt"), UsageError);
}

/// With a body of so much times the mass of all others.
Snapshot sphere_about(double mass, double n) {
  auto s = sphere(n);
  s.bodies.add(mass, {}, {});
  s.bodies.id.back() = 1'000'000;
  return s;
}

TEST(LibraryPrecision, IsDoubleForFewBodiesOrADominantOne) {
  const auto precision = [](Snapshot s, const SimulationOptions& o) {
    return Simulation(std::move(s), o).describe().precision;
  };
  const SimulationOptions usual{.softening = 0.05, .dt = 1.0 / 64};
  EXPECT_EQ(precision(sphere(256), usual), "f64");
  EXPECT_EQ(precision(sphere(257), usual), "mixed");
  EXPECT_EQ(precision(sphere_about(1.1, 400), usual), "f64");
  EXPECT_EQ(precision(sphere_about(0.9, 400), usual), "mixed");
  auto stated = usual;
  stated.precision = Precision::mixed;
  EXPECT_EQ(precision(sphere(20), stated), "mixed");
  // Massless bodies do not count.
  auto with_massless = sphere(200);
  for (int k = 0; k < 500; ++k) {
    with_massless.bodies.add(0, {10.0 + k, 0, 0}, {});
    with_massless.bodies.id.back() = std::uint64_t(2000 + k);
  }
  EXPECT_EQ(precision(with_massless, usual), "f64");
}

TEST(LibraryPrecision, OfNinePlanetsIsDoubleAndHasItsBits) {
  const auto start = model("solar-system");
  Simulation usual(start, {.dt = 1.0 / 64}), stated(start, {.dt = 1.0 / 64, .precision = Precision::f64});
  usual.run_until(6.25), stated.run_until(6.25);
  EXPECT_EQ(usual.describe().precision, "f64");
  EXPECT_EQ(hash(usual), hash(stated));
}
