/// Runs in comoving coordinates: they start from cosmological snapshots and write them, keep the equation of
/// Layzer and Irvine, go on with the same bits, and have the same bits on several ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/comoving.hpp"

#include "core/larger.hpp"
#include "cosmology/cosmology.hpp"
#include "io/durable/durable.hpp"
#include "io/files/wanted.hpp"
#include "ranks/simulated.hpp"
#include "run/branch.hpp"
#include "run/energy_record.hpp"
#include "run/layzer_irvine.hpp"
#include "run/run.hpp"
#include "run/start.hpp"
#include "unit/run/waves.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;

using test::H0, test::omega_m, test::waves, test::written;

Request request_of(const fs::path& file, const fs::path& directory) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0.05;
  o.cosmology.omega_m = omega_m;
  o.cosmology.hubble = H0;
  o.time.dt = 0.05;
  o.time.end_redshift = 3;
  o.engine.backend = "cpu", o.engine.precision = "f64";
  o.output.directory = directory.string();
  o.output.plots = o.output.pictures = false;
  return request;
}

void execute_on(int ranks, const Request& request) {
  if (ranks == 1) {
    EXPECT_EQ(execute(request), End::done);
    return;
  }
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    auto mine = request;
    mine.ranks = &comm;
    EXPECT_EQ(execute(mine), End::done);
  });
}

nlohmann::json summary_of(const fs::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}

/// The comoving content of a file.
FileContent comoving_content(const fs::path& file) {
  files::Wanted wanted;
  wanted.comoving = true;
  return files::read_snapshot(file, std::nullopt, true, wanted);
}

