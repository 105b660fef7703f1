/// Sums of pulls on active bodies, as whole numbers: the sum of 16 sources is rounded to a unit of the body,
/// and whole numbers are added in any order. So the bits depend neither on the grid nor on which device has
/// which sources.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/steps/individual_pairs.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace pleiad::cuda::individual {

using Word = unsigned long long;

/// Threads of a block.
inline constexpr unsigned threads = 256;
/// The units of a body are 2^-13 to 2^-12 of what the sum of a group may be: that much larger than the last
/// sum of all may one become. 2^-33 of the last sum with a million bodies, and less with fewer.
inline constexpr int room_of_sums = 12;

/// The largest exponent of the sum of a group, so that the sum of those of `bodies` sources fits.
inline int limit_for(std::size_t bodies) {
  int limit = 61;
  for (std::size_t k = 1; k < (bodies + group - 1) / group; k *= 2) --limit;
  return limit;
}

/// An active body at the next time, with the units of its sums: 2^-unit. A level beyond finest_step says that
/// no step is short enough.
struct alignas(16) Active {
  double x[3], v[3];
  int unit_a, unit_j;
  float near;  ///< see InFloats
};
/// In four loads: all blocks read the same few at once.
__device__ inline Active read(const Active* at) {
  Words parts[sizeof(Active) / sizeof(Words)];
  for (unsigned k = 0; k < sizeof(Active) / sizeof(Words); ++k)
    parts[k] = reinterpret_cast<const Words*>(at)[k];
  Active t;
  std::memcpy(&t, parts, sizeof t);
  return t;
}

/// Position and velocity after a time h on a path: `s` has a body's position, velocity, acceleration and
/// jerk, `n` numbers from one component to the next.
__device__ inline void predict(const double* s, std::size_t n, double h, double (&x)[3], double (&v)[3]) {
  constexpr double third = 1.0 / 3;  // a division takes longer
  for (unsigned c = 0; c < 3; ++c) {
    const double going = s[(3 + c) * n], a = s[(6 + c) * n], j = s[(9 + c) * n];
    x[c] = fma(h, fma(h / 2, fma(h * third, j, a), going), s[c * n]);
    v[c] = fma(h, fma(h / 2, j, a), going);
  }
}

/// Second and third derivatives of the acceleration of body i, from bodies at one time in such an array.
__device__ inline void sum_snap_and_crackle(const double* state, std::size_t n, const double* mass,
                                            std::size_t pulling, double eps2, std::size_t i,
                                            double (&snap)[3], double (&crackle)[3]) {
  const auto dot = [](const double(&x)[3], const double(&y)[3]) {
    return fma(x[2], y[2], fma(x[1], y[1], x[0] * y[0]));
  };
  for (unsigned c = 0; c < 3; ++c) snap[c] = crackle[c] = 0;
  for (std::size_t k = 0; k < pulling; ++k) {
    double d[4][3];
    for (unsigned q = 0; q < 4; ++q)
      for (unsigned c = 0; c < 3; ++c) d[q][c] = state[(3 * q + c) * n + k] - state[(3 * q + c) * n + i];
    const auto f = powers_of(mass[k], dot(d[0], d[0]) + eps2);
    const double alpha = dot(d[0], d[1]) * f.square;
    const double beta = (dot(d[1], d[1]) + dot(d[0], d[2])) * f.square + alpha * alpha;
    const double gamma =
        (3 * dot(d[1], d[2]) + dot(d[0], d[3])) * f.square + alpha * (3 * beta - 4 * alpha * alpha);
    for (unsigned c = 0; c < 3; ++c) {
      const double pull = f.cube * d[0][c], jerk = f.cube * d[1][c] - 3 * alpha * pull,
                   second = f.cube * d[2][c] - 6 * alpha * jerk - 3 * beta * pull;
      snap[c] += second;
      crackle[c] += f.cube * d[3][c] - 9 * alpha * second - 9 * beta * jerk - 3 * gamma * pull;
    }
  }
}

