/// The sums of pulls of a group of sources for individual steps: all in doubles, or pairs that matter little
/// in floats.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/steps/individual_steps.hpp"

#include <pleiad/vec.hpp>

namespace pleiad::cuda::individual {

/// Sources of which a sum is formed before it becomes an integer, those in shared memory at once, and the
/// pairs that a thread computes at once.
inline constexpr unsigned group = 16, tile = 768;
/// Where a source is in shared memory: behind each group is a gap, so that lanes may read several groups at
/// once without conflicts of banks.
inline constexpr unsigned gap = 2, places = tile / group * (group + gap);
__device__ inline unsigned place_of(unsigned k) { return k + k / group * gap; }

/// 2^exponent.
__device__ inline double two_to(int exponent) {
  return __longlong_as_double(static_cast<long long>(1023 + exponent) << 52);
}

/// 1 / sqrt(x) of a normal number, within some units in the last place.
__device__ inline double inverse_root(double x) {
  const double y0 = rsqrt_approx(x), e = fma(-x, y0 * y0, 1.0);
  return fma(y0 * e, fma(0.375, e, 0.5), y0);
}

struct Powers {
  double cube, square;
};
/// m / r^3 and r^-2; 0 and 1 of coincident bodies. Without a branch, so that a thread computes several pairs
/// at once.
__device__ inline Powers powers_of(double m, double r2) {
  const bool apart = r2 > 1e-200;
  const double y = inverse_root(apart ? r2 : 1.0), square = y * y;
  return {(apart ? m : 0.0) * y * square, square};
}

/// Acceleration and jerk.
struct Pull {
  double a[3]{}, j[3]{};
};
/// Adds the pull of a mass at d that goes at u. Coincident bodies do not pull.
__device__ inline void add_pull(const double (&d)[3], const double (&u)[3], double m, double eps2, Pull& p) {
  const double r2 = fma(d[2], d[2], fma(d[1], d[1], fma(d[0], d[0], eps2)));
  const double along = fma(d[2], u[2], fma(d[1], u[1], d[0] * u[0]));
  const auto f = powers_of(m, r2);
  const double rate = -3 * along * f.square;
  for (unsigned c = 0; c < 3; ++c) {
    p.a[c] = fma(d[c], f.cube, p.a[c]);
    p.j[c] = fma(fma(rate, d[c], u[c]), f.cube, p.j[c]);
  }
}

/// All pairs in doubles.
struct InDoubles {
  static constexpr bool has_near_pairs = false;
  static constexpr unsigned at_most = 1;  ///< targets of a thread
  static constexpr double of_a = 1, of_j = 1;

  struct Sources {
    double of[7][places];
    __device__ void put(unsigned number, const double (&x)[3], const double (&v)[3], double m,
                        const InDoubles&) {
      const unsigned k = place_of(number);
      for (unsigned c = 0; c < 3; ++c) of[c][k] = x[c], of[3 + c][k] = v[c];
      of[6][k] = m;
    }
  };
  struct Target {
    double x[3], v[3];
    /// `near`: see InFloats.
    __device__ Target(const double (&place)[3], const double (&going)[3], float /*near*/, const InDoubles&)
        : x{place[0], place[1], place[2]}, v{going[0], going[1], going[2]} {}
  };
  using Sum = Pull;

  double eps2;
  /// Problem: has this, and what InFloats takes.
  template <class Problem>
  __device__ explicit InDoubles(const Problem& p) : eps2(p.eps2) {}

  /// Adds the pull of source i.
  __device__ void add(const Sources& s, unsigned i, unsigned /*bit*/, const Target& t, Sum& sum,
                      unsigned& /*near*/) const {
    double d[3], u[3];
    for (unsigned c = 0; c < 3; ++c) d[c] = s.of[c][i] - t.x[c], u[c] = s.of[3 + c][i] - t.v[c];
    add_pull(d, u, s.of[6][i], eps2, sum);
  }
};

/// Differences of positions from pairs of floats, those of velocities, powers and sums in floats. A pair
/// whose pull is more than a sixteenth of what the target had last is left to doubles. So the rounding
/// errors, 2^-23 of a pull, are 2^-27 of the whole one at most for each pair. Velocities are relative to the
/// mean one, so that they are as small as differences.
struct InFloats {
  static constexpr bool has_near_pairs = true;
  static constexpr unsigned at_most = 2;  ///< so that sources are read half as often