std::string refusal_of(const Request& request) {
  try {
    check(request);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// Waves that cross and collapse. Errors of the equation come from the steps, and from the integral of T
// between rows, which is exact for powers of a: both go as the square of the step. 1e-3 with the longest step
// of a run that states none; half of that step, a quarter of the error, here to 40 %.
TEST(Comoving, RunsKeepTheEquationOfLayzerAndIrvine) {
  const test::Folder folder;
  const auto file = written(waves(), folder.path / "waves.hdf5");
  std::array<double, 2> errors{};
  for (const std::size_t finer : {0, 1}) {
    const auto run = folder.path / ("run" + std::to_string(finer));
    auto request = request_of(file, run);
    request.options.time.dt = largest_log_step / (finer == 0 ? 1 : 2);
    request.options.time.end_redshift = 0;
    execute_on(1, request);
    const auto summary = summary_of(run);
    errors[finer] = summary.at("largest_energy_error");
    EXPECT_EQ(summary.at("energy_error_is"), name_of_layzer_irvine_error);
    EXPECT_NEAR(summary.at("redshift").get<double>(), 0, 1e-14);
  }
  std::printf("Layzer-Irvine: %.2e, with half of the step %.2e\n", errors[0], errors[1]);
  EXPECT_LE(errors[0], 1e-3);
  EXPECT_GT(errors[0], 1e-6);  // it is measured
  EXPECT_NEAR(errors[1] / errors[0], 0.25, 0.1);
}

// The waves collapse to dense groups of a few bodies, in which the longest step is too long for this
// softening: errors of equal steps are three times those of steps by the acceleration.
TEST(Comoving, StepsFollowTheAccelerationUnlessStated) {
  const test::Folder folder;
  const auto file = written(waves(), folder.path / "waves.hdf5");
  std::array<double, 2> errors{}, steps{};
  for (const std::size_t equal : {0, 1}) {
    const auto run = folder.path / ("run" + std::to_string(equal));
    auto request = request_of(file, run);
    request.options.gravity.softening = 0.02;
    request.options.time.dt = equal == 1 ? largest_log_step : 0;
    request.options.time.end_redshift = 0;
    execute_on(1, request);
    const auto summary = summary_of(run);
    errors[equal] = summary.at("largest_energy_error"), steps[equal] = summary.at("step");
  }
  std::printf("Layzer-Irvine: %.2e, with equal steps %.2e\n", errors[0], errors[1]);
  EXPECT_EQ(steps[1], 207);  // ln 25 / 0.0156
  EXPECT_GT(steps[0], steps[1]);
  EXPECT_LE(errors[0], 0.5 * errors[1]);
}

TEST(Comoving, RunsHaveTheSameBitsOnRanksAndAfterAResume) {
  const test::Folder folder;
  const auto file = written(waves(), folder.path / "waves.hdf5");
  std::string hash, table, snapshot, spectra, groups;
  for (const int ranks : {1, 3})
    for (const char* kernel : {"cpu/ewald", "cpu/fmm order=4 theta=0.6 leaf=16"}) {
      const auto run = folder.path / "run";
      fs::remove_all(run);
      auto request = request_of(file, run);
      request.options.engine.kernel = kernel;
      request.options.checkpoint.every_steps = 7;
      request.options.output.snapshot_redshifts = {11, 7.5};
      request.options.output.power_spectra = request.options.output.groups = true;
      request.options.output.linking_length = 0.95, request.options.output.group_members = 2;
      execute_on(ranks, request);
      const auto whole = summary_of(run).at("state_hash").get<std::string>(),
                 rows = read_file(run / "diagnostics.txt"),
                 second = read_file(run / "snapshots" / "snapshot_002.hdf5"),
                 power = read_file(run / "power.csv"), found = read_file(run / "groups" / "groups_003.hdf5");
      // Where a process would go on that was killed while it wrote the last checkpoint.
      fs::remove(run / (ranks == 1 ? "checkpoint.pleiad" : "checkpoint.ranks.pleiad"));
      fs::remove(run / "snapshots" / "snapshot_003.hdf5");
      fs::remove(run / "groups" / "groups_003.hdf5");
      Request again;
      again.resume = run;
      execute_on(ranks, again);
      EXPECT_EQ(summary_of(run).at("state_hash"), whole) << kernel << " on " << ranks;
      EXPECT_EQ(read_file(run / "diagnostics.txt"), rows) << kernel << " on " << ranks;
      EXPECT_EQ(read_file(run / "power.csv"), power) << kernel << " on " << ranks;
      EXPECT_TRUE(read_file(run / "groups" / "groups_003.hdf5") == found) << kernel << " on " << ranks;
      if (kernel != std::string("cpu/ewald")) continue;
      if (ranks == 1) hash = whole, table = rows, snapshot = second, spectra = power, groups = found;
      EXPECT_EQ(whole, hash);
      EXPECT_EQ(rows, table);
      EXPECT_TRUE(second == snapshot) << "the second snapshot of " << ranks << " ranks differs";
      EXPECT_EQ(power, spectra);
      EXPECT_TRUE(found == groups) << "the last groups of " << ranks << " ranks differ";
      // Four moments of seven shells each, after three lines of words.
      EXPECT_EQ(std::ranges::count(power, '\n'), 3 + 4 * 7);
    }
}

// Velocities and momenta differ by a factor of a, which costs a rounding each way; the pulls of 30 steps make
// some 100 of it.
TEST(Comoving, RunsGoOnFromTheirSnapshots) {
  const test::Folder folder;
  const auto file = written(waves(), folder.path / "waves.hdf5", 0.7);
  auto first = request_of(file, folder.path / "first");
  first.options.time.end_redshift = 7;
  first.options.time.dt = std::log(25.0 / 8) / 20;
  execute_on(1, first);
  const auto middle = folder.path / "first" / "snapshots" / "snapshot_001.hdf5";
  const auto content = comoving_content(middle);
  ASSERT_TRUE(content.universe);
  EXPECT_EQ(content.universe->h, 0.7);  // as the first file has it
  EXPECT_EQ(content.universe->omega_m, omega_m);
  EXPECT_NEAR(content.snapshot.time, 1.0 / 8, 1e-16);
  EXPECT_EQ(content.snapshot.boundary.length.x, 2);
  auto second = request_of(middle, folder.path / "second");
  second.options.time.dt = first.options.time.dt;
  second.options.time.end_redshift = 3;
  execute_on(1, second);
  // The first run, resumed with a later end.
  Request resumed;
  resumed.resume = folder.path / "first";
  resumed.resume_settings = {"time.end_redshift=3"};
  execute_on(1, resumed);
  const auto a = comoving_content(folder.path / "second" / "snapshots" / "snapshot_001.hdf5").snapshot,
             b = comoving_content(folder.path / "first" / "snapshots" / "snapshot_002.hdf5").snapshot;
  EXPECT_NEAR(a.time, 0.25, 1e-15);
  EXPECT_NEAR(b.time, 0.25, 1e-15);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_NEAR(a.bodies.x[i], b.bodies.x[i], 1e-12);
    EXPECT_NEAR(a.bodies.vy[i], b.bodies.vy[i], 1e-11);
  }
}

// The end is met by half a step, after 19 whole ones: steps of nearly one length have nearly the same error,
// 0.1 of the squared step in ln a, 3e-3 of a displacement of 0.02 (25 / 8) at most.
TEST(Comoving, AShortenedStepMeetsARedshift) {
  const test::Folder folder;
  const auto file = written(waves(), folder.path / "waves.hdf5");
  std::array<Snapshot, 2> ends;
  for (const std::size_t k : {0, 1}) {
    const auto run = folder.path / ("run" + std::to_string(k));
    auto request = request_of(file, run);
    request.options.time.end_redshift = 7;
    request.options.time.dt = std::log(25.0 / 8) / (k == 0 ? 20 : 19.5);
    execute_on(1, request);
    EXPECT_EQ(summary_of(run).at("step"), 20);
    ends[k] = comoving_content(run / "snapshots" / "snapshot_001.hdf5").snapshot;
    EXPECT_NEAR(ends[k].time, 0.125, 1e-15);
  }
  double most = 0;
  for (std::size_t i = 0; i < ends[0].bodies.size(); ++i)
    take_larger(most, norm(ends[0].bodies.position(i) - ends[1].bodies.position(i)));
  EXPECT_LE(most, 3e-3 * 0.02 * 25 / 8);
}

// The first snapshot has the numbers of the input: a factor of a there and back.
TEST(Comoving, TheFirstSnapshotIsTheInput) {
  const test::Folder folder;
  const auto s = waves();
  auto request = request_of(written(s, folder.path / "waves.hdf5"), folder.path / "run");
  request.options.time.end_redshift = 20;
  execute_on(1, request);
  const auto first = comoving_content(folder.path / "run" / "snapshots" / "snapshot_000.hdf5").snapshot;
  EXPECT_NEAR(first.time, s.time, 1e-16);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    EXPECT_EQ(first.bodies.x[i], s.bodies.x[i]);
    EXPECT_NEAR(first.bodies.vx[i], s.bodies.vx[i], 1e-15);
    EXPECT_EQ(first.bodies.mass[i], s.bodies.mass[i]);
  }
}

