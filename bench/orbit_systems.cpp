/// Measures Wisdom-Holman steps of many planetary systems on a GPU. pleiad_orbit_systems SYSTEMS STEPS
/// REPEATS [DAYS]: the Sun and eight planets as they are on as many days; one JSON object with system steps a
/// second of the median batch of STEPS steps of DAYS (4), and, in the same row, how far the planets of some
/// systems are from those of the CPU after 4096 steps, and the largest energy error of both.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "core/larger.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/steps/planetary_systems.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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

void measure(std::size_t count, std::uint64_t steps, int repeats, double days) {
  std::vector<Bodies> start;
  Snapshot one;
  for (std::size_t k = 0; k < count; ++k) {
    one = model("solar-system", {{"epoch", double(k % 91000) - 73000}}, 1);
    start.push_back(one.bodies);
  }
  const double year = 2 * 3.14159265358979323846 / std::sqrt(one.G * one.bodies.mass[0]);
  const Method method{.integrator = &integrator_named("wisdom-holman"), .dt = days * year / 365.2568983};
  cuda::PlanetarySystems systems(start, one.G, method.dt);
  constexpr std::uint64_t compared = 4096;
  systems.advance(compared);
  double error = 0, error_of_energy = 0, error_of_energy_cpu = 0;
  for (std::size_t k = 0; k < count; k += std::max<std::size_t>(1, count / 8)) {
    auto found = start[k];
    systems.copy_to_host(k, found);
    auto s = one;
    s.bodies = start[k];
    Simulation cpu(s, {.G = one.G}, method, {.precision = Precision::f64, .backend = "cpu"});
    cpu.make_steps(compared);
    const auto& expected = cpu.snapshot().bodies;
    const double before = energy(start[k], one.G);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double off = norm(found.position(i) - expected.position(i));
      take_larger(error, off);
    }
    take_larger(error_of_energy, std::abs(energy(found, one.G) / before - 1));
    take_larger(error_of_energy_cpu, std::abs(energy(expected, one.G) / before - 1));
  }
  std::vector<double> seconds;
  const auto batch = [&] {
    systems.advance(steps);
    cuda::wait(nullptr);
  };
  batch();
  for (int k = 0; k < repeats; ++k) seconds.push_back(seconds_of(batch));
  std::ranges::sort(seconds);
  const double middle = seconds[seconds.size() / 2];
  std::printf(
      "{\"device\": \"%s\", \"systems\": %zu, \"planets\": 8, \"integrator\": \"wisdom-holman\", "
      "\"precision\": \"f64\", \"days\": %g, \"steps\": %llu, \"us_per_step\": %.5g, "
      "\"system_steps_per_s\": %.5g, \"fastest_us_per_step\": %.5g, \"slowest_us_per_step\": %.5g, "
      "\"error_after_steps\": %llu, \"error_max\": %.3g, \"energy_error\": %.6g, \"energy_error_cpu\": "
      "%.6g}\n",
      cuda::device_facts().name.c_str(), count, days, static_cast<unsigned long long>(steps),
      1e6 * middle / double(steps), double(count) * double(steps) / middle,
      1e6 * seconds.front() / double(steps), 1e6 * seconds.back() / double(steps),
      static_cast<unsigned long long>(compared), error, error_of_energy, error_of_energy_cpu);
  // Rounding of 1e-16 a step shifts Mercury along its orbit by some 1e-16 n^2 / 2 of the angle of a step.
  if (!(error <= 1e-7)) throw NumericalError("the planets are not where those of the CPU are");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "pleiad_orbit_systems SYSTEMS STEPS REPEATS [DAYS]\n");
    return 2;
  }
  try {
    measure(std::max(1ULL, std::strtoull(argv[1], nullptr, 10)),
            std::max(1ULL, std::strtoull(argv[2], nullptr, 10)), std::max(1, std::atoi(argv[3])),
            argc > 4 ? std::atof(argv[4]) : 4);
  } catch (const Error& e) {
    std::fprintf(stderr, "pleiad_orbit_systems: %s\n", e.what());
    return 4;
  }
  return 0;
}
