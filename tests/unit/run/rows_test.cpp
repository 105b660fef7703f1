/// The rows that a run finds where its bodies are, against rows that are computed from its snapshots in long
/// double, pair by pair: all digits that are printed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <pleiad/files.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;
using Real = long double;

Options options_in(const fs::path& directory) {
  auto o = test::plummer(300);
  o.engine.precision = "f64";
  o.output.directory = directory.string();
  o.output.snapshot_format = "csv";
  o.output.snapshot_interval = o.output.diagnostics_interval = 4.0 / 128;
  o.output.pictures = false;
  return o;
}

using Row = std::map<std::string, std::string>;
std::vector<Row> rows_of(const fs::path& table) {
  std::ifstream in(table);
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;) cells.push_back(word);
    if (cells.at(0) == "#") {
      names.assign(cells.begin() + 1, cells.end());
      continue;
    }
    Row row;
    for (std::size_t k = 0; k < cells.size(); ++k) row[names.at(k)] = cells[k];
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Sums {
  Real kinetic = 0, potential = 0, mass = 0;
  Vec3<Real> moment{}, momentum{}, spin{};
};
Sums sums_of(const Bodies& b, Real eps) {
  Sums s;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Real m = b.mass[i];
    const Vec3<Real> x{b.x[i], b.y[i], b.z[i]}, p{m * b.vx[i], m * b.vy[i], m * b.vz[i]};
    s.kinetic += dot(p, p) / (2 * m), s.mass += m;
    s.moment += x * m, s.momentum += p, s.spin += cross(x, p);
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3<Real> d{x.x - b.x[j], x.y - b.y[j], x.z - b.z[j]};
      s.potential -= m * b.mass[j] / std::sqrt(dot(d, d) + eps * eps);
    }
  }
  return s;
}

/// Of the innermost half, of its innermost half, and so on down to a tenth of all bodies.
Vec3<Real> core_of(const Bodies& b, Vec3<Real> centre) {
  std::vector<std::size_t> members(b.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  const auto distance = [&](std::size_t i) {
    const Vec3<Real> d{b.x[i] - centre.x, b.y[i] - centre.y, b.z[i] - centre.z};
    return dot(d, d);
  };
  while (members.size() / 2 >= b.size() / 10 && members.size() > 8) {
    std::ranges::sort(members, {}, distance);
    members.resize(members.size() / 2);
    Real mass = 0;
    Vec3<Real> moment{};
    for (const auto i : members)
      mass += b.mass[i], moment += Vec3<Real>{b.x[i], b.y[i], b.z[i]} * Real(b.mass[i]);
    centre = moment * (1 / mass);
  }
  return centre;
}

Real radius_of(const Bodies& b, Vec3<Real> centre, Real fraction) {
  std::vector<std::pair<Real, Real>> all;
  Real total = 0, inside = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Vec3<Real> d{b.x[i] - centre.x, b.y[i] - centre.y, b.z[i] - centre.z};
    all.emplace_back(std::sqrt(dot(d, d)), b.mass[i]), total += b.mass[i];
  }
  std::ranges::sort(all);
  for (const auto& [r, m] : all)
    if ((inside += m) >= fraction * total * (1 - 1e-12L)) return r;
  return all.back().first;
}

}  // namespace

TEST(Rows, AreThoseOfTheSnapshotsInAllDigits) {
  const test::Folder folder;
  const auto o = options_in(folder.path / "run");
  test::simulate(o, false);
  const auto rows = rows_of(folder.path / "run" / "diagnostics.txt");
  ASSERT_EQ(rows.size(), 5U);
  Real first = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto row = rows[k];
    const auto s =
        read_snapshot(folder.path / "run" / "snapshots" / fmt::format("snapshot_{:03}.csv", k)).snapshot;
    const auto sums = sums_of(s.bodies, o.gravity.softening);
    const Real energy = sums.kinetic + sums.potential;
    if (k == 0) first = energy;
    const auto same = [&](const char* name, Real value, const char* format = "{:.9g}") {
      EXPECT_EQ(row.at(name), fmt::format(fmt::runtime(format), double(value))) << name << " in row " << k;
    };
    // What cancels to nothing is compared with what it is made of: sums of roundings of 2e-14.
    const auto near = [&](const char* name, Real value) {
      EXPECT_LE(std::abs(std::stod(row.at(name)) - double(value)), 1e-13) << name << " in row " << k;
    };
    EXPECT_EQ(std::stod(row.at("time")), s.time);
    same("kinetic", sums.kinetic), same("potential", sums.potential), same("total", energy);
    same("virial_ratio", sums.kinetic / std::abs(sums.potential));
    near("energy_error", (energy - first) / std::abs(first));
    near("px", sums.momentum.x), near("py", sums.momentum.y), near("pz", sums.momentum.z);
    same("lx", sums.spin.x), same("ly", sums.spin.y), same("lz", sums.spin.z);
    const auto centre = sums.moment * (1 / sums.mass);
    same("cx", centre.x), same("cy", centre.y), same("cz", centre.z);
    const auto core = core_of(s.bodies, centre);
    for (const int part : {10, 25, 50, 75, 90})
      same(fmt::format("r{}", part).c_str(), radius_of(s.bodies, core, part / 100.0L), "{:.6g}");
  }
}
