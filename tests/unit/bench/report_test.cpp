/// Tables, JSON, CSV and gnuplot scripts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"

#include "bench/columns.hpp"
#include "bench/machine.hpp"
#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {
Table example() {
  return {.columns = {{"name", "name"}, {"seconds", "ms", "{:.1f}", 1e3}, {"count", "count"}, {"commit", ""}},
          .rows = {{std::string("plain"), 0.0015, std::int64_t{7}, std::string("abc")},
                   {std::string("a \"b\", c"), 0.1, std::monostate{}, std::string("abc")}}};
}
}  // namespace

TEST(Machine, IsToldWithoutAChangeOfTheThreads) {
  const int before = threads(), other = before == 1 ? 2 : 1;
  set_threads(other);
  const auto machine = this_machine();
  EXPECT_EQ(threads(), other);
  set_threads(0);
  EXPECT_EQ(machine.cores, threads());
}

TEST(Report, AlignsColumnsAndHidesWhatOnlyMachinesNeed) {
  EXPECT_EQ(to_text(example()),
            "name         ms  count\n"
            "plain       1.5      7\n"
            "a \"b\", c  100.0      -\n");
}

TEST(Report, WritesOneJsonObjectPerRow) {
  EXPECT_EQ(to_json(example()),
            "[\n{\"name\":\"plain\",\"seconds\":0.0015,\"count\":7,\"commit\":\"abc\"},\n"
            "{\"name\":\"a \\\"b\\\", c\",\"seconds\":0.1,\"count\":null,\"commit\":\"abc\"}\n]\n");
}

TEST(Report, QuotesCsvFieldsThatNeedIt) {
  EXPECT_EQ(to_csv(example()),
            "name,seconds,count,commit\nplain,0.0015,7,abc\n\"a \"\"b\"\", c\",0.1,,abc\n");
}

TEST(Report, ReadsBackTheJsonThatItWrote) {
  const auto back = from_json(to_json(example()), "x.json", [](std::string_view key) { return column(key); });
  ASSERT_EQ(back.columns.size(), 4U);
  EXPECT_EQ(back.rows, example().rows);
  EXPECT_EQ(number(back, back.rows[1], "seconds"), 0.1);
  EXPECT_EQ(number(back, back.rows[0], "count"), 7);
  EXPECT_TRUE(std::isnan(number(back, back.rows[1], "count")));
  EXPECT_EQ(text(back, back.rows[0], "commit"), "abc");
  for (const auto* wrong : {"", "{}", "[]", "[1]", "[{\"a\":1}"})
    EXPECT_THROW(from_json(wrong, "x.json", column), UsageError) << wrong;
}

TEST(Report, LeavesOutColumnsThatNoRowFills) {
  auto table = example();
  table.rows[0][2] = std::monostate{};
  EXPECT_EQ(to_csv(without_empty_columns(table)),
            "name,seconds,commit\nplain,0.0015,abc\n\"a \"\"b\"\", c\",0.1,abc\n");
}

TEST(Report, ShowsSectionsAsTablesOfTheirOwn) {
  const Table table{.columns = {{"section", ""}, {"a", "a"}, {"b", "b"}},
                    .rows = {{std::string("first"), std::int64_t{1}, Cell()},
                             {std::string("first"), std::int64_t{20}, Cell()},
                             {std::string("second"), Cell(), std::string("x")}}};
  EXPECT_EQ(to_text(table), "first:\n a\n 1\n20\n\nsecond:\nb\nx\n");
  // A thousand rows of one section do not carry the keys of another.
  EXPECT_EQ(to_json(table),
            "[\n{\"section\":\"first\",\"a\":1},\n{\"section\":\"first\",\"a\":20},\n{\"section\":\"second\","
            "\"b\":\"x\"}\n]\n");
}

// What was measured, perhaps for an hour, is not lost because there is nothing to plot.
TEST(Report, WritesTheTableBeforeItComplainsOfThePlot) {
  const auto file = (std::filesystem::path(testing::TempDir()) / "no plot.json").string();
  std::filesystem::remove(file);
  Report report;
  report.table = example();
  EXPECT_THROW(publish(report, {.json = file, .csv = "", .plot = "a.png"}), UsageError);
  std::ifstream written(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), to_json(example()));
  std::filesystem::remove(file);
}

TEST(Report, EndsWithTheCodeOfWhatStoppedEarly) {
  Report report;
  report.table = example();
  report.stopped = "SIGTERM";
  try {
    need_all_accepted(report);
    FAIL() << "nothing was thrown";
  } catch (const EndedEarly& error) {
    EXPECT_EQ(std::string(error.what()), "stopped by SIGTERM: the 2 rows measured before are written");
  }
}

