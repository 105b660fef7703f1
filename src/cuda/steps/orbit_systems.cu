/// Orbit systems: Wisdom-Holman steps of many planetary systems (the scheme of
/// src/integrate/wisdom_holman.cpp, in democratic heliocentric coordinates), a thread for each planet.
///
/// A system has 4, 8, 16 or 32 neighbouring lanes of a warp, and each of them has the star, too: sums over
/// the planets go by shuffles that give all lanes the same bits, and the places of the planets by shared
/// memory. Nothing waits for another warp. Sums of two doubles take the changes, and coordinates come from
/// them anew in each step, so that the bits do not depend on where a launch ends. Cost of a step with eight
/// planets in operations of double precision in the machine code (sm_90, nvcc 13.0), for each lane: 540, of
/// which 128 are kicks, and 52 for each further step of Halley's method, of which the planet with the
/// shortest period needs one where a step is a twentieth of it: 4700 a system, or 3.1e9 system steps a second
/// of 132 multiprocessors with 64 lanes at 1.755 GHz. 90 shuffles a lane are made meanwhile.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/cuda.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/steps/on_orbits.hpp"
#include "cuda/steps/orbit_systems.hpp"

#include <pleiad/error.hpp>

#include <string>
#include <string_view>

namespace pleiad::cuda {
namespace {

constexpr std::string_view name = "cuda/orbit-systems";
constexpr unsigned threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

/// Sum over the lanes of a system, with the same bits in each: both sides of an exchange add the same two.
template <unsigned lanes>
__device__ Vector sum_of_system(Vector v) {
#pragma unroll
  for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
    v.x += __shfl_xor_sync(all_lanes, v.x, offset), v.y += __shfl_xor_sync(all_lanes, v.y, offset);
    v.z += __shfl_xor_sync(all_lanes, v.z, offset);
  }
  return v;
}

/// Position and velocity with their low parts.
struct Moving {
  Vector x{}, x_low{}, v{}, v_low{};
};
__device__ Moving loaded(const double* from, std::size_t count, std::size_t i) {
  const auto three = [&](unsigned c) {
    return Vector{from[c * count + i], from[(c + 1) * count + i], from[(c + 2) * count + i]};
  };
  return {three(0), three(3), three(6), three(9)};
}
__device__ void store(double* to, std::size_t count, std::size_t i, const Moving& body) {
  const auto three = [&](unsigned c, const Vector& v) {
    to[c * count + i] = v.x, to[(c + 1) * count + i] = v.y, to[(c + 2) * count + i] = v.z;
  };
  three(0, body.x), three(3, body.x_low), three(6, body.v), three(9, body.v_low);
}

/// A planet with its star.
template <unsigned lanes>
struct Planet {
  Moving own{}, star{};
  double Gm = 0, Gm_star = 0, per_star = 0, per_all = 0;
  Vector q{}, u{}, a{};      ///< place relative to the star, velocity relative to the barycentre, kick there
  Vector drift{};            ///< velocity of the barycentre
  double* places = nullptr;  ///< of the planets of the system, in shared memory

  __device__ Vector weighted(const Vector& v) const { return sum_of_system<lanes>(Gm * v); }
  __device__ void find_kick(unsigned planets, unsigned lane) {
    __syncwarp();
    places[4 * lane] = q.x, places[4 * lane + 1] = q.y, places[4 * lane + 2] = q.z;
    places[4 * lane + 3] = Gm;
    __syncwarp();
    a = kick_by(places, planets, q);
  }
  __device__ void find_coordinates() { q = (own.x - star.x) + (own.x_low - star.x_low); }
  __device__ void find_velocities() {
    u = (own.v - star.v) + (own.v_low - star.v_low);
    const auto of_star = per_all * weighted(u);  // of the barycentre relative to it
    drift = star.v + (star.v_low + of_star);
    u -= of_star;
  }
  __device__ void step(double dt, unsigned planets, unsigned lane) {
    const double half = dt / 2;
    const auto kicked = u + half * a;
    const auto jump = (half * per_star) * weighted(kicked);
    const auto change = moved_on_orbit(Gm_star, {q + jump, kicked}, dt);
    const auto dq = change.x + (jump + (half * per_star) * weighted(kicked + change.v));
    auto dv = change.v + half * a;
    const auto common = dt * drift - per_all * weighted(dq);
    add(star.x, star.x_low, common);
    add(own.x, own.x_low, common + dq);
    find_coordinates();
    find_kick(planets, lane);
    dv += half * a;
    add(star.v, star.v_low, -per_star * weighted(dv));
    add(own.v, own.v_low, dv);
    find_velocities();
  }
};

template <unsigned lanes>
__global__ void __launch_bounds__(threads) steps_of_systems(const OrbitSystemsProblem t) {
  const std::size_t own = (std::size_t{blockIdx.x} * threads + threadIdx.x) / lanes;
  const unsigned lane = threadIdx.x % lanes, planets = static_cast<unsigned>(t.planets);
  // Lanes without a system take the last one, and keep it to themselves.
  const std::size_t system = own < t.systems ? own : t.systems - 1, all = t.systems * lanes,
                    i = system * lanes + lane;
  Planet<lanes> p{loaded(t.state, all, i), loaded(t.stars, t.systems, system)};
  p.Gm = lane < planets ? t.Gm[i] : 0, p.Gm_star = t.Gm_stars[system];
  if (lane >= planets) {  // at rest, away from the star
    p.own = p.star;
    p.own.x.x += 1 + (p.own.x.x < 0 ? -p.own.x.x : p.own.x.x);
  }
  p.per_star = 1 / p.Gm_star, p.per_all = 1 / (p.Gm_star + sum_of_system<lanes>({p.Gm, 0, 0}).x);
  p.places = dynamic_shared<double>() + 4 * (threadIdx.x - lane);
  p.find_coordinates();
  p.find_kick(planets, lane);
  p.find_velocities();
  for (std::size_t k = 0; k < t.steps; ++k) p.step(t.dt, planets, lane);
  if (own >= t.systems) return;
  if (lane < planets) store(t.state, all, i, p.own);
  if (lane == 0) store(t.stars, t.systems, system, p.star);
}

template <unsigned lanes>
void run(const OrbitSystemsProblem& p) {
  launch(name, steps_of_systems<lanes>,
         {.blocks = ceil_div(p.systems * lanes, threads),
          .threads = threads,
          .shared_bytes = threads * 4 * sizeof(double)},
         p.stream, p);
}

}  // namespace

void orbit_systems(const OrbitSystemsProblem& problem) {
  if (problem.planets > most_planets)
    throw UsageError(std::string(name) + ": " + std::to_string(problem.planets) +
                     " planets in a system; it takes at most " + std::to_string(most_planets));
  if (problem.systems == 0 || problem.planets == 0 || problem.steps == 0) return;
  switch (lanes_of_system(problem.planets)) {
    case 4:
      return run<4>(problem);
    case 8:
      return run<8>(problem);
    case 16:
      return run<16>(problem);
    default:
      return run<32>(problem);
  }
}

}  // namespace pleiad::cuda
