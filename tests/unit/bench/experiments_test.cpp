/// The experiments of the published benchmarks, in short form: what they compute, not how fast.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"

#include "bench/columns.hpp"
#include "bench/experiments/damped.hpp"
#include "bench/speed_up.hpp"
#include "bench/stop.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {

void silent(const std::string&) {}

Report short_periodic(const std::string& kernel, Precision precision) {
  return run_experiment(
      experiment_named("periodic-2d"),
      {.kernel = kernel, .precision = precision, .steps = 5, .sizes = {101}, .threads = 1, .quick = true},
      silent);
}

}  // namespace

// The publication's program, typed again from its description: minimum image by rounding, velocities,
// positions, wrap.
TEST(Periodic2d, FollowsTheAccountsLoop) {
  const std::string settings[] = {"n=101", "dimension=2"};
  auto b = make_model("uniform-box", settings, 1).bodies;
  const auto report = short_periodic("cpu/scalar", Precision::f64);
  const auto& t = report.table;
  ASSERT_EQ(text(t, t.rows.at(4), "section"), "trajectory of body 0");
  ASSERT_EQ(text(t, t.rows.at(5), "section"), "runs");
  for (int step = 0; step < 5; ++step) {
    const auto x = b.x, y = b.y;
    for (std::size_t i = 0; i < 101; ++i)
      for (std::size_t j = 0; j < 101; ++j) {
        if (i == j) continue;
        double dx = x[j] - x[i], dy = y[j] - y[i];
        dx -= std::round(dx), dy -= std::round(dy);
        const double r = std::sqrt(dx * dx + dy * dy);
        b.vx[i] += 1e-4 * dx / (r * r * r), b.vy[i] += 1e-4 * dy / (r * r * r);
      }
    for (std::size_t i = 0; i < 101; ++i) {
      b.x[i] += 1e-4 * b.vx[i], b.y[i] += 1e-4 * b.vy[i];
      b.x[i] -= std::floor(b.x[i]), b.y[i] -= std::floor(b.y[i]);
    }
    const auto& row = report.table.rows[std::size_t(step)];
    // Positions near 1 carry 1e-16; forces of at most 1e6 in another order differ by some 1e-16 of it, times
    // dt^2 = 1e-8 per step: 1e-18.
    EXPECT_NEAR(number(t, row, "time"), 1e-4 * (step + 1), 1e-15);
    EXPECT_NEAR(number(t, row, "x"), b.x[0], 1e-13) << "step " << step;
    EXPECT_NEAR(number(t, row, "y"), b.y[0], 1e-13) << "step " << step;
  }
}

TEST(Periodic2d, PrintsThePublishedFigures) {
  const auto report = short_periodic("auto", Precision::f32);
  EXPECT_NE(std::ranges::find_if(report.notes,
                                 [](const auto& note) { return note.find("235 s") != std::string::npos; }),
            report.notes.end());
}

// The times of the publication stand in the rows of its programs, with device and commit; the orbit's energy
// is lost at once, that of the softened problem is not.
TEST(Periodic2d, HasItsTimesAndEnergiesInRows) {
  const auto report = run_experiment(experiment_named("periodic-2d"), {.steps = 20, .quick = true}, silent);
  const auto& t = report.table;
  double hard = 0, softened = 0;
  bool serial = false;
  for (const auto& row : t.rows) {
    const auto variant = text(t, row, "variant");
    if (variant.empty()) continue;
    EXPECT_GT(number(t, row, "elapsed_s"), 0) << variant;
    EXPECT_FALSE(text(t, row, "device").empty() || text(t, row, "commit").empty()) << variant;
    if (variant == "serial loop") {
      serial = true;
      EXPECT_EQ(number(t, row, "published_s"), 235);
    }
    if (variant == "Pleiad's choice") hard = number(t, row, "energy_error");
    if (variant == "softened, resolved") softened = number(t, row, "energy_error");
  }
  EXPECT_TRUE(serial);
  EXPECT_GT(hard, 1);         // measured: 1e3 and more from the first close passage on
  EXPECT_LE(softened, 1e-3);  // measured: 1e-5 in the first 20 steps
  EXPECT_GT(softened, 0);
  ASSERT_TRUE(report.plot);
  EXPECT_TRUE(report.plot->linear);
  ASSERT_EQ(report.plot->panels.size(), 2U);
  EXPECT_GE(report.plot->panels[0].series.at(1).points.size(), 20U);
  const auto script = gnuplot_script(*report.plot, "a.png");
  EXPECT_EQ(script.find("logscale"), std::string::npos) << script;
  EXPECT_NE(std::ranges::find_if(report.notes,
                                 [](const auto& note) { return note.find("chaotic") != std::string::npos; }),
            report.notes.end());
}