// Without time.dt: the longest step within the cap of which the run is a whole number; 251 from z = 49 to 0.
// They are equal if that is stated, or without the softening that the criterion of others needs.
TEST(Comoving, TheLongestStepIsAWholePartOfTheRun) {
  for (const auto& [z, steps] : {std::pair{49.0, 251}, std::pair{1.0, 45}}) {
    Options o = request_of("no file", "run").options;
    o.time.dt = 0, o.time.end_redshift = 0, o.time.begin_redshift = z;
    Snapshot s = waves();
    begin_comoving(o, s, std::nullopt);
    EXPECT_NEAR(o.time.dt * steps, std::log(1 + z), 1e-14);
    EXPECT_LE(o.time.dt, largest_log_step);
    EXPECT_TRUE(o.time.adaptive);
  }
  Options stated = request_of("no file", "run").options, hard = stated;
  stated.time.dt = 0, stated.time.begin_redshift = 49, stated.time.stated.adaptive = true;
  hard.time.dt = 0, hard.time.begin_redshift = 49, hard.gravity.softening = 0;
  for (auto* o : {&stated, &hard}) {
    Snapshot s = waves();
    begin_comoving(*o, s, std::nullopt);
    EXPECT_FALSE(o->time.adaptive);
  }
}

// 251, whatever the redshifts. time.dt holds where it is set.
TEST(Comoving, TheFastPresetMakesEqualSteps) {
  for (const double z : {49.0, 9.0}) {
    Options o = request_of("no file", "run").options;
    o.cosmology.preset = "fast";
    o.time.dt = 0, o.time.end_redshift = 0, o.time.begin_redshift = z;
    Snapshot s = waves();
    begin_comoving(o, s, std::nullopt);
    EXPECT_NEAR(o.time.dt * fast_steps, std::log(1 + z), 1e-14);
    EXPECT_FALSE(o.time.adaptive);
    o.time.dt = 0.01;
    Snapshot again = waves();
    begin_comoving(o, again, std::nullopt);
    EXPECT_EQ(o.time.dt, 0.01);
  }
}