__device__ inline int exponent_of(double x) {
  const int e = static_cast<int>((__double_as_longlong(x) >> 52) & 0x7ff) - 1023;
  return e < -400 ? -400 : e;
}
/// The units of a body whose last acceleration and jerk have these sums of sizes; `per_step`: 1 over the
/// length of its step. `per_near`: 16 in units of masses over lengths squared (InFloats), 0: none is near.
__device__ inline void set_units(double a, double j, double per_step, int limit, double per_near, Active& t) {
  t.unit_a = limit - room_of_sums - exponent_of(a);
  t.unit_j = limit - room_of_sums - exponent_of(j + a * per_step);
  t.near = per_near > 0 ? divide_approx(static_cast<float>(per_near), static_cast<float>(a)) : 0;
}

/// How many lanes of a warp share a body, or some: 2^this. The groups of sources are dealt among them so that
/// threads have the same work. The bits are the same.
__device__ inline unsigned lanes_for(unsigned count, unsigned groups) {
  unsigned best = 0, least = ~0U;
#pragma unroll 1
  for (unsigned k = 0; k <= 5; ++k) {
    if (k > 0 && (groups >> (k - 1)) <= 1) break;
    // In units of a group's time / 16: the groups of a lane, the search for the body, its sums and their
    // reduction.
    const unsigned turns = ((count << k) + threads - 1) / threads, part = (groups + (1U << k) - 1) >> k,
                   cost = turns * (16 * part + 3 + k);
    if (cost < least) least = cost, best = k;
  }
  return best;
}

/// Which sources are in shared memory, the first of all and how many, and the number of the pass.
struct Part {
  std::size_t first;
  unsigned sources, pass;
  bool again;
};

/// The upper word of a number without its sign: larger of larger numbers.
__device__ inline unsigned upper_word(double x) {
  return static_cast<unsigned>(static_cast<Word>(__double_as_longlong(x)) >> 32) & 0x7fffffffU;
}

/// Memory of active bodies, each of which has a slot.
struct ActiveSums {
  const Active* active = nullptr;  ///< [slot]
  Word* sums = nullptr;            ///< [slot][6]: acceleration and jerk, in units
  int* shifts = nullptr;           ///< [slot][2]: by which powers of two its units are larger in another pass
  unsigned* misfit = nullptr;      ///< the last pass with a sum that did not fit
};

/// An active body with the units of its sums.
template <class Pairs>
struct Pulled {
  std::size_t slot;
  double of_a, of_j;
  typename Pairs::Target target;
  __device__ Pulled(const Pairs& pairs, const ActiveSums& to, const Active& t, std::size_t at, bool again)
      : slot(at),
        of_a(two_to(t.unit_a - (again ? to.shifts[2 * at] : 0))),
        of_j(two_to(t.unit_j - (again ? to.shifts[2 * at + 1] : 0))),
        target(t.x, t.v, t.near, pairs) {}
};

/// The pulls of those sources of a group that are `near`, in doubles. bodies.predict(source, x, v) finds a
/// source at the time of the active ones; bodies.mass(source), bodies.eps2().
template <class Bodies>
__device__ Pull near_pulls(const Bodies& bodies, const Part& part, unsigned first, unsigned near,
                           const Active& t) {
  Pull sum;
#pragma unroll 1
  for (unsigned i = first; near != 0; ++i, near >>= 1) {
    if ((near & 1) == 0) continue;
    const std::size_t source = part.first + i;
    double x[3], v[3];
    bodies.predict(source, x, v);
    for (unsigned c = 0; c < 3; ++c) x[c] -= t.x[c], v[c] -= t.v[c];
    add_pull(x, v, bodies.mass(source), bodies.eps2(), sum);
  }
  return sum;
}