TEST(DampingFps, EndsInTheSameStateWithAllPrograms) {
  const auto report = run_experiment(
      experiment_named("damping-fps"),
      {.kernel = {}, .precision = {}, .steps = 20, .sizes = {128, 257}, .threads = 1, .quick = true}, silent);
  EXPECT_TRUE(report.refused.empty()) << report.refused.front();
  // Without a GPU: serial, the same on the stack, and the choice, for two numbers of bodies.
  ASSERT_GE(report.table.rows.size(), 6U);
  std::set<std::string> variants;
  for (const auto& row : report.table.rows) {
    variants.insert(text(report.table, row, "variant"));
    EXPECT_GT(number(report.table, row, "steps_per_second"), 0);
    EXPECT_LE(number(report.table, row, "difference"), 2 * 36 * 0x1p-24);
    EXPECT_GE(number(report.table, row, "spread"), 0);
  }
  EXPECT_TRUE(variants.contains("serial loop") && variants.contains("state on the stack"));
  ASSERT_TRUE(report.plot);
  EXPECT_EQ(report.plot->panels[0].slope, -2);
  EXPECT_EQ(report.plot->panels[0].series[0].points.size(), 2U);
}

// 41 figures in steps per second, each beside the one program, number of bodies and block that it is of.
TEST(DampingFps, HasAPlaceForEveryPublishedFigure) {
  std::map<const Published*, int> places;
  ExperimentOptions options;
  for (const auto& scan : damped_scans(options)) {
    auto programs = scan.programs;
    if (scan.part == "bodies" && scan.n <= largest_serial) programs.push_back(serial_program());
    for (const auto& program : programs)
      if (const auto* figure = published_of(program, scan.n)) {
        ++places[figure];
        EXPECT_EQ(figure->n, scan.n);
        if (figure->block > 0) {
          EXPECT_NE(program.kernel.find("block=" + std::to_string(figure->block)), std::string::npos)
              << program.kernel;
        }
      }
  }
  std::size_t figures = 0;
  for (const auto& figure : published_values())
    if (figure.source == "S3" && figure.unit == "FPS") {
      ++figures;
      EXPECT_EQ(places[&figure], 1) << figure.experiment << ", N = " << figure.n << ", block "
                                    << figure.block;
    }
  EXPECT_EQ(figures, 41U);
}

// What cannot be measured here is there all the same, with the reason.
TEST(DampingFps, ShowsWhatWasPublishedWhereThereIsNoGpu) {
  if (why_no_gpu().empty()) GTEST_SKIP() << "there is a GPU";
  ExperimentOptions options;
  options.sizes = {512};
  options.steps = 2;
  options.quick = true;
  const auto report = run_experiment(experiment_named("damping-fps"), options, silent);
  std::map<std::string, double> published;
  for (const auto& row : report.table.rows) {
    const auto variant = text(report.table, row, "variant");
    published[variant] = number(report.table, row, "published_fps");
    EXPECT_EQ(number(report.table, row, "steps_per_second") > 0, text(report.table, row, "refused").empty())
        << variant;
  }
  EXPECT_EQ(published["serial loop"], 321.0);
  EXPECT_EQ(published["one thread per body"], 2419.0);
  EXPECT_EQ(published["shared tiles"], 2790.19);
  // Dashed in the plot, in the colour of what was measured.
  ASSERT_TRUE(report.plot);
  const auto& series = report.plot->panels.at(0).series;
  const auto serial = std::ranges::find(series, "Core i5-4210M: serial loop", &Series::name);
  ASSERT_NE(serial, series.end());
  EXPECT_TRUE(serial->dashed);
  EXPECT_EQ(serial->colour, series.front().colour);
  EXPECT_EQ(serial->points.front()[1], 321.0);
  EXPECT_NE(std::ranges::find(series, "GeForce 840M: shared tiles", &Series::name), series.end());
}