// What the acceleration asks for is told: at most what it asks for at the end, and nothing is forgotten by a
// resume.
TEST(Comoving, EqualStepsSayWhatTheAccelerationAsksFor) {
  const test::Folder folder;
  const auto run = folder.path / "run";
  auto request = request_of(written(waves(), folder.path / "waves.hdf5"), run);
  request.options.gravity.softening = 0.0002;
  request.options.cosmology.preset = "fast", request.options.time.dt = 0;
  request.options.checkpoint.every_steps = 100;
  execute_on(1, request);
  const auto summary = summary_of(run);
  EXPECT_EQ(summary.at("step"), fast_steps);
  const double asked = summary.at("criterion").at("smallest_step"),
               at = summary.at("criterion").at("redshift");
  const auto last = comoving_content(run / "snapshots" / "snapshot_001.hdf5").snapshot;
  Options o = request.options;
  (void)prepare(o);
  auto method = method_of(o);
  Snapshot momenta = last;
  for (auto* v : {&momenta.bodies.vx, &momenta.bodies.vy, &momenta.bodies.vz})
    for (double& value : *v) value *= last.time;
  momenta.time = std::log(last.time);
  Simulation now(momenta, gravity_of(o), method, {.precision = Precision::f64, .backend = "cpu"});
  std::printf("asked %.4g at z = %.3g; at the end %.4g, made %.4g\n", asked, at, now.criterion_step(),
              method.dt);
  EXPECT_LE(asked, now.criterion_step() * (1 + 1e-9));
  EXPECT_LE(asked, 0.9 * method.dt);
  EXPECT_NE(summary.dump().find("criterion"), std::string::npos);
  // The same where it is resumed at its end, without another row.
  fs::remove(run / "summary.json");
  Request resumed;
  resumed.resume = run;
  execute_on(1, resumed);
  EXPECT_EQ(summary_of(run).at("criterion"), summary.at("criterion"));
}

// Massive neutrinos make space expand, and come from the file where the run states neither them nor
// radiation.
TEST(Comoving, MassiveNeutrinosAreThoseOfTheFile) {
  const test::Folder folder;
  cosmology::Cosmology u{.omega_m = omega_m, .h = 0.7, .neutrino_masses = {0.05, 0.1, 0, 0}};
  u.omega_r = cosmology::radiation_density(2.7255, cosmology::massless_rest(3.046, u.neutrino_masses), u.h);
  u = cosmology::flat(u);
  WriteOptions how;
  how.universe = ComovingUniverse{.omega_m = u.omega_m,
                                  .omega_lambda = u.omega_lambda,
                                  .omega_r = u.omega_r,
                                  .h = u.h,
                                  .neutrino_masses = u.neutrino_masses,
                                  .t_nu = u.t_nu};
  const auto file = folder.path / "neutrinos.hdf5";
  write_snapshot(file, waves(), how);
  const auto request = request_of(file, folder.path / "run");
  Options o = request.options;
  (void)prepare(o);
  EXPECT_EQ(o.cosmology.neutrino_masses, (std::vector<double>{0.05, 0.1}));
  const auto taken = universe_in_files(o);
  EXPECT_NEAR(taken.omega_r / u.omega_r, 1, 1e-12);
  EXPECT_NEAR(taken.omega_lambda, u.omega_lambda, 1e-12);
  EXPECT_NEAR(taken.t_nu / u.t_nu, 1, 1e-5);
  execute_on(1, request);
  const auto content = comoving_content(folder.path / "run" / "snapshots" / "snapshot_001.hdf5");
  ASSERT_TRUE(content.universe);
  EXPECT_EQ(content.universe->neutrino_masses, u.neutrino_masses);
  auto other = request;
  other.options.output.directory = (folder.path / "other").string();
  other.options.cosmology.t_cmb = 2.7255, other.options.cosmology.h = 0.7;
  other.options.cosmology.neutrino_masses = {0.05};
  EXPECT_NE(refusal_of(other).find("universe"), std::string::npos);
  other.options.cosmology.neutrino_masses = {0.05, 0.1};
  EXPECT_EQ(refusal_of(other), "");
}

