/// Speed-ups over the serial loop, and the rejection of impossible ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/speed_up.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace pleiad::bench {

double peak_of_serial_loop() {
  const std::string settings[] = {"n=512", "total_mass=1"};
  const auto problem =
      make_force_problem(make_model("uniform-box", settings, 1).bodies, {.eps = 0.05}, Precision::f32);
  const Threads one(1);
  const WithThreads alone(one);
  double best = 0;
  for (int k = 0; k < 60; ++k) {
    const double n = double(problem->size());
    best = std::max(best, n * n / problem->seconds(direct_kernel("cpu/scalar"), {}, 1, false));
  }
  return best;
}

double possible_speed_up(const Case& what, std::size_t n, double seconds, double serial_seconds, double limit,
                         double serial_peak) {
  const double speed_up = serial_seconds / seconds, most = clock_tolerance * limit / serial_peak;
  if (speed_up <= most) return speed_up;
  throw NumericalError(fmt::format(
      "no figure for {}: it seems {:.3g} times as fast as the serial loop, where the hardware allows {:.3g} "
      "({:.4g} against {:.3g} G/s); the serial loop was disturbed",
      name_of(what, n), speed_up, most, 1e-9 * limit, 1e-9 * serial_peak));
}

}  // namespace pleiad::bench
