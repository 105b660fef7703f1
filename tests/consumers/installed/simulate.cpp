/// A star cluster for one unit of time, with sixteen snapshots: simulate [BODIES].
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/pleiad.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  auto start = pleiad::model("plummer", {{"n", argc > 1 ? std::atof(argv[1]) : 1e5}}, 7);
  pleiad::Simulation sim(start, {.softening = 0.01, .dt = 1.0 / 128, .accuracy = 1e-3});
  sim.every(1.0 / 16, [](const pleiad::Snapshot& s) { pleiad::write(s, "out.hdf5"); });
  sim.run_until(1);
  std::printf("%g\n", sim.diagnostics().energy_error);

  const auto last = pleiad::read_snapshot("out.hdf5").snapshot;
  return last.time == 1 && last.bodies.size() == start.bodies.size() ? 0 : 1;
}