// Structure grows, and the pulls cancel less: the tree that was accurate at the start becomes looser, and
// stays accurate. A run that is resumed between has the same tree and the same bits.
TEST(Comoving, ATreeIsLoosenedAsStructureGrows) {
  const test::Folder folder;
  const auto run = folder.path / "run";
  auto request = request_of(written(waves(13), folder.path / "waves.hdf5"), run);
  auto& o = request.options;
  o.time.end_redshift = 2, o.engine.precision = "mixed";
  o.solver.method = "fmm", o.solver.order = 6, o.solver.mac = "spheres", o.solver.leaf_size = 32;
  o.solver.accuracy = 1e-3, o.solver.stated.accuracy = true, o.solver.check_every = 10;
  o.checkpoint.every_steps = 15;
  execute_on(1, request);
  const auto whole = summary_of(run);
  const auto theta_of = [](const std::string& kernel) {
    return std::strtod(kernel.c_str() + kernel.find("theta=") + 6, nullptr);
  };
  std::vector<std::pair<std::string, double>> used;  // kernels and their errors
  std::istringstream table(read_file(run / "accuracy.txt"));
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::array<double, 9> numbers{};
    for (double& number : numbers) words >> number;
    used.emplace_back(line.substr(line.find("cpu/")), numbers[7]);
  }
  ASSERT_GE(used.size(), 3U);
  std::printf("%s -> %s\n", used.front().first.c_str(), used.back().first.c_str());
  EXPECT_GT(theta_of(used.back().first), 1.1 * theta_of(used.front().first));
  for (const auto& [kernel, error] : used) EXPECT_LE(error, 1e-3) << kernel;
  const auto table_before = read_file(run / "diagnostics.txt");
  fs::remove(run / "checkpoint.pleiad");
  fs::remove(run / "snapshots" / "snapshot_001.hdf5");
  Request again;
  again.resume = run;
  execute_on(1, again);
  EXPECT_EQ(summary_of(run).at("state_hash"), whole.at("state_hash"));
  EXPECT_EQ(summary_of(run).at("kernel"), whole.at("kernel"));
  EXPECT_EQ(read_file(run / "diagnostics.txt"), table_before);
}

TEST(Comoving, ForcesAreRightToAThousandthUnlessSomethingIsStated) {
  const auto accuracy_of = [](const auto& change) {
    Options o = request_of("no file", "run").options;
    o.time.begin_redshift = 49;
    change(o);
    Snapshot s = waves();
    begin_comoving(o, s, std::nullopt);
    return o.solver.accuracy;
  };
  EXPECT_EQ(accuracy_of([](Options&) {}), 1e-3);
  EXPECT_EQ(accuracy_of([](Options& o) { o.solver.accuracy = 1e-5, o.solver.stated.accuracy = true; }), 1e-5);
  EXPECT_EQ(accuracy_of([](Options& o) { o.solver.stated.accuracy = true; }), 0);
  EXPECT_EQ(accuracy_of([](Options& o) { o.solver.method = "direct"; }), 0);
  EXPECT_EQ(accuracy_of([](Options& o) { o.engine.kernel = "cpu/ewald"; }), 0);
}

// A power of a: T = 3 a^1.7, and W such that the invariant is 0. Rows far apart change nothing but roundings.
TEST(Comoving, TheIntegralOfLayzerAndIrvineIsExactForPowers) {
  for (const double power : {1.7, -1.0, -2.5, 0.0}) {
    LayzerIrvine sum;
    double first = 0;
    for (const double a : {0.02, 0.05, 0.3, 1.0}) {
      const double T = 3 * std::pow(a, power),
                   integral = power == -1 ? 3 * std::log(a) : 3 * std::pow(a, power + 1) / (power + 1);
      const double invariant = sum.invariant(a, {.kinetic = T, .potential = -integral / a - T});
      if (first == 0) first = invariant;
      EXPECT_NEAR(invariant, first, 1e-12 * (std::abs(first) + std::abs(integral))) << power << " at " << a;
    }
  }
}

