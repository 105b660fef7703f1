/// Measures Wisdom-Holman steps of many planetary systems on a GPU. pleiad_orbit_systems SYSTEMS STEPS
/// REPEATS [DAYS]: the Sun and eight planets as they are on as many days; one JSON object with system steps a
/// second of the median batch of STEPS steps of DAYS (4), and, in the same row, how far the planets of some
/// systems are from those of the CPU after 4096 steps, and the largest energy error of both.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/orbit_rates.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/steps/planetary_systems.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pleiad;

namespace {

double energy(const Bodies& b, double G) {
  double e = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    e += b.mass[i] * dot(b.velocity(i), b.velocity(i)) / 2;
    for (std::size_t j = 0; j < i; ++j) e -= G * b.mass[i] * b.mass[j] / norm(b.position(i) - b.position(j));
  }
  return e;
}

void measure(const bench::OrbitRun& run) {
  std::vector<Bodies> start;
  Snapshot one;
  for (std::size_t k = 0; k < run.count; ++k) {
    one = model("solar-system", {{"epoch", double(k % 91000) - 73000}}, 1);
    start.push_back(one.bodies);
  }
  const Method method{.integrator = &integrator_named("wisdom-holman"),
                      .dt = run.days * bench::day_of(one.G, one.bodies.mass[0])};
  cuda::PlanetarySystems systems(run.count, [&](std::size_t k) -> const Bodies& { return start[k]; },
                                 {.G = one.G, .dt = method.dt});
  systems.advance(bench::compared_steps);
  cuda::PlanetarySystems::Seen seen;
  systems.see(seen);
  double error = 0, error_of_energy = 0, error_of_energy_cpu = 0;
  for (std::size_t k = 0; k < run.count; k += std::max<std::size_t>(1, run.count / 8)) {
    auto found = start[k];
    systems.write(seen, k, found);
    auto s = one;
    s.bodies = start[k];
    Simulation cpu(s, {.G = one.G}, method, {.precision = Precision::f64, .backend = "cpu"});
    cpu.make_steps(bench::compared_steps);
    const auto& expected = cpu.snapshot().bodies;
    const double before = energy(start[k], one.G);
    for (std::size_t i = 0; i < found.size(); ++i)
      take_larger(error, norm(found.position(i) - expected.position(i)));
    take_larger(error_of_energy, std::abs(energy(found, one.G) / before - 1));
    take_larger(error_of_energy_cpu, std::abs(energy(expected, one.G) / before - 1));
  }
  const auto seconds = bench::seconds_of_batches(run, [&] {
    systems.advance(run.steps);
    cuda::wait(nullptr);
  });
  print_out("{}, \"error_max\": {:.3g}, \"energy_error\": {:.6g}, \"energy_error_cpu\": {:.6g}}}\n",
            bench::row_of(run, seconds, "system", "\"planets\": 8"), error, error_of_energy,
            error_of_energy_cpu);
  bench::need_close(error);
}

}  // namespace

int main(int argc, char** argv) { return bench::orbit_program(argc, argv, "pleiad_orbit_systems", measure); }
