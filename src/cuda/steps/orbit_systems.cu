/// Orbit systems: Wisdom-Holman steps of many planetary systems (the scheme of
/// src/integrate/wisdom_holman.cpp, in democratic heliocentric coordinates or Jacobi's), a thread for each
/// planet.
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
#include <pleiad/kernel/ensemble_steps.hpp>

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

/// Sum over the lanes of a system before this one.
template <unsigned lanes>
__device__ Vector sum_before(const Vector& v) {
  const unsigned lane = threadIdx.x % lanes;
  const auto from_below = [](const Vector& u, unsigned offset) {
    return Vector{__shfl_up_sync(all_lanes, u.x, offset), __shfl_up_sync(all_lanes, u.y, offset),
                  __shfl_up_sync(all_lanes, u.z, offset)};
  };
  Vector sum = v;
#pragma unroll
  for (unsigned offset = 1; offset < lanes; offset *= 2) {
    const auto other = from_below(sum, offset);
    if (lane >= offset) sum += other;
  }
  const auto before = from_below(sum, 1);
  return lane > 0 ? before : Vector{};
}

/// A planet with its star. Coordinates are democratic heliocentric ones or Jacobi's; places in them that are
/// relative to the star are the same in the former.
template <unsigned lanes, bool jacobi>
struct Planet {
  Moving own{}, star{};
  double Gm = 0, Gm_star = 0, per_star = 0, per_all = 0;
  double mu = 0;             ///< of the own orbit
  double per_before = 0;     ///< 1 / (G m) of the bodies before this one, with the star
  double share = 0;          ///< of this one in the mass of these and itself
  Vector q{}, u{}, a{};      ///< coordinates, their velocities, kick there
  Vector drift{};            ///< velocity of the barycentre
  double* places = nullptr;  ///< of the planets of the system, in shared memory
  unsigned planets = 0, lane = 0;

  __device__ Vector weighted(const Vector& v) const { return sum_of_system<lanes>(Gm * v); }
  __device__ void weigh() {
    per_star = 1 / Gm_star, per_all = 1 / (Gm_star + sum_of_system<lanes>({Gm, 0, 0}).x);
    mu = Gm_star;
    if constexpr (jacobi) {
      const double before = Gm_star + sum_before<lanes>({Gm, 0, 0}).x;
      mu = before + Gm, per_before = 1 / before, share = Gm / mu;
    }
  }
  /// Values relative to the star to those relative to the centre of mass of the bodies before each one.
  __device__ Vector to_jacobi(const Vector& relative) const {
    return relative - per_before * sum_before<lanes>(Gm * relative);
  }
  /// And back: a body moves that centre by its own share.
  __device__ Vector from_jacobi(const Vector& v) const { return v + sum_before<lanes>(share * v); }

