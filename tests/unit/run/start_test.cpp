/// What a run begins with: files are read once, and bodies go where they stay without a copy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/start.hpp"

#include "io/durable/durable.hpp"
#include "run/any_run.hpp"
#include "run/kernel.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

/// Bytes that this process has read from files.
std::size_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  std::size_t bytes = 0;
  io >> name >> bytes;
  return name == "rchar:" ? bytes : 0;
}

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::size_t(std::distance(begin(tasks), end(tasks)));
}
std::size_t threads_at_fork = 0;

Options cluster(int n) {
  Options o;
  o.ic.model = "plummer";
  o.ic.parameters = {fmt::format("n={}", n)};
  o.gravity.softening = 0.01;
  o.time.dt = 0.01, o.time.t_end = 0.1;
  o.engine.backend = "cpu", o.engine.tuning = "off";
  return o;
}

}  // namespace

TEST(Load, ReadsAFileOnce) {
  const test::Folder folder;
  std::string table = "mass,x,y,z,vx,vy,vz\n";
  for (int k = 0; k < 20'000; ++k) table += fmt::format("1,{},0.25,0.125,0,0,0\n", k);
  const auto file = folder.path / "bodies.csv";
  write_file_atomically(file, table);
  for (const std::string units : {"auto", "si"}) {
    Options o;
    o.ic.file = file.string();
    o.units.system = units;
    o.time.dt = 1;  // the table suggests none
    const auto before = bytes_read();
    const auto start = load(o);
    const auto bytes = bytes_read() - before;
    EXPECT_EQ(start.initial.bodies.size(), 20'000U);
    EXPECT_EQ(start.initial.units.name, units == "auto" ? "nbody" : units);
    if (before == 0) GTEST_SKIP() << "SKIPPED: this system does not count what is read";
    EXPECT_GE(bytes, table.size());
    EXPECT_LE(bytes, table.size() + table.size() / 2) << units;
  }
}

/// The child that parses HDF5 is a copy of this process: what another thread has locked stays locked there.
TEST(Load, ForksWhileThereIsNoOtherThread) {
  const test::Folder folder;
  Request request;
  request.options = cluster(100);
  write_snapshot(folder.path / "bodies.hdf5", prepare(request.options).initial, {});
  request.options.ic.file = (folder.path / "bodies.hdf5").string();
  request.options.ic.model.clear(), request.options.ic.parameters.clear();
  request.options.engine.backend = "auto";
  request.options.output.directory = (folder.path / "run").string();
  ASSERT_EQ(pthread_atfork([] { threads_at_fork = threads_of_this_process(); }, nullptr, nullptr), 0);
  int begun = 0;
  load(request.options, nullptr, [&] {
    EXPECT_GE(threads_at_fork, 1U);
    ++begun;
  });
  EXPECT_EQ(begun, 1);
  threads_at_fork = 0;
  const auto before = threads_of_this_process();
  const auto run = make_run(request, std::nullopt, ranks::self());
  EXPECT_GE(threads_at_fork, 1U);
  EXPECT_LE(threads_at_fork, before);
}

TEST(AccurateStart, CopiesNoBodies) {
  // At the first the precision will do; pairs that single precision cannot tell apart need a better one.
  for (const bool close : {false, true}) {
    auto o = cluster(3000);
    o.engine.precision = "f32";
    auto start = prepare(o);
    auto& b = start.initial.bodies;
    if (close)
      for (std::size_t i = 0; i + 1 < b.size(); i += 2)
        b.x[i + 1] = b.x[i] + 1e-9, b.y[i + 1] = b.y[i], b.z[i + 1] = b.z[i];
    const auto* const x = b.x.data();
    const auto first = b.x;
    std::vector<std::string> notes;
    auto accurate = accurate_start(o, std::move(start.initial), {}, notes);
    EXPECT_EQ(accurate.simulation.snapshot().bodies.x.data(), x);
    EXPECT_EQ(accurate.simulation.snapshot().bodies.x, first);
    EXPECT_EQ(o.engine.precision != "f32", close);
    const auto bodies = std::move(accurate.simulation).take();
    EXPECT_EQ(bodies.bodies.x.data(), x);
  }
}

/// Also for a caller who does not say what is read.
TEST(Inputs, AreNotReplacedByTheRunThatReadsThem) {
  const test::Folder folder;
  Request request;
  request.options = cluster(50);
  auto& output = request.options.output;
  output.directory = (folder.path / "run").string(), output.snapshot_format = "csv";
  output.pictures = output.plots = false;
  ASSERT_EQ(execute(request), End::done);
  const auto snapshot = folder.path / "run/snapshots/snapshot_000.csv";
  const auto content = read_file(snapshot);
  request.options.ic = {}, request.options.ic.file = snapshot.string(), request.overwrite = true;
  const auto told = test::message_of<UsageError>([&] { execute(request); });
  EXPECT_NE(told.find("is a file of the run that would be replaced"), std::string::npos) << told;
  EXPECT_EQ(read_file(snapshot), content);
}
