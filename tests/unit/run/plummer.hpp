/// A small run that the tests share: its settings, and its steps with outputs and without checkpoints.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/outputs.hpp"
#include "run/start.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pleiad::test {

/// n bodies of a Plummer sphere on the CPU, 16 steps.
inline Options plummer(std::size_t n) {
  Options o;
  o.ic.model = "plummer";
  o.ic.parameters = {"n=" + std::to_string(n)};
  o.gravity.softening = 0.02;
  o.time.dt = 1.0 / 128;
  o.time.t_end = 0.125;
  o.engine.backend = "cpu";
  o.output.plots = false;
  return o;
}

/// As a run does, without its checkpoints; `waits` for all outputs before it goes on.
inline void simulate(Options o, bool waits) {
  auto start = run::prepare(o);
  Simulation simulation(std::move(start.initial), run::gravity_of(o), run::method_of(o), run::engine_of(o));
  auto directory = run::RunDirectory::claim(o.output.directory, false);
  std::vector<std::string> notes;
  run::Outputs outputs(o, simulation, ranks::self(), {.bodies = simulation.size()});
  outputs.open(&directory, nullptr, notes);
  const auto write_due = [&] {
    outputs.write_due();
    if (waits) outputs.wait();
  };
  write_due();
  const Moment end = simulation.moment_at(o.time.t_end);
  while (!simulation.has_reached(end)) {
    simulation.run_towards(outputs.next(), std::max<std::uint64_t>(outputs.steps_to_next(), 1));
    write_due();
  }
  outputs.finish();
  directory.keep();
}

}  // namespace pleiad::test