// 449 was shown for two cores: 14.6 G/s are all that their multiply-adds allow, where the serial loop makes
// 0.34.
TEST(SpeedUp, IsRefusedBeyondWhatTheHardwareCanHave) {
  const Case two_cores{
      .kernel = &direct_kernel("cpu/symmetric"), .precision = Precision::f32, .threads = 2, .shape = {}};
  constexpr std::size_t n = 4096;
  constexpr double limit = 14.6e9, serial_peak = 0.34e9, serial = double(n) * n / serial_peak;
  EXPECT_EQ(possible_speed_up(two_cores, n, serial / 40, serial, limit, serial_peak), 40);
  try {
    possible_speed_up(two_cores, n, serial / 40, 449 * serial / 40, limit, serial_peak);
    FAIL() << "accepted";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("it seems 449 times as fast as the serial loop, where the "
                        "hardware allows 47.2"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(possible_speed_up(two_cores, n, std::nan(""), serial, limit, serial_peak), NumericalError);
  const double peak = peak_of_serial_loop();
  EXPECT_GT(peak, 1e6);
  EXPECT_LE(peak, 1e11);
}

// Each of the five best times stands once, beside the shape that it was measured in, and in the plot.
TEST(FiveKernels, HasAPlaceForEveryPublishedFigure) {
  if (why_no_gpu().empty()) GTEST_SKIP() << "there is a GPU";
  ExperimentOptions options;
  options.quick = true;
  // The serial loop, last of all, takes seconds and was published by nobody.
  const auto stop = [](const std::string&) { throw Stopped{"SIGINT"}; };
  const auto report = run_experiment(experiment_named("five-kernels"), options, stop);
  std::map<std::string, double> found;
  for (const auto& row : report.table.rows)
    if (const double ms = number(report.table, row, "published_ms"); ms > 0) {
      const auto what = text(report.table, row, "kernel") + " " + text(report.table, row, "shape");
      EXPECT_TRUE(found.emplace(what, ms).second) << what;
      EXPECT_EQ(text(report.table, row, "published_on"), "Tesla K20c");
    }
  const std::map<std::string, double> all{{"cuda/naive-forces block=128", 10.07},
                                          {"cuda/tile-forces block=128", 7.04},
                                          {"cuda/grid-stride-forces block=128,grid=128", 11.14},
                                          {"cuda/grid-stride-tile-forces block=256,grid=64", 7.20},
                                          {"cuda/shuffle-forces block=128,grid=128", 6.84}};
  EXPECT_EQ(found, all);
  ASSERT_TRUE(report.plot);
  EXPECT_EQ(report.plot->panels.at(0).series.at(0).points.size(), 5U);
}

TEST(DampingFps, IsInSinglePrecisionOnly) {
  EXPECT_THROW(run_experiment(experiment_named("damping-fps"),
                              {.kernel = {}, .precision = Precision::f64, .steps = 2, .sizes = {64}}, silent),
               UsageError);
}

// Rows as a GPU may give them: the plot must have every kernel and shape, the published figures, and no point
// for a refused shape.
TEST(Experiments, DrawWhatWasMeasuredEarlier) {
  const auto rows = from_json(R"json([
{"variant":"naive","kernel":"cuda/naive-forces","shape":"block=32","n":16384,"ms":1.6,"commit":"abc"},
{"variant":"naive","kernel":"cuda/naive","shape":"block=32","n":16384,"ms":1.493,"commit":"abc"},
{"variant":"naive","kernel":"cuda/naive-forces","shape":"block=64","n":16384,"ms":1.495,"commit":"abc"},
{"variant":"tiling (grid-stride)","kernel":"cuda/grid-stride-forces","shape":"block=32,grid=8","n":16384,"ms":58.9,"commit":"abc"},
{"variant":"tiling (grid-stride)","kernel":"cuda/grid-stride-forces","shape":"block=32,grid=4","n":16384,"ms":117.0,"commit":"abc"},
{"variant":"tiling (grid-stride)","kernel":"cuda/grid-stride-forces","shape":"block=64,grid=4","n":16384,"ms":59.1,"commit":"abc"},
{"variant":"tiling (grid-stride)","kernel":"cuda/grid-stride-forces","shape":"block=2048,grid=4","n":16384,"ms":null,"commit":null}])json",
                              "rows.json", column);
  const auto report = earlier_experiment(experiment_named("five-kernels"), rows);
  ASSERT_TRUE(report.plot);
  ASSERT_EQ(report.plot->panels.size(), 3U);
  EXPECT_EQ(report.plot->panels[0].series.at(0).points.size(), 2U);
  EXPECT_EQ(report.plot->panels[0].series.at(1).points.size(), 1U);
  ASSERT_EQ(report.plot->panels[1].series.size(), 2U);
  EXPECT_EQ(report.plot->panels[1].series[0].points.at(1)[0], 8);
  EXPECT_EQ(report.plot->panels[1].series[0].points.at(1)[1], 58.9);
  const auto& bests = report.plot->panels[2].series;
  ASSERT_EQ(bests.size(), 3U);
  EXPECT_EQ(bests[0].points.at(0)[1], 10.07);
  EXPECT_EQ(bests[0].points.at(1)[1], 11.14);
  EXPECT_EQ(bests[1].points.at(0)[1], 1.495);

  const auto stride = from_json(R"([
{"kernel":"cuda/naive","shape":"block=1024","n":4096,"interactions_per_second":4.4e10},
{"kernel":"cuda/naive","shape":"block=1025","n":4096,"interactions_per_second":null},
{"kernel":"cuda/split-atomics","shape":"block=128,stride=32","n":4096,"interactions_per_second":1e12}])",
                                "stride.json", column);
  const auto plot = earlier_experiment(experiment_named("block-stride"), stride).plot;
  ASSERT_TRUE(plot);
  EXPECT_EQ(plot->panels.at(0).series.at(0).points.size(), 1U);
  EXPECT_EQ(plot->panels.at(1).series.at(0).name, "128 threads per block");
}

