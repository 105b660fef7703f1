/// Outputs written while the simulation steps on: the same files as when it waits, and failures that are
/// told.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/outputs.hpp"

#include "run/background.hpp"
#include "run/start.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;

using test::Folder;
using test::simulate;

Options options_in(const fs::path& directory, std::size_t n, const std::string& format) {
  auto o = test::plummer(n);
  o.output.directory = directory.string();
  o.output.snapshot_format = format;
  o.output.snapshot_interval = 4.0 / 128;
  o.output.diagnostics_interval = 2.0 / 128;
  o.output.picture_interval = 8.0 / 128;
  o.output.picture_size = 64;
  o.output.trajectory_ids = {0, 3};
  return o;
}

std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      files[fs::relative(entry.path(), directory).string()] = {std::istreambuf_iterator<char>(in), {}};
    }
  return files;
}

}  // namespace

/// 40 bodies leave trails in the pictures, 200 do not; HDF5 has the fields too.
TEST(OutputsMeanwhile, AreTheSameFiles) {
  for (const std::size_t n : {40, 200})
    for (const std::string format : {"hdf5", "csv"}) {
      const Folder waiting, stepping;
      simulate(options_in(waiting.path, n, format), true);
      simulate(options_in(stepping.path, n, format), false);
      const auto expected = files_of(waiting.path), files = files_of(stepping.path);
      EXPECT_EQ(expected.size(), 5U + 3U + 2U + 2U);  // snapshots, pictures, tables, manifest and lock
      ASSERT_EQ(files.size(), expected.size());
      for (const auto& [name, content] : expected) {
        ASSERT_TRUE(files.contains(name)) << name;
        EXPECT_TRUE(files.at(name) == content) << name << ", " << n << " bodies, " << format;
      }
    }
}

// The precision and the fields of snapshots: each combination, and what it leaves in the file.
TEST(Snapshots, HaveThePrecisionAndTheFieldsThatAreSet) {
  std::uintmax_t largest = 0;
  for (const std::string precision : {"f64", "f32"})
    for (const std::vector<std::string>& fields :
         {std::vector<std::string>{"potential", "acceleration"}, {"acceleration"}, {"potential"}, {}}) {
      const Folder folder;
      auto o = options_in(folder.path, 300, "hdf5");
      o.output.snapshot_precision = precision, o.output.snapshot_fields = fields;
      simulate(std::move(o), true);
      const auto file = folder.path / "snapshots/snapshot_001.hdf5";
      const auto s = read_snapshot(file).snapshot;
      const auto has = [&](const char* name) { return std::ranges::find(fields, name) != fields.end(); };
      EXPECT_EQ(s.potential.size(), has("potential") ? 300U : 0U);
      EXPECT_EQ(s.ax.size(), has("acceleration") ? 300U : 0U);
      const bool single = std::ranges::all_of(s.bodies.x, [](double x) { return double(float(x)) == x; });
      EXPECT_EQ(single, precision == "f32");
      const auto bytes = fs::file_size(file);
      if (largest > 0) EXPECT_LT(bytes, largest) << precision << fields.size();
      else largest = bytes;
    }
  const Folder folder;
  auto o = options_in(folder.path, 40, "csv");
  o.output.snapshot_precision = "f32";
  EXPECT_THROW(simulate(std::move(o), true), UsageError);
}

TEST(OutputsMeanwhile, TellWhatFailedAtTheNextWait) {
  const Folder folder;
  auto o = options_in(folder.path, 200, "csv");
  auto start = prepare(o);
  Simulation simulation(std::move(start.initial), gravity_of(o), method_of(o), engine_of(o));
  auto directory = RunDirectory::claim(folder.path, false);
  std::vector<std::string> notes;
  Outputs outputs(o, simulation, ranks::self(), {.bodies = simulation.size()});
  outputs.open(&directory, nullptr, notes);
  // A folder has the name under which the first snapshot is written.
  fs::create_directory(folder.path / fmt::format("snapshots/snapshot_000.csv.tmp.{}", ::getpid()));
  EXPECT_NO_THROW(outputs.write_due());
  simulation.run_until(1.0 / 128);
  EXPECT_THROW(outputs.wait(), ResourceError);
  EXPECT_NO_THROW(outputs.wait());
  for (const auto& [what, file] : outputs.files())
    EXPECT_TRUE(what != "first_snapshot" || file.empty()) << file;
  // What has taken the place of the folder is noticed before anything is begun.
  fs::rename(folder.path / "snapshots", folder.path / "gone");
  fs::create_directory(folder.path / "snapshots");
  simulation.run_until(o.time.t_end);
  EXPECT_THROW(outputs.write_due(), ResourceError);
  EXPECT_TRUE(fs::is_empty(folder.path / "snapshots"));
}

TEST(Background, DoesOneThingAfterTheOther) {
  Background background;
  std::atomic<int> done = 0;
  bool alone = true;
  for (int k = 0; k < 20; ++k)
    background.start([&, k] {
      if (done != k) alone = false;
      ++done;
    });
  background.wait();
  EXPECT_TRUE(alone);
  EXPECT_EQ(done, 20);
}
TEST(Background, RethrowsAFailureOnce) {
  Background background;
  background.start([] { throw ResourceError("no space"); });
  EXPECT_THROW(background.wait(), ResourceError);
  EXPECT_NO_THROW(background.wait());
  background.start([] { throw InputError("no sense"); });
  EXPECT_THROW(background.wait(), InputError);
  EXPECT_NO_THROW(background.wait());
}
