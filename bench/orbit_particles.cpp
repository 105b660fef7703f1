/// Measures Wisdom-Holman steps of test particles on a GPU. pleiad_orbit_particles N STEPS REPEATS [DAYS]:
/// the Sun, eight planets and N asteroids between 2 and 3.5 au; one JSON object with particle steps a second
/// of the median batch of STEPS steps of DAYS (4), and, in the same row, how far a sample of the particles is
/// from that of the CPU, the change of their Kepler energies beside that of the CPU, and the energy error of
/// the planets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/orbit_rates.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pleiad;

namespace {

/// Numbers in [0, 1), the same in every run (Weyl sequences of irrational steps).
double number(std::size_t i, double step) {
  const double x = (double(i) + 1) * step;
  return x - std::floor(x);
}

/// The solar system with asteroids behind the planets.
Snapshot belt(std::size_t n) {
  auto s = model("solar-system", {}, 1);
  const double mu = s.G * s.bodies.mass[0];
  const auto sun = s.bodies.position(0), moves = s.bodies.velocity(0);
  for (std::size_t i = 0; i < n; ++i) {
    StatedOrbit orbit;
    orbit.semi_major_axis = 2 + 1.5 * number(i, 0.7548776662466927);
    orbit.eccentricity = 0.2 * number(i, 0.5698402909980532);
    orbit.inclination = 0.3 * number(i, 0.4142135623730951);
    orbit.node = 6.2832 * number(i, 0.7320508075688772),
    orbit.pericentre = 6.2832 * number(i, 0.2360679774997896);
    orbit.mean_anomaly = 6.2832 * number(i, 0.6457513110645906);
    const auto [x, v] = state_on(mu, orbit);
    s.bodies.add(0, sun + x, moves + v);
  }
  return s;
}

/// Largest relative change of the Kepler energies about the Sun of the first bodies behind the planets.
double energy_change(const Bodies& before, const Bodies& after, double G, std::size_t count) {
  const auto energy = [G](const Bodies& b, std::size_t i) {
    const auto x = b.position(i) - b.position(0), v = b.velocity(i) - b.velocity(0);
    return dot(v, v) / 2 - G * b.mass[0] / norm(x);
  };
  double largest = 0;
  for (std::size_t i = 9; i < 9 + count; ++i) {
    const double change = std::abs(energy(after, i) / energy(before, i) - 1);
    take_larger(largest, change);
  }
  return largest;
}

void measure(const bench::OrbitRun& run) {
  const auto& scheme = integrator_named("wisdom-holman");
  const auto start = belt(run.count);
  constexpr std::size_t compared = 256;
  const Method method{.integrator = &scheme, .dt = run.days * bench::day_of(start.G, start.bodies.mass[0])};
  const auto on = [&](const char* backend) {
    return EngineOptions{.precision = Precision::f64, .backend = backend, .integrator = &scheme};
  };
  const Gravity gravity{.G = start.G};
  Simulation gpu(start, gravity, method, on("cuda"));
  const double before = gpu.energies().total();
  gpu.make_steps(bench::compared_steps);
  const auto found = gpu.snapshot().bodies;
  auto few = belt(std::min(run.count, compared));
  Simulation cpu(few, gravity, method, on("cpu"));
  cpu.make_steps(bench::compared_steps);
  const auto expected = cpu.snapshot().bodies;
  std::vector<double> errors;
  double planets = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = norm(found.position(i) - expected.position(i));
    double error = 0;
    take_larger(i < 9 ? planets : error, i < 9 ? off : off / norm(expected.position(i)));
    if (i >= 9) errors.push_back(error), take_larger(largest, error);
  }
  std::ranges::sort(errors);
  const auto seconds = bench::seconds_of_batches(run, [&] { gpu.make_steps(run.steps); });
  const double energy_error = std::abs(gpu.energies().total() / before - 1);
  print_out(
      "{}, \"error_median\": {:.3g}, \"error_max\": {:.3g}, \"planets_differ_by\": {:.3g}, "
      "\"orbit_energy_change\": {:.6g}, \"orbit_energy_change_cpu\": {:.6g}, \"planets_energy_error\": "
      "{:.3g}}}\n",
      bench::row_of(run, seconds, "particle", "\"massive\": 9"), errors[errors.size() / 2], largest, planets,
      energy_change(few.bodies, found, start.G, errors.size()),
      energy_change(few.bodies, expected, start.G, errors.size()), energy_error);
  bench::need_close(largest);
  bench::need_close(planets == 0 ? 0 : 1);  // they are moved on the CPU in both runs
}

}  // namespace

int main(int argc, char** argv) {
  return bench::orbit_program(argc, argv, "pleiad_orbit_particles", measure);
}