TEST(Comoving, WhatCannotBeIsRefusedInWords) {
  const test::Folder folder;
  const auto file = written(waves(), folder.path / "waves.hdf5");
  const auto refused = [&](const auto& change, const std::string& words) {
    auto request = request_of(file, folder.path / "run");
    change(request.options);
    const auto why = refusal_of(request);
    EXPECT_TRUE(words.empty() ? why.empty() : why.find(words) != std::string::npos)
        << "'" << why << "' for '" << words << "'";
  };
  refused([](Options&) {}, "");
  refused([](Options& o) { o.cosmology.omega_m = 0.31; }, "Omega0 = 0.32");
  refused([](Options& o) { o.cosmology.h = 0.5; }, "HubbleParam = 1");
  refused([](Options& o) { o.cosmology.hubble = 1; }, "times that of cosmology.omega_m");
  refused([](Options& o) { o.cosmology.omega_m = 0; }, "need cosmology.omega_m");
  refused([](Options& o) { o.cosmology.t_cmb = 2.7; }, "needs cosmology.h");
  refused([](Options& o) { o.cosmology.neutrino_masses = {0.1}; }, "needs cosmology.t_cmb");
  refused([](Options& o) { o.cosmology.preset = "fast", o.time.adaptive = true; }, "makes equal steps");
  refused([](Options& o) { o.cosmology.w0 = 1; }, "w0 + wa must be < 0");
  refused([](Options& o) { o.time.t_end = 1; }, "the end is time.end_redshift");
  refused([](Options& o) { o.time.begin_redshift = 20; }, "is at z = 24");
  refused([](Options& o) { o.time.end_redshift = 30; }, "must be below the redshift 24");
  refused([](Options& o) { o.time.integrator = "hermite4"; }, "kicks and drifts that all bodies share");
  refused([](Options& o) { o.time.integrator = "block-kdk"; }, "kicks and drifts that all bodies share");
  refused([](Options& o) { o.gravity.images = "nearest"; }, "gravity.images = \"all\"");
  refused([](Options& o) { o.gravity.boundary = "open"; }, "needs a periodic box");
  refused([](Options& o) { o.time.energy_error = 1e-5; }, "keeps no energy that could have an error");
  refused([](Options& o) { o.time.reverse = true; }, "forward in time");
  refused([](Options& o) { o.output.snapshot_format = "csv"; }, "snapshot_format = \"hdf5\"");
  refused([](Options& o) { o.output.snapshot_times = {-1}; }, "output.snapshot_redshifts");
  refused([](Options& o) { o.output.snapshot_redshifts = {5, 9}; }, "strictly decreasing");
  refused([](Options& o) { o.output.snapshot_redshifts = {1}; }, "after time.end_redshift");
  refused([](Options& o) { o.output.snapshot_redshifts = {30}; }, "before the start at z = 24");
  refused([](Options& o) { o.output.trajectory_ids = {0}; }, "records no single bodies");
  {
    // A file that states radiation: growth since its redshift is that with radiation.
    WriteOptions how;
    how.universe =
        ComovingUniverse{.omega_m = omega_m, .omega_lambda = 1 - omega_m - 9e-5, .omega_r = 9e-5, .h = 1};
    const auto other = folder.path / "radiation.hdf5";
    write_snapshot(other, waves(), how);
    refused([&](Options& o) { o.ic.file = other.string(), o.cosmology.omega_r = 5e-5; },
            "OmegaRadiation = 9e-05");
    refused([&](Options& o) { o.ic.file = other.string(); }, "");
    Options o = request_of(other, folder.path / "run").options;
    (void)prepare(o);
    EXPECT_EQ(o.cosmology.omega_r, 9e-5);
  }
  // In static space.
  refused([](Options& o) { o.cosmology = {}; }, "time.end_redshift needs [cosmology]");
}

// Its velocities are momenta. A branch has the bodies with a rounding of the factor a there and back.
TEST(Comoving, ACheckpointIsNoSnapshotButBeginsABranch) {
  const test::Folder folder;
  const auto run = folder.path / "run", other = folder.path / "branch";
  auto request = request_of(written(waves(), folder.path / "waves.hdf5"), run);
  request.options.time.dt = std::log(25.0 / 4) / 30;
  execute_on(1, request);
  EXPECT_THROW((void)read_snapshot(run / "checkpoint.pleiad"), InputError);
  Request branch;
  branch.options =
      branch_of(run, {"time.end_redshift=2", "time.dt=0.02", "output.directory=" + other.string()}).options;
  execute_on(1, branch);
  EXPECT_NEAR(summary_of(other).at("redshift").get<double>(), 2, 1e-14);
  const auto last = comoving_content(run / "snapshots" / "snapshot_001.hdf5").snapshot,
             first = comoving_content(other / "snapshots" / "snapshot_000.hdf5").snapshot;
  EXPECT_NEAR(first.time, 0.25, 1e-15);
  for (std::size_t i = 0; i < last.bodies.size(); ++i) {
    EXPECT_EQ(first.bodies.x[i], last.bodies.x[i]);
    EXPECT_NEAR(first.bodies.vz[i], last.bodies.vz[i], 1e-15 * 10);
  }
}
