/// An analysis is one file and one word: the sample has its table in a run of one process and of several
/// ranks, and goes on with it when the run is resumed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/analysis.hpp"
#include "run/run.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace pleiad::test {
std::span<const Analysis* const> sample_analyses();  // from the list in CMakeLists.txt
}

namespace {

namespace fs = std::filesystem;

void execute_on(int ranks, Request request) {
  request.more_analyses = test::sample_analyses();
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

/// Four steps from one row to the next, and checkpoints at steps 6, 12 and 16: there is a row at the second
/// one.
Request request_of(const fs::path& directory) {
  Request request;
  auto& o = request.options = test::plummer(3000);
  o.engine.kernel = "cpu/threads";
  o.output.pictures = false;
  o.output.directory = directory.string();
  o.checkpoint.every_steps = 6;
  return request;
}

/// Finds all bodies of a run of 50, and clears its copy.
class Spoiling : public Output {
 public:
  using Output::Output;
  Task begin() override {
    return {.copy = Task::Copy::changed, .work = [](Snapshot& s) {
              EXPECT_EQ(s.bodies.size(), 50U);
              s = {};
            }};
  }
};
const Analysis spoiling{.name = "spoiling",
                        .keys = {},
                        .times = [](const Options&) { return Times{.key = "spoiling.interval"}; },
                        .make = make_output<Spoiling>};

}  // namespace

TEST(Analyses, ASampleHasTheSameTableOnRanksAndAfterAResume) {
  std::vector<std::string> tables;
  for (const int ranks : {1, 3}) {
    const test::Folder folder;
    const auto run = folder.path / "run", table = run / "fast.txt";
    execute_on(ranks, request_of(run));
    const auto whole = read_file(table);
    EXPECT_EQ(std::ranges::count(whole, '\n'), 1 + 5) << whole;
    const auto summary = nlohmann::json::parse(read_file(run / "summary.json"));
    EXPECT_EQ(summary.at("files").at("fast"), table.string());
    // Where a process would go on that was killed while it wrote the last checkpoint.
    fs::remove(run / (ranks == 1 ? "checkpoint.pleiad" : "checkpoint.ranks.pleiad"));
    Request again;
    again.resume = run;
    execute_on(ranks, again);
    EXPECT_EQ(read_file(table), whole) << ranks << " ranks";
    tables.push_back(whole);
  }
  EXPECT_EQ(tables[0], tables[1]);
  // It counts something that changes.
  const auto most = tables[0].rfind(' '), start = tables[0].find('\n');
  EXPECT_GT(std::stoi(tables[0].substr(most)), 100);
  EXPECT_NE(tables[0].substr(start + 3, 5), tables[0].substr(most + 1));
}

TEST(Analyses, KeepWhatTheyFoundInTheCheckpoint) {
  const test::Folder folder;
  const auto run = folder.path / "run";
  execute_on(1, request_of(run));
  const auto table = read_file(run / "fast.txt");
  EXPECT_EQ(load_checkpoint(run).checkpoint.extra.at("most_fast") + "\n", table.substr(table.rfind(' ') + 1));
}

TEST(Analyses, OneThatChangesItsCopyChangesNoOther) {
  const test::Folder folder;
  std::vector<std::string> snapshots;
  const Analysis* const more[] = {&spoiling, &spoiling};
  for (const bool spoilt : {false, true}) {
    Request request;
    auto& o = request.options = test::plummer(50);
    o.output.pictures = false, o.output.snapshot_format = "csv";
    o.output.directory = (folder.path / (spoilt ? "spoilt" : "plain")).string();
    if (spoilt) request.more_analyses = more;
    EXPECT_EQ(execute(request), End::done);
    snapshots.push_back(read_file(fs::path(o.output.directory) / "snapshots/snapshot_001.csv"));
  }
  EXPECT_EQ(snapshots[0], snapshots[1]);
}

TEST(Analyses, ReadTheKeysOfTheOutputs) {
  std::set<std::string> known, read{"output.directory", "output.print_trajectory"};
  for (const auto& key : option_keys()) known.insert(key.section + "." + key.key);
  for (const auto* analysis : analyses())
    for (const auto key : analysis->keys) {
      EXPECT_TRUE(known.contains(std::string(key))) << analysis->name << " reads " << key;
      read.emplace(key);
    }
  for (const auto& key : known)
    EXPECT_TRUE(!key.starts_with("output.") || read.contains(key)) << "no analysis reads " << key;
}