  /// To coordinates from the place relative to the star, and the kick there.
  __device__ void find_kick(const Vector& relative) {
    constexpr unsigned row = jacobi ? 5 : 4;
    double* const mine = places + row * lane;
    Vector orbit{};  // pull of the star on this planet relative to it
    __syncwarp();
    mine[0] = relative.x, mine[1] = relative.y, mine[2] = relative.z, mine[3] = Gm;
    if constexpr (jacobi) {
      const double cube = inverse_cube(product(relative, relative) + least_square);
      mine[4] = Gm * cube, orbit = ((Gm_star + Gm) * cube) * relative;
    }
    __syncwarp();
    if constexpr (!jacobi) {
      q = relative;
      a = kick_by(places, planets, q);
    } else {
      // Of the first body with mass, and of those before it, all terms of their own orbits cancel to the last
      // bit: rounding would be a kick always in one direction.
      const auto pulls = pulls_of_others(relative);
      q = to_jacobi(relative);
      const auto own_orbit = (mu * inverse_cube(product(q, q) + least_square)) * q;
      a = pulls + (own_orbit - orbit) - per_before * sum_before<lanes>(Gm * (pulls - orbit));
    }
  }
  /// On this planet and, with the opposite sign, on the star, by all others.
  __device__ Vector pulls_of_others(const Vector& relative) const {
    Vector sum{};
    const double* source = places;
    for (unsigned k = 0; k < planets; ++k, source += 5) {
      const Vector x{source[0], source[1], source[2]}, d = x - relative;
      const double g = source[3] * inverse_cube(product(d, d) + least_square), h = k == lane ? 0 : source[4];
      sum.x = fma(g, d.x, fma(-h, x.x, sum.x)), sum.y = fma(g, d.y, fma(-h, x.y, sum.y));
      sum.z = fma(g, d.z, fma(-h, x.z, sum.z));
    }
    return sum;
  }
  __device__ Vector relative_place() const { return (own.x - star.x) + (own.x_low - star.x_low); }
  __device__ void find_velocities() {
    u = (own.v - star.v) + (own.v_low - star.v_low);
    const auto of_star = per_all * weighted(u);  // of the barycentre relative to it
    drift = star.v + (star.v_low + of_star);
    if constexpr (jacobi) u = to_jacobi(u);
    else u -= of_star;
  }
  /// The displacement of all relative to the star by its own motion.
  __device__ Vector jump(const Vector& velocity, double time) const {
    if constexpr (jacobi) return {};
    else return (time * per_star) * weighted(velocity);
  }
  /// Takes changes of the coordinates, and moves the barycentre on for a time.
  __device__ void change_positions(Vector dq, double time) {
    if constexpr (jacobi) dq = from_jacobi(dq);
    const auto common = time * drift - per_all * weighted(dq);
    add(star.x, star.x_low, common);
    add(own.x, own.x_low, common + dq);
  }
  /// Takes changes of their velocities; that of the barycentre stays.
  __device__ void change_velocities(Vector du) {
    if constexpr (jacobi) {
      du = from_jacobi(du);
      const auto common = -per_all * weighted(du);
      add(star.v, star.v_low, common);
      add(own.v, own.v_low, common + du);
    } else {
      add(star.v, star.v_low, -per_star * weighted(du));
      add(own.v, own.v_low, du);
    }
  }
  __device__ void begin() {
    find_kick(relative_place());
    find_velocities();
  }
  __device__ void step(double dt) {
    const double half = dt / 2;
    const auto kicked = u + half * a;
    const auto first = jump(kicked, half);
    const auto change = moved_on_orbit(mu, {q + first, kicked}, dt);
    const auto dq = change.x + (first + jump(kicked + change.v, half));
    auto du = change.v + half * a;
    change_positions(dq, dt);
    find_kick(relative_place());
    du += half * a;
    change_velocities(du);
    find_velocities();
  }
  /// Kicks where the bodies are a part of a step earlier or later, each between two halves of the jump.
  __device__ void correct(const OrbitCorrector& corrector, double dt) {
    Vector all_q{}, all_u{};
    const auto take = [&](const Vector& dq, const Vector& du) { q += dq, u += du, all_q += dq, all_u += du; };
    double at = 0;
    const auto move_to = [&](double place) {
      const auto change = moved_on_orbit(mu, {q, u}, (place - at) * dt);
      take(change.x, change.v);
      at = place;
    };
    for (unsigned k = 0; k < corrector.count; ++k) {
      move_to(corrector.kicks[k].at);
      const double time = corrector.kicks[k].length * dt, half = time / 2;
      const auto place = q, before = jump(u, half);
      find_kick(jacobi ? from_jacobi(q) : q + before);
      q = place;
      const auto du = time * a;
      take(before + jump(u + du, half), du);
    }
    move_to(0);
    change_positions(all_q, 0);
    change_velocities(all_u);
  }
};

