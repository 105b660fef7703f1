/// Individual steps on one GPU: a Plummer sphere in Henon's units over some time, with the error of its
/// energy.
///
/// Usage: pleiad_individual_steps [N [time [eta [grid]]]]; without arguments, 1000 and 10,000 bodies over one
/// unit. Each run is made twice, and once with another grid: the bits must be the same.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "cuda/steps/individual_bodies.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace pleiad {
namespace {

double energy_of(const Snapshot& s) {
  const auto* kdk = &integrator_named("kdk");
  Simulation now(s, {}, {.integrator = kdk, .dt = 1},
                 {.precision = Precision::f64, .backend = "cpu", .integrator = kdk});
  return now.energies().total();
}

struct Result {
  double seconds = 0, energy = 0;
  std::string hash;
  cuda::IndividualProgress progress;
};
Result run(Snapshot s, double time, double eta, unsigned grid) {
  Result r;
  cuda::IndividualBodies bodies(s.bodies, {.eta = eta, .grid = grid});
  (void)bodies.advance(0);
  const double from = seconds();
  r.progress = bodies.advance(std::uint64_t(std::llround(16 * time)));
  r.seconds = seconds() - from;
  bodies.copy_to_host(s.bodies);
  r.hash = state_hash(s.bodies);
  r.energy = energy_of(s);
  return r;
}

void bench(std::size_t n, double time, double eta, unsigned grid) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 3);
  const double energy = energy_of(start);
  const auto one = run(start, time, eta, grid), two = run(start, time, eta, grid),
             other = run(start, time, eta, grid == 0 ? 5 : 0);
  const double seconds = std::min(one.seconds, two.seconds);
  std::printf(
      "N %zu, t %g, eta %g: %.4f s (%.4f), %llu blocks, %.3g us each, %.4g moves, %.1f a block, %.4g "
      "pairs/s, %llu "
      "redone, dE/E %.2e, %s, %s\n",
      n, time, eta, seconds, std::max(one.seconds, two.seconds),
      static_cast<unsigned long long>(one.progress.blocks), 1e6 * seconds / double(one.progress.blocks),
      double(one.progress.moves), double(one.progress.moves) / double(one.progress.blocks),
      double(one.progress.moves) * double(n) / seconds, static_cast<unsigned long long>(one.progress.redone),
      one.energy / energy - 1, one.hash == two.hash ? "the same bits again" : "OTHER BITS",
      one.hash == other.hash ? "and with another grid" : "OTHER BITS WITH ANOTHER GRID");
  std::fflush(stdout);
}

}  // namespace
}  // namespace pleiad

int main(int count, char** arguments) {
  try {
    const auto number = [&](int k, double usual) { return count > k ? std::atof(arguments[k]) : usual; };
    if (count > 1) {
      pleiad::bench(std::size_t(number(1, 1000)), number(2, 1), number(3, 0.02), unsigned(number(4, 0)));
    } else {
      for (const std::size_t n : {1000, 10000}) pleiad::bench(n, 1, 0.02, 0);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