// All of the publication's figures stand beside what is measured, whether or not a GPU is there to measure.
TEST(BlockStride, HasAllPublishedFigures) {
  const auto t = run_experiment(experiment_named("block-stride"), {.quick = true}, silent).table;
  std::size_t published = 0;
  for (const auto& row : t.rows) {
    const auto shape = text(t, row, "shape");
    if (!(number(t, row, "published_g_per_second") > 0)) continue;
    ++published;
    EXPECT_FALSE(text(t, row, "published_on").empty()) << shape;
    if (shape == "block=32") {
      EXPECT_EQ(number(t, row, "published_g_per_second"), 32.320);
    }
    if (shape == "block=128") {
      EXPECT_EQ(number(t, row, "published_g_per_second"), 32.981);
    }
  }
  EXPECT_EQ(published, 29U);
  const auto has = [&](const char* shape) {
    return std::ranges::any_of(t.rows, [&](const auto& row) { return text(t, row, "shape") == shape; });
  };
  for (const auto* shape :
       {"block=8,stride=4", "block=16,stride=4", "block=128,stride=128", "block=1,stride=1"})
    EXPECT_TRUE(has(shape)) << shape;
}

// The serial loop needs no GPU; what does says so in its row.
TEST(Experiments, MeasureTheirRowsOnTheProcessorWithoutAGpu) {
  if (!why_no_gpu().empty()) {
    const auto report = run_experiment(experiment_named("path"), {.sizes = {64}, .quick = true}, silent);
    const auto& t = report.table;
    ASSERT_GE(t.rows.size(), 18U);
    EXPECT_GT(number(t, t.rows[0], "interactions_per_second"), 0);
    for (std::size_t r = 1; r < t.rows.size(); ++r) EXPECT_EQ(text(t, t.rows[r], "refused"), why_no_gpu());
    EXPECT_NE(
        std::ranges::find_if(report.notes, [](const auto& note) { return note.ends_with(why_no_gpu()); }),
        report.notes.end());
    EXPECT_THROW(run_experiment(experiment_named("path"), {.kernel = "cuda/tile", .sizes = {64}}, silent),
                 ResourceError);
  }
}

