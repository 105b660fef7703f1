/// What the programs that measure steps on orbits have in common: their arguments, the length of a day, and
/// the rates of batches of steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"
#include "core/larger.hpp"
#include "core/print.hpp"
#include "cuda/device/device.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {

/// Steps of so many days after which results are compared with those of the CPU.
inline constexpr std::uint64_t compared_steps = 4096;

struct OrbitRun {
  std::size_t count = 1;    ///< particles or systems
  std::uint64_t steps = 1;  ///< in a batch
  int repeats = 1;          ///< batches
  double days = 4;          ///< length of a step
};

/// A day in the units of a system, by the period of a planet at a distance of 1, which is that of 1 au.
inline double day_of(double G, double mass_of_sun) {
  return 2 * std::numbers::pi / std::sqrt(G * mass_of_sun) / 365.2568983;
}

/// Seconds of the batches, in ascending order; one before them is not counted.
template <class Batch>
std::vector<double> seconds_of_batches(const OrbitRun& run, const Batch& batch) {
  batch();
  std::vector<double> seconds;
  for (int k = 0; k < run.repeats; ++k) seconds.push_back(seconds_of(batch));
  std::ranges::sort(seconds);
  return seconds;
}

/// The beginning of a row of JSON: what was stepped, and the rates of the median batch. `counted`: "system".
inline std::string row_of(const OrbitRun& run, const std::vector<double>& seconds, std::string_view counted,
                          std::string_view bodies) {
  const double middle = seconds[seconds.size() / 2], steps = double(run.steps);
  return fmt::format(
      "{{\"device\": \"{}\", \"{}s\": {}, {}, \"integrator\": \"wisdom-holman\", \"precision\": \"f64\", "
      "\"days\": {:g}, \"steps\": {}, \"us_per_step\": {:.5g}, \"{}_steps_per_s\": {:.5g}, "
      "\"fastest_us_per_step\": {:.5g}, \"slowest_us_per_step\": {:.5g}, \"error_after_steps\": {}",
      cuda::device_facts().name, counted, run.count, bodies, run.days, run.steps, 1e6 * middle / steps,
      counted, double(run.count) * steps / middle, 1e6 * seconds.front() / steps,
      1e6 * seconds.back() / steps, compared_steps);
}

/// Rounding of 1e-16 a step shifts a body along its orbit by some 1e-16 n^2 / 2 of the angle of a step:
/// NumericalError if one is farther from that of the CPU. NaN is.
inline void need_close(double error) {
  if (!(error <= 1e-7)) throw NumericalError("the bodies are not where those of the CPU are");
}

/// NAME COUNT STEPS REPEATS [DAYS]: exit code 2 for other arguments, 4 if a measurement fails.
template <class Measure>
int orbit_program(int argc, char** argv, const char* name, const Measure& measure) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "%s COUNT STEPS REPEATS [DAYS]\n", name);
    return 2;
  }
  const auto number = [&](int k) { return std::max(1ULL, std::strtoull(argv[k], nullptr, 10)); };
  try {
    measure(OrbitRun{.count = number(1),
                     .steps = number(2),
                     .repeats = static_cast<int>(number(3)),
                     .days = argc > 4 ? std::atof(argv[4]) : 4});
  } catch (const Error& e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
    return 4;
  }
  return 0;
}

}  // namespace pleiad::bench