TEST(Columns, AreShownAsTheModelSays) {
  auto table = from_json(R"([{"extra":1,"steps_per_second":2.5,"variant":"v","device":"d"}])", "x", column);
  EXPECT_EQ(table.columns[0].heading, "extra");  // unknown, but not lost
  EXPECT_EQ(table.columns[3].heading, "");       // for machines
  show_as(table, {.columns = {{"variant", "variant"}, {"steps_per_second", "FPS", "{:.2f}"}}, .rows = {}});
  EXPECT_EQ(to_text(table), "variant   FPS  extra\nv        2.50      1\n");
}

TEST(Plot, OfEvaluationsShowsTheBestShapeOfEachKernel) {
  Table table{.columns = {column("kernel"), column("shape"), column("precision"), column("n"),
                          column("interactions_per_second")},
              .rows = {}};
  const auto add = [&](const char* kernel, const char* shape, std::int64_t n, double rate) {
    table.rows.push_back({std::string(kernel), std::string(shape), std::string("f32"), n, rate});
  };
  EXPECT_FALSE(plot_of_evaluations(table));
  add("a", "default", 64, 1e9), add("a", "block=32", 64, 3e9), add("a", "default", 128, 2e9);
  EXPECT_EQ(plot_of_evaluations(table)->panels.at(0).series.size(), 2U);  // of one kernel, its shapes
  add("b", "default", 64, 5e9);
  const auto plot = plot_of_evaluations(table);
  ASSERT_EQ(plot->panels.size(), 1U);
  ASSERT_EQ(plot->panels[0].series.size(), 2U);
  const std::vector<std::array<double, 2>> best{{64, 3}, {128, 2}};
  EXPECT_EQ(plot->panels[0].series[0].points, best);
}

TEST(Report, NamesTheFirstRefusal) {
  Report report;
  EXPECT_NO_THROW(need_all_accepted(report));
  report.refused = {"first", "second"};
  try {
    need_all_accepted(report);
    FAIL() << "nothing was thrown";
  } catch (const NumericalError& error) {
    EXPECT_EQ(std::string(error.what()), "2 measurements were refused; the first: first");
  }
}

TEST(Plot, KeepsDataAndSlopeInTheScriptAndQuotesNames) {
  const Plot plot{
      .title = "it's",
      .x_label = "x",
      .y_label = "y",
      .panels = {{.title = "p",
                  .series = {{.name = "s", .points = {{2, 8}, {4, 32}}, .colour = 1, .dashed = true}},
                  .slope = 2}}};
  const auto script = gnuplot_script(plot, "out.png");
  EXPECT_NE(script.find("2 8\n4 32\nEOD\n"), std::string::npos) << script;
  EXPECT_NE(script.find("32 * (x / 4)**2"), std::string::npos) << script;
  EXPECT_NE(script.find("'it''s'"), std::string::npos) << script;
  EXPECT_NE(script.find("set output 'out.png'"), std::string::npos) << script;
}

TEST(Plot, BreaksATrackInLinearAxesWhereAPointIsMissing) {
  const Plot plot{
      .title = "t",
      .x_label = "x",
      .y_label = "y",
      .panels = {{.title = "p", .series = {{.name = "s", .points = {{0, 0.5}, {NAN, NAN}, {1, 0.25}}}}}},
      .linear = true};
  const auto script = gnuplot_script(plot, "out.png");
  EXPECT_NE(script.find("0 0.5\n\n1 0.25\nEOD\n"), std::string::npos) << script;
  EXPECT_NE(script.find("set xrange [-0.04:1.04]"), std::string::npos) << script;
  EXPECT_EQ(script.find("logscale"), std::string::npos) << script;
}

TEST(Plot, RefusesOtherEndingsAndEmptyData) {
  const Plot plot{.title = "t",
                  .x_label = "x",
                  .y_label = "y",
                  .panels = {{.title = "p", .series = {{.name = "s", .points = {{1, 1}}}}, .slope = {}}}};
  EXPECT_THROW(write_plot("picture.pdf", plot), UsageError);
  EXPECT_THROW(gnuplot_script({.title = "t", .x_label = "x", .y_label = "y", .panels = {{}}}, "a.png"),
               UsageError);
}

TEST(Plot, DrawsAPngAndKeepsItsScript) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "pleiad plot's test";
  std::filesystem::create_directories(folder);
  const Plot plot{
      .title = "two panels",
      .x_label = "x",
      .y_label = "y",
      .panels = {{.title = "a", .series = {{.name = "s", .points = {{1, 1}, {10, 90}}}}, .slope = 2},
                 {.title = "b", .series = {{.name = "s", .points = {{1, 2}, {10, 20}}}}, .slope = {}}}};
  try {
    write_plot(folder / "it's.png", plot);
  } catch (const ResourceError& error) {
    EXPECT_TRUE(std::filesystem::exists(folder / "it's.gp"));
    GTEST_SKIP() << error.what();
  }
  EXPECT_GT(std::filesystem::file_size(folder / "it's.png"), 1000u);
  EXPECT_TRUE(std::filesystem::exists(folder / "it's.gp"));
  std::filesystem::remove_all(folder);
}
