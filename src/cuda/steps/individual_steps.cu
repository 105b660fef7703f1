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
#include "cuda/steps/individual_sums.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace pleiad::cuda {
namespace {

using individual::Active, individual::group, individual::InDoubles, individual::InFloats, individual::Part,
    individual::Pull, individual::threads, individual::tile, individual::two_to, individual::Word;
constexpr unsigned listed_slots = 1024;
constexpr double twelfth = 1.0 / 12;  // a division takes longer
constexpr Word ticks = Word{1} << finest_step;
constexpr std::string_view name = "cuda/individual-steps";

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
  individual::predict(p.state + i, p.bodies, h, x, v);
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

/// The bodies at the next time, for sums.
struct AtNext {
  const IndividualProblem& p;
  const Lists& lists;
  Word next;
  unsigned count, each;
  __device__ std::size_t slot_of(unsigned at) const { return cuda::slot_of(lists, at, count, each); }
  __device__ void predict(std::size_t source, double (&x)[3], double (&v)[3]) const {
    cuda::predict(p, source, time_of(p, next, p.levels[source]), x, v);
  }
  __device__ double mass(std::size_t source) const { return p.mass[source]; }
  __device__ double eps2() const { return p.eps2; }
};

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
      const double per_near = Pairs::has_near_pairs ? 16 * two_to(p.units.mass - 2 * p.units.length) : 0;
      individual::set_units(a, j, two_to(level) * per_dt, limit, per_near, t);
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
        const Part part{.first = std::size_t{first} + from,
                        .sources = left < tile ? left : tile,
                        .pass = pass,
                        .again = again};
        const AtNext bodies{.p = p, .lists = s, .next = next, .count = total, .each = each};
        individual::add_pulls(bodies, pairs, {active, w.sums, w.shifts, w.misfit}, s.sources, total, part,
                              limit);
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
  double snap[3], crackle[3], a[3], j[3];
  for (unsigned c = 0; c < 3; ++c) a[c] = p.state[(6 + c) * n + i], j[c] = p.state[(9 + c) * n + i];
  individual::sum_snap_and_crackle(p.state, n, p.mass, p.pulling, p.eps2, i, snap, crackle);
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
  const int limit = individual::limit_for(p.bodies);
  if (p.in_floats) launch(name, steps_of_bodies<InFloats>, d.grid, p.stream, p, w, d.each, limit);
  else launch(name, steps_of_bodies<InDoubles>, d.grid, p.stream, p, w, d.each, limit);
}

}  // namespace pleiad::cuda
