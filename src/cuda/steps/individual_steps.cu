/// Individual steps: Hermite's fourth order with block time steps by a grid that persists for thousands of
/// blocks of steps (the scheme of src/integrate/hermite4_block.cpp).
///
/// A block of threads owns some of the bodies. It lists and predicts those whose steps end at the next time,
/// and predicts all that it owns as sources. After a barrier of the grid each block sums the pulls of its own
/// sources on all active bodies: some lanes of a warp share a body, or two, and each has some groups of 16
/// sources. The sum of a group becomes an integer in a unit from the last acceleration of the body, and
/// integers are added without regard to their order, those of the lanes of a body first: thousands of
/// additions to one word of memory would take longer than all else. So the bits do not depend on the number
/// of blocks and threads. A sum of a group that does not fit has all of them made again in larger units.
/// After a second barrier the owners correct their active bodies. The next time is guessed from the finest
/// level of the step before, and the true one comes with the lists: a wrong guess costs a barrier. Cost on an
/// H200: 6 to 8 us with few active bodies, of which the barriers are a third, and n N / 4e11 s
/// (floats: 5.5e11) for n active bodies of N. Code is short on purpose: with unrolled rests of loops its
/// instructions were fetched for longer than they took.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/device/cuda.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/steps/individual_pairs.hpp"
#include "cuda/steps/individual_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace pleiad::cuda {
namespace {

using Word = unsigned long long;
using individual::group, individual::InDoubles, individual::InFloats, individual::Pull, individual::tile,
    individual::two_to;
constexpr unsigned threads = 256, listed_slots = 1024;
constexpr double third = 1.0 / 3, twelfth = 1.0 / 12;  // a division takes longer
constexpr Word ticks = Word{1} << finest_step;
constexpr std::string_view name = "cuda/individual-steps";

/// An active body at the next time, with the units of its sums: 2^-unit. A level beyond finest_step says that
/// no step is short enough.
struct alignas(16) Active {
  double x[3], v[3];
  int unit_a, unit_j;
  float near;  ///< see InFloats
};
/// In four loads: all blocks read the same few at once.
__device__ Active read(const Active* at) {
  Words parts[sizeof(Active) / sizeof(Words)];
  for (unsigned k = 0; k < sizeof(Active) / sizeof(Words); ++k)
    parts[k] = reinterpret_cast<const Words*>(at)[k];
  Active t;
  std::memcpy(&t, parts, sizeof t);
  return t;
}
struct alignas(8) Place {
  unsigned count, finest;  ///< active bodies of a block, and the finest level of its bodies
};

/// Memory of the grid.
struct Workplace {
  Active* active;     ///< [parity][block][place in its list]
  Place* places;      ///< [parity][block]
  Word* sums;         ///< [block][place in its list][6]
  unsigned* owned;    ///< [block][place in its list]: which of its bodies
  int* shifts;        ///< [block][place in its list][2]: by which powers of two its units are larger
  unsigned* counter;  ///< of the barrier
  unsigned* misfit;   ///< the last pass with a sum that did not fit
};

__device__ int exponent_of(double x) {
  const int e = static_cast<int>((__double_as_longlong(x) >> 52) & 0x7ff) - 1023;
  return e < -400 ? -400 : e;
}
__device__ double added(double high, double& low, double increment) {
  const double part = increment + low, all = high + part, rest = all - high;
  low = (high - (all - rest)) + (part - rest);
  return all;
}
/// Time since the step of a body of this level began, which goes on at or beyond `now`.
__device__ Word since(Word now, int level) { return ((now - 1) & ((ticks >> level) - 1)) + 1; }

/// From the last step of a body of this level to `next`.
__device__ double time_of(const IndividualProblem& p, Word next, int level) {
  return static_cast<double>(since(next, level)) * two_to(-finest_step) * p.dt;
}

__device__ void predict(const IndividualProblem& p, std::size_t i, double h, double (&x)[3], double (&v)[3]) {
  const std::size_t n = p.bodies;
  for (unsigned c = 0; c < 3; ++c) {
    const double* const s = p.state + i;
    const double going = s[(3 + c) * n], a = s[(6 + c) * n], j = s[(9 + c) * n];
    x[c] = fma(h, fma(h / 2, fma(h * third, j, a), going), s[c * n]);
    v[c] = fma(h, fma(h / 2, j, a), going);
  }
}

/// Aarseth's criterion: the square of the step is eta above / below.
struct Ratio {
  double above, below;
};
__device__ Ratio ratio_of(const double (&a)[3], const double (&j)[3], const double (&s)[3],
                          const double (&c)[3]) {
  const auto length = [](const double(&x)[3]) {
    const double x2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    return x2 > 1e-300 ? x2 * individual::inverse_root(x2) : 0.0;
  };
  const double jerk = length(j), snap = length(s);
  return {length(a) * snap + jerk * jerk, jerk * length(c) + snap * snap};
}

/// A body at the last end of a step, and the sums of pulls at the next one.
struct Moved {
  std::size_t body;
  double state[numbers_of_state];
  int level;
  long long sums[6];
};

/// Corrects a body at the end of its step; returns its next level: see Active.
__device__ int correct(const IndividualProblem& p, const Moved& body, Word end, const double (&a1)[3],
                       const double (&j1)[3]) {
  const std::size_t n = p.bodies;
  int level = body.level;
  const double h = p.dt * two_to(-level), rate = two_to(level) / p.dt, d2 = rate * rate, d3 = d2 * rate;
  double snap[3], crackle[3];
  for (unsigned c = 0; c < 3; ++c) {
    double* const s = p.state + body.body;
    const auto& was = body.state;
    const double a0 = was[6 + c], j0 = was[9 + c], v0 = was[3 + c];
    double low_x = was[12 + c], low_v = was[15 + c];
    const double dv = h / 2 * (a0 + a1[c]) + h * h * twelfth * (j0 - j1[c]);
    const double dx = h * (v0 + 0.5 * dv) + h * h * twelfth * (a0 - a1[c]) + h * low_v;
    s[c * n] = added(was[c], low_x, dx), s[(3 + c) * n] = added(v0, low_v, dv);
    s[(12 + c) * n] = low_x, s[(15 + c) * n] = low_v;
    s[(6 + c) * n] = a1[c], s[(9 + c) * n] = j1[c];
    crackle[c] = d3 * (12 * (a0 - a1[c]) + 6 * h * (j0 + j1[c]));
    snap[c] = d2 * (-6 * (a0 - a1[c]) - h * (4 * j0 + 2 * j1[c])) + h * crackle[c];
  }
  const auto [above, below] = ratio_of(a1, j1, snap, crackle);
  const double square = p.eta * above;  // a root takes longer
  if (level > 0 && square >= 4 * h * h * below && (end & ((ticks >> (level - 1)) - 1)) == 0) --level;
  const auto too_long = [&] {
    const double step = p.dt * two_to(-level);
    return step * step * below > square;
  };
  while (level <= finest_step && too_long()) ++level;
  return level;
}

struct Lists {
  unsigned before[threads + 1];  ///< active bodies of the blocks before each
  unsigned of_warp[threads / 32], deepest_of_warp[threads / 32];
  /// What the first active bodies of the block have in Workplace and Active.
  unsigned owned[threads];
  int units[threads][2];
  unsigned slots[listed_slots];  ///< of the first active bodies of the grid
};
template <class Pairs>
struct Shared : Lists {
  alignas(16) typename Pairs::Sources sources;
};

/// The exclusive prefix sum over the threads of the block, with the total and the largest level in every
/// thread.
__device__ unsigned before_this(unsigned mine, unsigned level, Lists& s, unsigned& all, unsigned& deepest) {
  unsigned sum = mine;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned k = 1; k < 32; k *= 2) {
    const unsigned other = __shfl_up_sync(~0U, sum, k);
    if (lane >= k) sum += other;
    const unsigned another = __shfl_xor_sync(~0U, level, static_cast<int>(k));
    if (another > level) level = another;
  }
  __syncthreads();
  if (lane == 31) s.of_warp[warp] = sum, s.deepest_of_warp[warp] = level;
  __syncthreads();
  unsigned before = 0;
  all = deepest = 0;
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w < warp) before += s.of_warp[w];
    all += s.of_warp[w];
    if (s.deepest_of_warp[w] > deepest) deepest = s.deepest_of_warp[w];
  }
  return before + sum - mine;
}