namespace {
/// An experiment that is short on any machine.
struct Short {
  const char* name;
  ExperimentOptions options;
};
const std::array shorts{
    Short{"path", {.sizes = {64, 128}, .quick = true}},
    Short{"block-stride", {.sizes = {64}, .quick = true}},
    Short{"five-kernels", {.sizes = {64}, .quick = true}},
    Short{"damping-fps", {.steps = 4, .sizes = {64, 128}, .threads = 1, .quick = true}},
    Short{"periodic-2d",
          {.precision = Precision::f32, .steps = 40, .sizes = {64}, .threads = 1, .quick = true}},
    Short{"crossover", {.sizes = {1000, 2000}, .quick = true, .accuracy = 3e-3}},
    Short{"promises", {.sizes = {300}, .model = "core", .accuracy = 1e-3}},
    Short{"ranks", {.sizes = {300}, .quick = true}},
    Short{"block-forms", {.sizes = {100}, .threads = 1, .quick = true, .model = "cluster"}},
    Short{"block-steps", {.sizes = {200}, .threads = 1, .quick = true, .model = "cluster"}},
    Short{"individual-steps", {.sizes = {50}, .threads = 1, .quick = true}},
    Short{"scattering", {.sizes = {40}, .threads = 1, .quick = true}}};
}  // namespace

// Also the bodies of a thin halo around a dense core, and those in a void, have the accuracy that was asked
// for.
TEST(Promises, AreKeptForAllBodiesWhereAccelerationsDifferByMagnitudes) {
  for (const char* set : {"core", "void", "black-hole"}) {
    const auto report = run_experiment(experiment_named("promises"),
                                       {.sizes = {2500}, .model = set, .accuracy = 1e-3}, silent);
    ASSERT_EQ(report.table.rows.size(), 3U);
    for (const auto& row : report.table.rows) {
      EXPECT_EQ(text(report.table, row, "refused"), "") << set;
      EXPECT_LE(number(report.table, row, "true_over_asked"), 1) << set << text(report.table, row, "kernel");
    }
  }
}

// Rows that were kept are shown as they were when they were measured: every column, and the reasons.
TEST(Experiments, ShowRowsFromAFileAsTheyWereShownFirst) {
  for (const auto& [name, options] : shorts) {
    const auto& experiment = experiment_named(name);
    const auto report = run_experiment(experiment, options, silent);
    const auto first = without_empty_columns(report.table);
    const auto again = earlier_experiment(experiment, from_json(to_json(first), "rows.json", column));
    EXPECT_EQ(to_text(without_empty_columns(again.table)), to_text(first)) << name;
    EXPECT_EQ(again.plot.has_value(), report.plot.has_value()) << name;
    EXPECT_EQ(again.notes.back(), report.notes.back()) << name;
    EXPECT_TRUE(report.notes.back().starts_with("read on: docs/")) << name;
  }
}

// Whoever waits for an experiment and stops it has the rows so far.
TEST(Experiments, KeepWhatTheyHaveWhenTheyAreStopped) {
  for (const auto& [name, options] : shorts) {
    std::size_t calls = 0, all = 0;
    const auto count = [&](const std::string&) { ++all; };
    const auto whole = run_experiment(experiment_named(name), options, count);
    EXPECT_EQ(whole.stopped, "") << name;
    if (all < 2) continue;  // without a GPU, nothing but one row to measure
    const auto stop = [&](const std::string&) {
      if (++calls >= all) throw Stopped{"SIGINT"};
    };
    const auto part = run_experiment(experiment_named(name), options, stop);
    if (calls < all) continue;  // it took fewer turns this time
    EXPECT_EQ(part.stopped, "SIGINT") << name;
    EXPECT_GE(part.table.rows.size(), 1U) << name;
    EXPECT_LE(part.table.rows.size(), whole.table.rows.size()) << name;
    EXPECT_THROW(need_all_accepted(part), EndedEarly) << name;
  }
}

TEST(Experiments, AreFoundByNameOnly) {
  try {
    experiment_named("dampingfps");
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'damping-fps'?"), std::string::npos)
        << error.what();
  }
}
