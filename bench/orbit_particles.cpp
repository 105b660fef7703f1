/// Measures Wisdom-Holman steps of test particles on a GPU. pleiad_orbit_particles N STEPS REPEATS [DAYS]:
/// the Sun, eight planets and N asteroids between 2 and 3.5 au; one JSON object with particle steps a second
/// of the median batch of STEPS steps of DAYS (4), and, in the same row, how far a sample of the particles is
/// from that of the CPU, the change of their Kepler energies beside that of the CPU, and the energy error of
/// the planets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "core/larger.hpp"
#include "cuda/device/device.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
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

void measure(std::size_t n, std::uint64_t steps, int repeats, double days) {
  const auto& scheme = integrator_named("wisdom-holman");
  const auto start = belt(n);
  constexpr std::size_t compared = 256;
  constexpr std::uint64_t compared_steps = 4096;
  // Of the units of the model: its G tells the length of a day, by the period of a planet at 1 au.
  const double day = 2 * 3.14159265358979323846 / std::sqrt(start.G * start.bodies.mass[0]) / 365.2568983;
  const Method method{.integrator = &scheme, .dt = days * day};
  const auto on = [&](const char* backend) {
    return EngineOptions{.precision = Precision::f64, .backend = backend, .integrator = &scheme};
  };
  const Gravity gravity{.G = start.G};
  Simulation gpu(start, gravity, method, on("cuda"));
  const double before = gpu.energies().total();
  gpu.make_steps(compared_steps);
  const auto found = gpu.snapshot().bodies;
  auto few = belt(std::min(n, compared));
  Simulation cpu(few, gravity, method, on("cpu"));
  cpu.make_steps(compared_steps);
  const auto expected = cpu.snapshot().bodies;
  std::vector<double> errors;
  double planets = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = norm(found.position(i) - expected.position(i));
    double error = 0;
    take_larger(i < 9 ? planets : error, i < 9 ? off : off / norm(expected.position(i)));
    if (i >= 9) errors.push_back(error);
  }
  std::ranges::sort(errors);
  std::vector<double> seconds;
  gpu.make_steps(steps);
  for (int k = 0; k < repeats; ++k) seconds.push_back(seconds_of([&] { gpu.make_steps(steps); }));
  const double energy_error = std::abs(gpu.energies().total() / before - 1);
  std::ranges::sort(seconds);
  const double middle = seconds[seconds.size() / 2], all = double(n) * double(steps);
  std::printf(
      "{\"device\": \"%s\", \"particles\": %zu, \"massive\": 9, \"integrator\": \"wisdom-holman\", "
      "\"precision\": \"f64\", \"days\": %g, \"steps\": %llu, \"us_per_step\": %.5g, "
      "\"particle_steps_per_s\": %.5g, \"fastest_us_per_step\": %.5g, \"slowest_us_per_step\": %.5g, "
      "\"error_after_steps\": %llu, \"error_median\": %.3g, \"error_max\": %.3g, \"planets_differ_by\": "
      "%.3g, "
      "\"orbit_energy_change\": %.6g, \"orbit_energy_change_cpu\": %.6g, \"planets_energy_error\": %.3g}\n",
      cuda::device_facts().name.c_str(), n, days, static_cast<unsigned long long>(steps),
      1e6 * middle / double(steps), all / middle, 1e6 * seconds.front() / double(steps),
      1e6 * seconds.back() / double(steps), static_cast<unsigned long long>(compared_steps),
      errors[errors.size() / 2], errors.back(), planets,
      energy_change(few.bodies, found, start.G, errors.size()),
      energy_change(few.bodies, expected, start.G, errors.size()), energy_error);
  // Rounding of 1e-16 a step shifts a particle along its orbit by some 1e-16 n^2 / 2 of the angle of a step.
  if (!(errors.back() <= 1e-7) || planets != 0)
    throw NumericalError("the bodies are not where those of the CPU are");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "pleiad_orbit_particles N STEPS REPEATS [DAYS]\n");
    return 2;
  }
  try {
    measure(std::max(1ULL, std::strtoull(argv[1], nullptr, 10)),
            std::max(1ULL, std::strtoull(argv[2], nullptr, 10)), std::max(1, std::atoi(argv[3])),
            argc > 4 ? std::atof(argv[4]) : 4);
  } catch (const Error& e) {
    std::fprintf(stderr, "pleiad_orbit_particles: %s\n", e.what());
    return 4;
  }
  return 0;
}