/// How many lanes of a warp share a body, or some: 2^this. The groups of sources are dealt among them so that
/// threads have the same work. The bits are the same.
__device__ unsigned lanes_for(unsigned count, unsigned groups) {
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

/// Where in a launch: the time of the active bodies, the first source in shared memory, how many are there,
/// and the number of the pass.
struct Part {
  Word next;
  std::size_t first;
  unsigned sources, pass;
  bool again;
};

/// The upper word of a number without its sign: larger of larger numbers.
__device__ unsigned upper_word(double x) {
  return static_cast<unsigned>(static_cast<Word>(__double_as_longlong(x)) >> 32) & 0x7fffffffU;
}
/// Where active body `at` of the grid is in the lists of the blocks.
__device__ std::size_t slot_of(const Lists& s, unsigned at, unsigned count, unsigned each) {
  if (count <= listed_slots) return s.slots[at];
  unsigned low = 0, high = gridDim.x;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (s.before[middle] <= at) low = middle;
    else high = middle;
  }
  return std::size_t{low} * each + (at - s.before[low]);
}

/// An active body with the units of its sums.
template <class Pairs>
struct Pulled {
  std::size_t slot;
  double of_a, of_j;
  typename Pairs::Target target;
  __device__ Pulled(const Pairs& pairs, const Workplace& w, const Active& t, std::size_t at, bool again)
      : slot(at),
        of_a(two_to(t.unit_a - (again ? w.shifts[2 * at] : 0))),
        of_j(two_to(t.unit_j - (again ? w.shifts[2 * at + 1] : 0))),
        target(t.x, t.v, t.near, pairs) {}
};

