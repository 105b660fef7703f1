/// There and back on a lattice on GPUs: a Plummer sphere makes steps, and as many with its velocities
/// negated; how many bits of its state are then others.
///
/// pleiad_lattice N STEPS GPUS PRECISION [METHOD]: one JSON object. METHOD as of `pleiad run --kernel`;
/// without one the choice of the table. Fails where a bit differs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/lattice.hpp"

#include "core/clock.hpp"
#include "cuda/device/device.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace pleiad {
namespace {

constexpr double dt = 0x1p-10, softening = 0.01;

/// Bits in which the whole numbers of two states differ; the velocities of one are negated.
std::uint64_t differing_bits(const Bodies& a, const Bodies& negated, const LatticeUnits& units) {
  constexpr std::array axes{&Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz};
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const double per_unit = 1 / (k < 3 ? units.length : units.velocity);
    const auto number = [&](const Bodies& b, std::size_t i) {
      return lattice::multiple_of((b.*axes[k])[i], b.low[i][k], per_unit);
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto there = number(a, i), back = k < 3 ? number(negated, i) : -number(negated, i);
      bits += std::uint64_t(std::popcount(static_cast<std::uint64_t>(there ^ back)));
    }
  }
  return bits;
}

/// Seconds of this many steps, and the energy after them.
std::pair<double, double> timed(Simulation& s, std::uint64_t steps) {
  const double from = seconds();
  s.make_steps(steps);
  const double took = seconds() - from;
  return {took, s.energies().total()};
}

void bench(std::size_t n, std::uint64_t steps, const EngineOptions& options) {
  const auto start = model("plummer", {{"n", double(n)}}, 3);
  const Gravity gravity{.softening = {softening}};
  Method method{.integrator = &integrator_named("kdk"), .dt = dt};
  Simulation plain(start, gravity, method, options);
  plain.make_steps(2);
  const std::uint64_t some = std::min<std::uint64_t>(steps, 100);
  const double plain_step = timed(plain, some).first / double(some);

  method.lattice = LatticeUnits{};
  Simulation s(start, gravity, method, options);
  const auto units = *s.method().lattice;
  const auto first = s.snapshot().bodies;
  const double energy = s.energies().total();
  const auto [there, energy_there] = timed(s, steps);
  const auto far = differing_bits(s.snapshot().bodies, first, units);
  s.reverse_velocities();
  const auto [back, energy_back] = timed(s, steps);
  const auto bits = differing_bits(s.snapshot().bodies, first, units);
  const auto d = s.describe();
  std::printf(
      "{\"n\": %zu, \"method\": \"%s\", \"precision\": \"%s\", \"gpus\": %d, \"steps\": %llu, \"dt\": %.10g, "
      "\"softening\": %g, \"seconds_there\": %.5g, \"seconds_back\": %.5g, \"ms_per_step\": %.5g, "
      "\"ms_per_step_without_lattice\": %.5g, \"differing_bits\": %llu, \"differing_bits_there\": %llu, "
      "\"energy_error_there\": %.3e, \"energy_error_back\": %.3e, \"device\": \"%s\"}\n",
      n, d.kernel().c_str(), d.precision.c_str(), d.gpus, static_cast<unsigned long long>(steps), dt,
      softening, there, back, 1e3 * (there + back) / (2 * double(steps)), 1e3 * plain_step,
      static_cast<unsigned long long>(bits), static_cast<unsigned long long>(far), energy_there / energy - 1,
      energy_back / energy - 1, cuda::device_facts().name.c_str());
  std::fflush(stdout);
  if (bits != 0) throw std::runtime_error("the steps do not lead back");
  if (d.gpus != options.gpus) throw std::runtime_error("on another number of GPUs than asked for");
}

}  // namespace
}  // namespace pleiad

int main(int count, char** arguments) {
  try {
    if (count < 5 || count > 6) {
      std::fprintf(stderr, "usage: pleiad_lattice N STEPS GPUS PRECISION [METHOD]\n");
      return 2;
    }
    pleiad::EngineOptions options{.precision = pleiad::precision_named(arguments[4]),
                                  .backend = "cuda",
                                  .method = pleiad::force_method_of(count > 5 ? arguments[5] : "auto"),
                                  .gpus = std::atoi(arguments[3])};
    pleiad::bench(std::size_t(std::atof(arguments[1])), std::uint64_t(std::atof(arguments[2])), options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
