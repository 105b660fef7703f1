/// Runs whose energy error is asked for, and what they have written.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "run/observer.hpp"
#include "run/run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::test {

inline run::Request budget_request(const std::string& model, double t_end, double budget,
                                   const std::filesystem::path& directory) {
  run::Request request;
  auto& o = request.options;
  o.ic.model = model;
  o.time.t_end = t_end, o.time.energy_error = budget;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
  o.output.pictures = o.output.plots = false;
  o.output.directory = directory.string();
  return request;
}

inline nlohmann::json summary_of(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}

/// The columns of the table of diagnostics.
inline std::vector<std::vector<double>> rows_of(const std::filesystem::path& directory) {
  std::istringstream in(read_file(directory / "diagnostics.txt"));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    auto& row = rows.emplace_back();
    std::istringstream words(line);
    for (double x = 0; words >> x;) row.push_back(x);
  }
  return rows;
}
constexpr std::size_t column_of_energy = 4, column_of_error = 5;

/// The largest error in the rows of the table.
inline double worst_row(const std::filesystem::path& directory) {
  double worst = 0;
  for (const auto& row : rows_of(directory)) {
    const double error = row.at(column_of_error);
    worst = std::isfinite(error) ? std::max(worst, std::abs(error)) : INFINITY;
  }
  return worst;
}

inline void need_kept(const std::filesystem::path& directory, double budget) {
  const auto summary = summary_of(directory);
  const double worst = summary.at("energy_budget").at("worst");
  EXPECT_EQ(summary.at("energy_budget").at("asked"), budget);
  EXPECT_GT(worst, 0);
  EXPECT_LE(worst, budget);
  EXPECT_LE(worst_row(directory), budget);
  EXPECT_LE(worst_row(directory), worst * (1 + 1e-8));  // the table has nine digits
  EXPECT_LE(double(summary.at("largest_energy_error")), budget);
}

/// Keeps the notes of a run, those before it and in it.
struct NotesOfRun : run::Observer {
  std::vector<std::string> notes;
  void started(const run::Started& s) override { notes = s.notes; }
  void note(const std::string& text) override { notes.push_back(text); }
  /// The first note with these words; "" where there is none.
  std::string with(const std::string& words) const {
    for (const auto& text : notes)
      if (text.find(words) != text.npos) return text;
    return "";
  }
};

}  // namespace pleiad::test