/// The pulls of those sources of a group that are `near`, in doubles.
__device__ Pull near_pulls(const IndividualProblem& p, const Part& part, unsigned first, unsigned near,
                           const Active& t) {
  Pull sum;
#pragma unroll 1
  for (unsigned i = first; near != 0; ++i, near >>= 1) {
    if ((near & 1) == 0) continue;
    const std::size_t source = part.first + i;
    double x[3], v[3];
    predict(p, source, time_of(p, part.next, p.levels[source]), x, v);
    for (unsigned c = 0; c < 3; ++c) x[c] -= t.x[c], v[c] -= t.v[c];
    individual::add_pull(x, v, p.mass[source], p.eps2, sum);
  }
  return sum;
}

/// Sums of pulls of the sources in shared memory on all active bodies; a thread has `several` of them.
template <unsigned several, class Pairs>
__device__ void add_pulls(const IndividualProblem& p, const Pairs& pairs, const Workplace& w,
                          const Shared<Pairs>& s, const Active* active, unsigned count, unsigned each,
                          const Part& part, int limit) {
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
      const auto slot = slot_of(s, at < count ? at : set, count, each);
      return Pulled<Pairs>(pairs, w, read(active + slot), slot, part.again);
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
        individual::add_group<several>(pairs, s.sources, g, targets, found, near);
        for (unsigned i = 0; i < several; ++i) {
          const auto& to = pulled[i];
          const double of_a = to.of_a * pairs.of_a, of_j = to.of_j * pairs.of_j;
          double all[6];
          for (unsigned c = 0; c < 3; ++c) all[c] = found[i].a[c] * of_a, all[3 + c] = found[i].j[c] * of_j;
          if constexpr (Pairs::has_near_pairs)
            if (near[i] != 0) {
              const auto exact = near_pulls(p, part, g * group, near[i], active[to.slot]);
              for (unsigned c = 0; c < 3; ++c)
                all[c] = fma(exact.a[c], to.of_a, all[c]), all[3 + c] = fma(exact.j[c], to.of_j, all[3 + c]);
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
          for (unsigned c = 0; c < 6; ++c) atomicAdd(w.sums + 6 * pulled[i].slot + c, sums[i][c]);
        for (unsigned which = 0; which < 2; ++which)
          if (const int exponent = static_cast<int>(largest[i][which] >> 20) - 1023;
              counts && exponent > limit && !part.again) {
            atomicMax(w.shifts + 2 * pulled[i].slot + which, exponent - limit);
            atomicMax(w.misfit, part.pass);
          }
      }
    };
    of_targets(std::make_integer_sequence<unsigned, several>{});
  }
}