/// Calls work with the planet of this thread, ready for a step, and stores it.
template <unsigned lanes, bool jacobi, class Work>
__device__ void with_planet(const OrbitSystemsProblem& t, const Work& work) {
  const std::size_t own = (std::size_t{blockIdx.x} * threads + threadIdx.x) / lanes;
  // Lanes without a system take the last one, and keep it to themselves.
  const std::size_t system = own < t.systems ? own : t.systems - 1, all = t.systems * lanes;
  Planet<lanes, jacobi> p;
  p.lane = threadIdx.x % lanes, p.planets = static_cast<unsigned>(t.planets);
  const std::size_t i = system * lanes + p.lane;
  p.own = loaded(t.state, all, i), p.star = loaded(t.stars, t.systems, system);
  p.Gm = p.lane < p.planets ? t.Gm[i] : 0, p.Gm_star = t.Gm_stars[system];
  if (p.lane >= p.planets) {  // at rest, away from the star
    p.own = p.star;
    p.own.x.x += 1 + (p.own.x.x < 0 ? -p.own.x.x : p.own.x.x);
  }
  p.places = dynamic_shared<double>() + (jacobi ? 5 : 4) * (threadIdx.x - p.lane);
  p.weigh();
  p.begin();
  work(p);
  if (own >= t.systems) return;
  if (p.lane < p.planets) store(t.state, all, i, p.own);
  if (p.lane == 0) store(t.stars, t.systems, system, p.star);
}

template <unsigned lanes, bool jacobi>
__global__ void __launch_bounds__(threads) steps_of_systems(const OrbitSystemsProblem t) {
  with_planet<lanes, jacobi>(t, [&](auto& p) {
    for (std::size_t k = 0; k < t.steps; ++k) p.step(t.dt);
  });
}
template <unsigned lanes, bool jacobi>
__global__ void __launch_bounds__(threads)
    corrected_systems(const OrbitSystemsProblem t, const OrbitCorrector corrector) {
  with_planet<lanes, jacobi>(t, [&](auto& p) { p.correct(corrector, t.dt); });
}

template <unsigned lanes, bool jacobi>
void run(const OrbitSystemsProblem& p, const OrbitCorrector* corrector) {
  const Grid grid{.blocks = ceil_div(p.systems * lanes, threads),
                  .threads = threads,
                  .shared_bytes = threads * (jacobi ? 5 : 4) * sizeof(double)};
  if (corrector == nullptr) launch(name, steps_of_systems<lanes, jacobi>, grid, p.stream, p);
  else launch(name, corrected_systems<lanes, jacobi>, grid, p.stream, p, *corrector);
}

void run(const OrbitSystemsProblem& p, const OrbitCorrector* corrector) {
  if (p.planets > most_planets)
    throw UsageError(std::string(name) + ": " + std::to_string(p.planets) +
                     " planets in a system; it takes at most " + std::to_string(most_planets));
  if (p.systems == 0) return;
  const auto with = [&]<unsigned lanes>() {
    p.jacobi ? run<lanes, true>(p, corrector) : run<lanes, false>(p, corrector);
  };
  switch (lanes_of_system(p.planets)) {
    case 4:
      return with.template operator()<4>();
    case 8:
      return with.template operator()<8>();
    case 16:
      return with.template operator()<16>();
    default:
      return with.template operator()<32>();
  }
}

}  // namespace

void orbit_systems(const OrbitSystemsProblem& problem) {
  if (problem.steps > 0) run(problem, nullptr);
}
void correct_orbit_systems(const OrbitSystemsProblem& problem, const OrbitCorrector& corrector) {
  if (corrector.count > 0) run(problem, &corrector);
}

}  // namespace pleiad::cuda

namespace pleiad {

extern constinit const EnsembleKernel cuda_orbit_systems{
    .name = "cuda/orbit-systems",
    .idea = "planetary systems on Kepler orbits, a thread for each planet",
    .most_bodies = cuda::most_planets + 1,
    .orbits = cuda::orbit_systems};

}  // namespace pleiad
