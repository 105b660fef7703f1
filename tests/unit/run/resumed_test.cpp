/// What a run that goes on finds: checkpoints whose checksums are right and whose content is none that a run
/// can have are refused before anything is computed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/resumed.hpp"

#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

/// Three bodies for ten steps of 0.1.
Request small_run(const std::filesystem::path& directory) {
  Request request;
  auto& o = request.options;
  o.ic.model = "pythagorean";
  o.gravity.softening = 0.1;
  o.time.dt = 0.1;
  o.time.t_end = 1;
  o.engine.backend = "cpu";
  o.output.directory = directory.string();
  o.output.plots = o.output.pictures = false;
  return request;
}

/// The words with which a checkpoint of that run is refused that `change` has been at; "" when it is not.
std::string refusal_of(const std::function<void(Checkpoint&)>& change) {
  const test::Folder folder;
  const auto directory = folder.path / "run";
  execute(small_run(directory));
  auto checkpoint = load_checkpoint(directory).checkpoint;
  change(checkpoint);
  save_checkpoint(directory, checkpoint);
  Request again;
  again.resume = directory;
  try {
    (void)resumed_of(again);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " is not in\n" << text;
  text.replace(at, from.size(), to);
}

}  // namespace

TEST(Resumed, TakesTheCheckpointThatARunHasWritten) {
  EXPECT_EQ(refusal_of([](Checkpoint&) {}), "");
}

TEST(Resumed, RefusesStatesThatNoRunCanHave) {
  struct Row {
    const char *what, *words;
    std::function<void(Checkpoint&)> change;
  };
  const Row rows[] = {
      {"time that is not step dt", "do not come to its time", [](Checkpoint& c) { c.snapshot.time = 0.75; }},
      {"more steps than can be", "do not come to its time",
       [](Checkpoint& c) { c.snapshot.step = std::uint64_t{1} << 63; }},
      {"no time", "must be finite", [](Checkpoint& c) { c.snapshot.time = NAN; }},
      {"no start", "must be finite", [](Checkpoint& c) { c.start_time = -INFINITY; }},
      {"time before the start", "before its start", [](Checkpoint& c) { c.start_time = 2; }},
      {"outputs written before its time", "not after its time",
       [](Checkpoint& c) { c.extra["written_until"] = "0x1p-1"; }},
      {"outputs written beyond its step", "not in the step after",
       [](Checkpoint& c) { c.extra["written_until"] = "0x1p+1"; }},
      {"negative next step", "negative", [](Checkpoint& c) { c.dt = -1; }},
      {"no energy", "reference energy", [](Checkpoint& c) { c.reference_energy = NAN; }},
      {"no bodies", "there are no bodies", [](Checkpoint& c) { c.snapshot.bodies = {}; }},
      {"a repeated id", "repeats the id",
       [](Checkpoint& c) { c.snapshot.bodies.id[2] = c.snapshot.bodies.id[0]; }},
      {"a body nowhere", "must be finite", [](Checkpoint& c) { c.snapshot.bodies.y[1] = NAN; }},
      {"a negative mass", "mass", [](Checkpoint& c) { c.snapshot.bodies.mass[1] = -1; }},
      {"periodic without a box", "three sides",
       [](Checkpoint& c) { replace(c.config, "boundary = \"open\"", "boundary = \"periodic\""); }},
      {"unresolved space", "not resolved",
       [](Checkpoint& c) { replace(c.config, "boundary = \"open\"", "boundary = \"auto\""); }},
      {"another G", "gravitational constant", [](Checkpoint& c) { c.snapshot.G = 2; }},
      {"another space", "box", [](Checkpoint& c) { c.snapshot.boundary.periodic = true; }},
      {"no integrator of ours", "integrator",
       [](Checkpoint& c) { replace(c.config, "integrator = \"kdk\"", "integrator = \"kdkk\""); }},
      {"no step", "time.dt", [](Checkpoint& c) { replace(c.config, "dt = 0.1", "dt = 0.0"); }},
  };
  for (const auto& row : rows) {
    const auto refusal = refusal_of(row.change);
    EXPECT_NE(refusal.find(row.words), std::string::npos) << row.what << ": '" << refusal << "'";
    EXPECT_NE(refusal.find("checkpoint.pleiad"), std::string::npos) << row.what << ": '" << refusal << "'";
    EXPECT_EQ(refusal.find('\n'), std::string::npos) << row.what;
  }
}

TEST(Resumed, LeavesToTheLibraryWhatAProgramHasSavedWithIt) {
  const auto words = refusal_of([](Checkpoint& c) { c.extra["simulation"] = "kdk", c.config.clear(); });
  EXPECT_NE(words.find("a program that uses the library saved it"), std::string::npos) << words;
}