/// The units of a body are 2^-13 to 2^-12 of what the sum of a group may be: that much larger than the last
/// sum of all may one become. 2^-33 of the last sum with a million bodies, and less with fewer.
constexpr int room_of_sums = 12;

/// `each`: bodies of a block; `limit`: the largest exponent of the sum of a group.
template <class Pairs>
__global__ void __launch_bounds__(threads, 1)
    steps_of_bodies(const IndividualProblem p, const Workplace w, unsigned each, int limit) {
  auto& s = *dynamic_shared<Shared<Pairs>>();
  GridBarrier barrier(w.counter);
  const Pairs pairs(p);
  const unsigned n = static_cast<unsigned>(p.bodies), pulling = static_cast<unsigned>(p.pulling),
                 block = blockIdx.x, first = block * each < n ? block * each : n,
                 own = n - first < each ? n - first : each;
  // A thread looks at neighbours, so that the list is in their order.
  const unsigned a_thread = (own + threads - 1) / threads,
                 begin = threadIdx.x * a_thread < own ? threadIdx.x * a_thread : own,
                 end = own - begin < a_thread ? own : begin + a_thread;
  const unsigned own_sources = first >= pulling        ? 0
                               : pulling - first < own ? pulling - first
                                                       : own,
                 all_sources = (own_sources + group - 1) / group * group;
  Word now = p.progress->now, blocks = 0, moves = 0, redone = 0;
  unsigned finest = p.progress->finest, turn = 0, pass = 0;
  if (finest > finest_step) finest = finest_step;
  bool shrunk = false;
  const double per_dt = 1 / p.dt;
  barrier.wait();  // all have read what block 0 writes at the end
  while (now < p.end && blocks < p.most_blocks && !shrunk) {
    const Word size = ticks >> finest, next = (now & ~(size - 1)) + size;
    const int last_bit = 63 - __clzll(static_cast<long long>(next & (~next + 1)));
    const int least = last_bit >= finest_step ? 0 : finest_step - last_bit;
    ++turn;
    const std::size_t parity = turn % 2;
    Active* const active = w.active + parity * gridDim.x * each;
    Place* const places = w.places + parity * gridDim.x;
    // A last group is filled up with sources that do not pull.
    const auto predict_tile = [&](unsigned from) {
#pragma unroll 1
      for (unsigned k = from + threadIdx.x; k < all_sources && k < from + tile; k += threads) {
        double x[3]{}, v[3]{}, m = 0;
        if (k < own_sources)
          predict(p, first + k, time_of(p, next, p.levels[first + k]), x, v), m = p.mass[first + k];
        s.sources.put(k - from, x, v, m, pairs);
      }
    };
    predict_tile(0);
    unsigned count = 0, deepest = 0;
#pragma unroll 1
    for (unsigned k = begin; k < end; ++k) {
      const unsigned level = p.levels[first + k];
      if (level > deepest) deepest = level;
      count += static_cast<int>(level) >= least ? 1 : 0;
    }
    unsigned listed = 0, own_finest = 0;
    unsigned at = before_this(count, deepest, s, listed, own_finest);
#pragma unroll 1
    for (unsigned k = begin; k < end && count > 0; ++k) {
      const int level = p.levels[first + k];
      if (level < least) continue;
      const double h = p.dt * two_to(-level);
      const std::size_t slot = std::size_t{block} * each + at;
      Active t{};
      predict(p, first + k, h, t.x, t.v);
      double a = 0, j = 0;
      for (unsigned c = 0; c < 3; ++c) {
        a += fabs(p.state[(6 + c) * p.bodies + first + k]);
        j += fabs(p.state[(9 + c) * p.bodies + first + k]);
      }
      t.unit_a = limit - room_of_sums - exponent_of(a);
      t.unit_j = limit - room_of_sums - exponent_of(j + a * (two_to(level) * per_dt));
      if constexpr (Pairs::has_near_pairs)
        t.near = divide_approx(static_cast<float>(16 * two_to(p.units.mass - 2 * p.units.length)),
                               static_cast<float>(a));
      active[slot] = t;
      w.owned[slot] = k;
      if (at < threads) s.owned[at] = k, s.units[at][0] = t.unit_a, s.units[at][1] = t.unit_j;
      ++at;
      w.shifts[2 * slot] = w.shifts[2 * slot + 1] = 0;
      for (unsigned c = 0; c < 6; ++c) w.sums[6 * slot + c] = 0;
    }
    if (threadIdx.x == 0) places[block] = {listed, own_finest};
    barrier.wait();

    const Place mine = threadIdx.x < gridDim.x ? places[threadIdx.x] : Place{0, 0};
    unsigned total = 0, known = 0;
    const unsigned before = before_this(mine.count, mine.finest, s, total, known);
    if (threadIdx.x < gridDim.x) {
      s.before[threadIdx.x] = before;
      if (total <= listed_slots)
#pragma unroll 1
        for (unsigned k = 0; k < mine.count; ++k) s.slots[before + k] = threadIdx.x * each + k;
    }
    __syncthreads();
    const bool guessed = known <= finest;
    finest = known;
    shrunk = known > finest_step;
    if (!guessed || shrunk) {
      __syncthreads();
      continue;
    }
    now = next;
    if (total == 0) {
      __syncthreads();
      continue;
    }
    for (bool again = false;; again = true) {
      ++pass;
#pragma unroll 1
      for (unsigned from = 0; from < own_sources; from += tile) {
        if (own_sources > tile && (from > 0 || again)) {
          __syncthreads();
          predict_tile(from);
          __syncthreads();
        }
        const unsigned left = own_sources - from;
        const Part part{.next = next,
                        .first = std::size_t{first} + from,
                        .sources = left < tile ? left : tile,
                        .pass = pass,
                        .again = again};
        if (Pairs::at_most == 1 || total < 4 * threads)
          add_pulls<1>(p, pairs, w, s, active, total, each, part, limit);
        else add_pulls<Pairs::at_most>(p, pairs, w, s, active, total, each, part, limit);
      }
      barrier.wait();
      const unsigned misfit = *static_cast<volatile unsigned*>(w.misfit);
      // What is read of a body is requested before it is known whether the sums count.
      const auto moved = [&](unsigned k) {
        const std::size_t slot = std::size_t{block} * each + k;
        Moved m{};
        m.body = first + (k < threads ? s.owned[k] : w.owned[slot]);
        for (unsigned c = 0; c < 6; ++c) m.sums[c] = static_cast<long long>(w.sums[6 * slot + c]);
        for (unsigned c = 0; c < numbers_of_state; ++c) m.state[c] = p.state[c * p.bodies + m.body];
        m.level = p.levels[m.body];
        return m;
      };
      Moved body{};
      if (threadIdx.x < listed) body = moved(threadIdx.x);
      if (misfit != pass) {
#pragma unroll 1
        for (unsigned k = threadIdx.x; k < listed; k += threads) {
          if (k >= threads) body = moved(k);
          const std::size_t slot = std::size_t{block} * each + k;
          int unit_a = k < threads ? s.units[k][0] : active[slot].unit_a,
              unit_j = k < threads ? s.units[k][1] : active[slot].unit_j;
          if (again) unit_a -= w.shifts[2 * slot], unit_j -= w.shifts[2 * slot + 1];
          const double of_a = two_to(-unit_a), of_j = two_to(-unit_j);
          double a[3], j[3];
          for (unsigned c = 0; c < 3; ++c)
            a[c] = static_cast<double>(body.sums[c]) * of_a,
            j[c] = static_cast<double>(body.sums[3 + c]) * of_j;
          p.levels[body.body] = static_cast<unsigned char>(correct(p, body, now, a, j));
        }
        break;
      }
      ++redone;
      for (unsigned k = threadIdx.x; k < 6 * listed; k += threads)
        w.sums[6 * std::size_t{block} * each + k] = 0;
      barrier.wait();
    }
    __syncthreads();
    ++blocks, moves += total;
  }
  barrier.wait();
  if (block == 0 && threadIdx.x == 0) {
    auto& done = *p.progress;
    done.now = now, done.blocks += blocks, done.moves += moves, done.redone += redone, done.finest = finest;
    done.shrunk = shrunk ? 1 : 0;
  }
}