/// Sums of pulls of the sources in shared memory on `count` active bodies; a thread has `several` of them.
/// `bodies`: see near_pulls; bodies.slot_of(k) is the slot of active body k. `limit`: the largest exponent of
/// the sum of a group.
template <unsigned several, class Pairs, class Bodies>
__device__ void add_pulls(const Bodies& bodies, const Pairs& pairs, const ActiveSums& to,
                          const typename Pairs::Sources& sources, unsigned count, const Part& part,
                          int limit) {
  const unsigned groups = (part.sources + group - 1) / group, sets = (count + several - 1) / several;
  const unsigned lanes = lanes_for(sets, groups), lane = threadIdx.x & ((1U << lanes) - 1);
  // Blocks begin with different bodies, so that they do not add to the same words at once.
  const unsigned start = sets > threads && sets < 1U << 24 ? blockIdx.x * sets / gridDim.x : 0;
  // The lanes of a warp go on together.
#pragma unroll 1
  for (unsigned turn = threadIdx.x; (turn & ~31U) < sets << lanes; turn += threads) {
    const unsigned k = turn >> lanes;
    const bool any = k < sets;
    const unsigned set = !any ? 0 : k + start < sets ? k + start : k + start - sets;
    const auto one = [&](unsigned t) {
      const unsigned at = set + t * sets;
      const auto slot = bodies.slot_of(at < count ? at : set);
      return Pulled<Pairs>(pairs, to, read(to.active + slot), slot, part.again);
    };
    const auto of_targets = [&]<unsigned... t>(std::integer_sequence<unsigned, t...>) {
      const Pulled<Pairs> pulled[several] = {one(t)...};
      const typename Pairs::Target targets[several] = {pulled[t].target...};
      Word sums[several][6]{};
      unsigned largest[several][2]{};  // upper words of the sums of groups
#pragma unroll 1
      for (unsigned g = any ? lane : groups; g < groups; g += 1U << lanes) {
        unsigned near[several]{};
        typename Pairs::Sum found[several]{};
        add_group<several>(pairs, sources, g, targets, found, near);
        for (unsigned i = 0; i < several; ++i) {
          const auto& own = pulled[i];
          const double of_a = own.of_a * pairs.of_a, of_j = own.of_j * pairs.of_j;
          double all[6];
          for (unsigned c = 0; c < 3; ++c) all[c] = found[i].a[c] * of_a, all[3 + c] = found[i].j[c] * of_j;
          if constexpr (Pairs::has_near_pairs)
            if (near[i] != 0) {
              const auto exact = near_pulls(bodies, part, g * group, near[i], to.active[own.slot]);
              for (unsigned c = 0; c < 3; ++c)
                all[c] = fma(exact.a[c], own.of_a, all[c]),
                all[3 + c] = fma(exact.j[c], own.of_j, all[3 + c]);
            }
          for (unsigned c = 0; c < 6; ++c) {
            const unsigned upper = upper_word(all[c]);
            if (upper > largest[i][c / 3]) largest[i][c / 3] = upper;
            sums[i][c] += static_cast<Word>(__double2ll_rn(all[c]));
          }
        }
      }
      for (unsigned i = 0; i < several; ++i) {
#pragma unroll 1
        for (unsigned of = 0; of < lanes; ++of)
          for (auto& sum : sums[i]) sum += __shfl_xor_sync(~0U, sum, 1 << of);
        const bool counts = any && set + i * sets < count;
        if (counts && lane == 0)
          for (unsigned c = 0; c < 6; ++c) atomicAdd(to.sums + 6 * pulled[i].slot + c, sums[i][c]);
        for (unsigned which = 0; which < 2; ++which)
          if (const int exponent = static_cast<int>(largest[i][which] >> 20) - 1023;
              counts && exponent > limit && !part.again) {
            atomicMax(to.shifts + 2 * pulled[i].slot + which, exponent - limit);
            atomicMax(to.misfit, part.pass);
          }
      }
    };
    of_targets(std::make_integer_sequence<unsigned, several>{});
  }
}

/// The same with as many bodies a thread as are fastest.
template <class Pairs, class Bodies>
__device__ void add_pulls(const Bodies& bodies, const Pairs& pairs, const ActiveSums& to,
                          const typename Pairs::Sources& sources, unsigned count, const Part& part,
                          int limit) {
  if (Pairs::at_most == 1 || count < 4 * threads)
    add_pulls<1>(bodies, pairs, to, sources, count, part, limit);
  else add_pulls<Pairs::at_most>(bodies, pairs, to, sources, count, part, limit);
}

}  // namespace pleiad::cuda::individual