  /// A number in units, as a float and the rest.
  struct Parts {
    float high[3], low[3];
    __device__ Parts(const double (&x)[3], double per_unit) {
      for (unsigned c = 0; c < 3; ++c) {
        const double scaled = x[c] * per_unit;
        high[c] = static_cast<float>(scaled), low[c] = static_cast<float>(scaled - high[c]);
      }
    }
  };
  struct alignas(8) Two {
    float x, y;
  };
  struct Sources {
    Vec4<float> place[places];  ///< upper parts of the position, and the mass
    Vec4<float> rest[places];   ///< lower parts, and the velocity's x
    Two going[places];          ///< its y and z
    __device__ void put(unsigned number, const double (&x)[3], const double (&v)[3], double m,
                        const InFloats& in) {
      const unsigned k = place_of(number);
      const Parts q(x, in.per_length);
      place[k] = {q.high[0], q.high[1], q.high[2], static_cast<float>(m * in.per_mass)};
      rest[k] = {q.low[0], q.low[1], q.low[2], in.velocity(v, 0)};
      going[k] = {in.velocity(v, 1), in.velocity(v, 2)};
    }
  };
  struct Target {
    Parts x;
    float v[3], near;
    /// `limit`: a pair is left to doubles where r^2 is less than that times the mass, in units.
    __device__ Target(const double (&place)[3], const double (&going)[3], float limit, const InFloats& in)
        : x(place, in.per_length),
          v{in.velocity(going, 0), in.velocity(going, 1), in.velocity(going, 2)},
          near(limit) {}
  };
  /// In units.
  struct Sum {
    float a[3]{}, j[3]{};
  };

  double per_length, per_velocity, per_mass, of_a, of_j, mean[3];
  float eps2;
  /// Problem: IndividualProblem, or has the same units and mean velocity.
  template <class Problem>
  __device__ explicit InFloats(const Problem& p)
      : per_length(two_to(-p.units.length)),
        per_velocity(two_to(-p.units.velocity)),
        per_mass(two_to(-p.units.mass)),
        of_a(two_to(p.units.mass - 2 * p.units.length)),
        of_j(two_to(p.units.mass - 3 * p.units.length + p.units.velocity)),
        mean{p.mean_velocity[0], p.mean_velocity[1], p.mean_velocity[2]},
        eps2(static_cast<float>(p.eps2 * two_to(-2 * p.units.length))) {}
  __device__ float velocity(const double (&v)[3], unsigned c) const {
    return static_cast<float>((v[c] - mean[c]) * per_velocity);
  }

  /// Adds the pull of source i, or sets `bit` in `near`.
  __device__ void add(const Sources& s, unsigned i, unsigned bit, const Target& t, Sum& sum,
                      unsigned& near) const {
    const auto q = s.place[i], r = s.rest[i];
    const auto w = s.going[i];
    const auto &high = t.x.high, &low = t.x.low;
    const float d[3] = {(q.x - high[0]) + (r.x - low[0]), (q.y - high[1]) + (r.y - low[1]),
                        (q.z - high[2]) + (r.z - low[2])},
                u[3] = {r.w - t.v[0], w.x - t.v[1], w.y - t.v[2]};
    const float r2 = fma_rn(d[2], d[2], fma_rn(d[1], d[1], fma_rn(d[0], d[0], eps2)));
    const float along = fma_rn(d[2], u[2], fma_rn(d[1], u[1], d[0] * u[0]));
    const bool is_near = !(fma_rn(-t.near, q.w, r2) > 0);
    if (is_near) near |= bit;
    // 0 of near ones, which may coincide.
    const float y = is_near ? 0 : rsqrt_approx(r2), square = y * y, cube = q.w * y * square,
                rate = -3 * along * square;
    for (unsigned c = 0; c < 3; ++c) {
      sum.a[c] = fma_rn(d[c], cube, sum.a[c]);
      sum.j[c] = fma_rn(fma_rn(rate, d[c], u[c]), cube, sum.j[c]);
    }
  }
};

/// Adds the pulls of a group of sources on `count` targets.
template <unsigned count, class Pairs>
__device__ void add_group(const Pairs& pairs, const typename Pairs::Sources& s, unsigned number,
                          const typename Pairs::Target (&targets)[count], typename Pairs::Sum (&sums)[count],
                          unsigned (&near)[count]) {
  constexpr unsigned at_once = 8 / count;
  const unsigned first = place_of(number * group);
#pragma unroll 1
  for (unsigned some = 0; some < group; some += at_once)
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k)
#pragma unroll
      for (unsigned t = 0; t < count; ++t)
        pairs.add(s, first + some + k, 1U << (some + k), targets[t], sums[t], near[t]);
}

}  // namespace pleiad::cuda::individual