/// Each thread has a body.
__global__ void accelerations_and_jerks(const IndividualProblem p) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, n = p.bodies;
  if (i >= n) return;
  Pull sum;
  for (std::size_t k = 0; k < p.pulling; ++k) {
    double d[3], u[3];
    for (unsigned c = 0; c < 3; ++c) {
      d[c] = p.state[c * n + k] - p.state[c * n + i];
      u[c] = p.state[(3 + c) * n + k] - p.state[(3 + c) * n + i];
    }
    individual::add_pull(d, u, p.mass[k], p.eps2, sum);
  }
  for (unsigned c = 0; c < 3; ++c) p.state[(6 + c) * n + i] = sum.a[c], p.state[(9 + c) * n + i] = sum.j[c];
}

__global__ void first_steps(const IndividualProblem p) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, n = p.bodies;
  if (i >= n) return;
  double snap[3]{}, crackle[3]{}, a[3], j[3];
  for (unsigned c = 0; c < 3; ++c) a[c] = p.state[(6 + c) * n + i], j[c] = p.state[(9 + c) * n + i];
  const auto dot = [](const double(&x)[3], const double(&y)[3]) {
    return fma(x[2], y[2], fma(x[1], y[1], x[0] * y[0]));
  };
  for (std::size_t k = 0; k < p.pulling; ++k) {
    double d[4][3];
    for (unsigned q = 0; q < 4; ++q)
      for (unsigned c = 0; c < 3; ++c) d[q][c] = p.state[(3 * q + c) * n + k] - p.state[(3 * q + c) * n + i];
    const auto f = individual::powers_of(p.mass[k], dot(d[0], d[0]) + p.eps2);
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
  const auto [above, below] = ratio_of(a, j, snap, crackle);
  p.steps[i] = below > 0 ? sqrt(p.eta * above / below) : 1e300;
}

