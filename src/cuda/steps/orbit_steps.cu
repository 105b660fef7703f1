/// Orbit steps: Wisdom-Holman steps of test particles (the scheme of src/integrate/wisdom_holman.cpp, in
/// democratic heliocentric coordinates), a thread for each particle and many steps in a launch.
///
/// A block reads the rows of the trail into shared memory, as many as fit at a time. A step is half a kick,
/// half a jump, the orbit about the central body by series, half a jump, and half a kick by the bodies that
/// pull. Sums of two doubles take the changes, and coordinates come from them anew in each step, so that the
/// bits do not depend on where a launch ends. Cost of a step in operations of double precision in the machine
/// code (sm_90, nvcc 13.0): 16 for each body that pulls, 210 for the rest, and 53 for each further step of
/// Halley's method than one, which a step of a hundredth of the period needs: 338 with eight planets, or
/// 4.4e10 particle steps a second of 132 multiprocessors with 64 lanes of double precision at 1.755 GHz.
/// Memory: 192 bytes a particle and launch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/cuda.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/steps/on_orbits.hpp"
#include "cuda/steps/orbit_steps.hpp"
#include "orbits/trail.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace pleiad::cuda {
namespace {

constexpr std::string_view name = "cuda/orbit-steps";
constexpr unsigned threads = 128;
constexpr unsigned bytes_of_rows = 13 << 10;  ///< of shared memory, unless one row needs more

__device__ Vector in_row(const double* row, unsigned place) {
  return {row[place], row[place + 1], row[place + 2]};
}

/// A particle in the coordinates of the bodies, and relative to the central one.
struct Particle {
  Vector x, x_low, v, v_low;
  Vector q, u, a;  ///< place relative to the central body, velocity relative to the barycentre, kick there

  __device__ void find_coordinates(const double* row) {
    q = (x - in_row(row, orbits::row::star)) + (x_low - in_row(row, orbits::row::star_low));
  }
  __device__ void find_velocity(const double* row) { u = (v - in_row(row, orbits::row::drift)) + v_low; }
  __device__ void find_kick(const double* row, unsigned pulling) {
    a = kick_by(row + orbits::row::sources, pulling, q);
  }
};

/// To the state of `row`, the one after the step.
__device__ void make_step(Particle& p, const double* row, unsigned pulling, double mu, double dt) {
  const double half = dt / 2;
  const orbits::Phase start{p.q + in_row(row, orbits::row::first_jump), p.u + half * p.a};
  const auto change = moved_on_orbit(mu, start, dt);
  auto dv = change.v + half * p.a;
  add(p.x, p.x_low, in_row(row, orbits::row::star_change) + (change.x + in_row(row, orbits::row::jumps)));
  p.find_coordinates(row);
  p.find_kick(row, pulling);
  dv += half * p.a;
  add(p.v, p.v_low, dv);
  p.find_velocity(row);
}

/// rows: how many are in shared memory at a time.
__global__ void __launch_bounds__(threads) steps_on_orbits(const OrbitProblem t, unsigned rows) {
  double* const here = dynamic_shared<double>();
  const auto pulling = static_cast<unsigned>(t.pulling), length = orbits::row::length(pulling),
             all = static_cast<unsigned>(t.steps) + 1;
  const std::size_t own = std::size_t{blockIdx.x} * threads + threadIdx.x;
  // Threads without a particle take the last one, and keep it to themselves.
  const std::size_t i = own < t.particles ? own : t.particles - 1;
  const auto of = [&](unsigned component) -> double& { return t.state[component * t.particles + i]; };
  const auto three = [&](unsigned first) { return Vector{of(first), of(first + 1), of(first + 2)}; };
  Particle p{three(0), three(3), three(6), three(9), {}, {}, {}};
  for (unsigned first = 0; first < all; first += rows) {
    const unsigned count = all - first < rows ? all - first : rows;
    __syncthreads();
    for (unsigned k = threadIdx.x; k < count * length; k += threads)
      here[k] = t.trail[std::size_t{first} * length + k];
    __syncthreads();
    for (unsigned k = 0; k < count; ++k) {
      const double* const row = here + k * length;
      if (first + k == 0) {
        p.find_coordinates(row);
        p.find_kick(row, pulling);
        p.find_velocity(row);
      } else {
        make_step(p, row, pulling, t.mu, t.dt);
      }
    }
  }
  if (own >= t.particles) return;
  const auto put = [&](unsigned place, const Vector& v) {
    of(place) = v.x, of(place + 1) = v.y, of(place + 2) = v.z;
  };
  put(0, p.x), put(3, p.x_low), put(6, p.v), put(9, p.v_low);
}

}  // namespace

void orbit_steps(const OrbitProblem& problem) {
  if (problem.pulling > most_pulling)
    throw UsageError(std::string(name) + ": " + std::to_string(problem.pulling) +
                     " bodies pull; it takes at most " + std::to_string(most_pulling));
  if (problem.particles == 0 || problem.steps == 0) return;
  const unsigned bytes = orbits::row::length(static_cast<unsigned>(problem.pulling)) * sizeof(double);
  const unsigned rows =
      std::min(std::max(bytes_of_rows / bytes, 1U), static_cast<unsigned>(problem.steps) + 1);
  launch(name, steps_on_orbits,
         {.blocks = ceil_div(problem.particles, threads), .threads = threads, .shared_bytes = rows * bytes},
         problem.stream, problem, rows);
}

}  // namespace pleiad::cuda