/// One block, in a fixed order.
__global__ void __launch_bounds__(1024) mean_velocity(const IndividualProblem p) {
  auto& of_warp = *dynamic_shared<double[32][4]>();
  double sums[4]{};
  for (std::size_t i = threadIdx.x; i < p.pulling; i += blockDim.x) {
    for (unsigned c = 0; c < 3; ++c) sums[c] = fma(p.mass[i], p.state[(3 + c) * p.bodies + i], sums[c]);
    sums[3] += p.mass[i];
  }
  for (auto& sum : sums)
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0U, sum, k);
  if (threadIdx.x % 32 == 0)
    for (unsigned c = 0; c < 4; ++c) of_warp[threadIdx.x / 32][c] = sums[c];
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned w = 1; w < blockDim.x / 32; ++w)
    for (unsigned c = 0; c < 4; ++c) sums[c] += of_warp[w][c];
  for (unsigned c = 0; c < 3; ++c) p.mean_velocity[c] = sums[3] > 0 ? sums[c] / sums[3] : 0;
}

__global__ void levels_of_steps(const IndividualProblem p) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= p.bodies) return;
  int level = 0;
  while (level < finest_step && p.dt * two_to(-level) > p.steps[i]) ++level;
  p.levels[i] = static_cast<unsigned char>(level);
}

__global__ void lengths_of_steps(const IndividualProblem p) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < p.bodies) p.steps[i] = p.dt * two_to(-p.levels[i]);
}

__global__ void bodies_of_steps(const IndividualProblem p, const unsigned* place, Mass<double>* x,
                                Vec4<double>* v) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, n = p.bodies;
  if (i >= n) return;
  const double* const s = p.state + i;
  auto& at = x[place[i]];
  at = {s[0], s[n], s[2 * n], at.m};
  v[place[i]] = {s[3 * n], s[4 * n], s[5 * n], 0};
}

__global__ void reversed_velocities(const IndividualProblem p) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, n = p.bodies;
  if (i >= n) return;
  for (const std::size_t c : {3, 4, 5, 15, 16, 17}) p.state[c * n + i] = -p.state[c * n + i];
}

Grid a_body_each(const IndividualProblem& p) { return {.blocks = ceil_div(p.bodies, 128), .threads = 128}; }

/// How many blocks of threads there are, and how many bodies each has.
struct Division {
  Grid grid;
  unsigned each = 0;
  std::size_t slots() const { return std::size_t{grid.blocks} * each; }
};
const void* kernel_of(const IndividualProblem& p) {
  return p.in_floats ? reinterpret_cast<const void*>(steps_of_bodies<InFloats>)
                     : reinterpret_cast<const void*>(steps_of_bodies<InDoubles>);
}
Division division_of(const IndividualProblem& p) {
  const std::size_t shared = p.in_floats ? sizeof(Shared<InFloats>) : sizeof(Shared<InDoubles>);
  Division d{.grid = {.threads = threads, .shared_bytes = unsigned(shared), .together = true}};
  const unsigned most = std::min(threads, coresident_blocks(kernel_of(p), name, d.grid));
  // With fewer bodies a block, barriers and additions of more blocks cost more than they save.
  const unsigned wanted = p.grid > 0 ? p.grid : ceil_div(p.bodies, 2 * group);
  d.grid.blocks = std::clamp(wanted, 1U, std::max(most, 1U));
  // Groups are the same whatever the grid.
  d.each = ceil_div(ceil_div(p.bodies, group), d.grid.blocks) * group;
  return d;
}

/// The parts of the workplace, which begins at `memory`, and its bytes.
std::pair<Workplace, std::size_t> workplace_of(const Division& d, void* memory) {
  std::size_t bytes = 0;
  const auto part = [&]<class T>(T*& at, std::size_t count) {
    at = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(memory) + bytes);
    bytes += (count * sizeof(T) + 255) / 256 * 256;
  };
  Workplace w{};
  part(w.counter, 2);
  part(w.active, 2 * d.slots());
  part(w.places, 2 * std::size_t{d.grid.blocks});
  part(w.sums, 6 * d.slots());
  part(w.owned, d.slots());
  part(w.shifts, 2 * d.slots());
  w.misfit = w.counter + 1;
  return {w, bytes};
}

}  // namespace

std::size_t bytes_of_workplace(const IndividualProblem& p) {
  return workplace_of(division_of(p), nullptr).second;
}
void find_accelerations_and_jerks(const IndividualProblem& p) {
  launch(name, accelerations_and_jerks, a_body_each(p), p.stream, p);
}
void find_first_steps(const IndividualProblem& p) { launch(name, first_steps, a_body_each(p), p.stream, p); }
void find_mean_velocity(const IndividualProblem& p) {
  const Grid one{.blocks = 1, .threads = 1024, .shared_bytes = sizeof(double[32][4])};
  launch(name, mean_velocity, one, p.stream, p);
}
void find_levels(const IndividualProblem& p) { launch(name, levels_of_steps, a_body_each(p), p.stream, p); }
void find_lengths(const IndividualProblem& p) { launch(name, lengths_of_steps, a_body_each(p), p.stream, p); }
void give_bodies(const IndividualProblem& p, const unsigned* place, Mass<double>* positions,
                 Vec4<double>* velocities) {
  launch(name, bodies_of_steps, a_body_each(p), p.stream, p, place, positions, velocities);
}
void reverse_velocities(const IndividualProblem& p) {
  launch(name, reversed_velocities, a_body_each(p), p.stream, p);
}

void individual_steps(const IndividualProblem& p) {
  if (p.bodies == 0) return;
  const auto d = division_of(p);
  const auto w = workplace_of(d, p.workplace).first;
  fill(w.counter, 0, 2 * sizeof *w.counter, p.stream);
  // The sum of all groups fits where each is below this.
  int limit = 61;
  for (std::size_t k = 1; k < ceil_div(p.bodies, group); k *= 2) --limit;
  if (p.in_floats) launch(name, steps_of_bodies<InFloats>, d.grid, p.stream, p, w, d.each, limit);
  else launch(name, steps_of_bodies<InDoubles>, d.grid, p.stream, p, w, d.each, limit);
}

}  // namespace pleiad::cuda
