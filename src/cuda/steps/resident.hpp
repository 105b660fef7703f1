/// Fused steps of bodies that all live in shared memory: several threads per body, one barrier an evaluation.
///
/// S lanes share the sources of K targets and pass their sums on by shuffles (lanes.hpp), at whose end a lane
/// has one number of one target: it keeps that number's place and velocity in registers, makes its kicks and
/// drifts, and writes where it went into one of two copies of the places, the other of which is being read.
/// A team, of one block or of several, has its own barrier, and writes into every block of it.
/// A step's cost at n bodies and T lanes on a multiprocessor: n^2 / T (1 / K loads, 13 slots, loop), some 25
/// slots of shuffles, and the latencies of one load, log2 S shuffles, one store and the barrier.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/steps/lanes.hpp"
#include "cuda/steps/place.hpp"
#include "cuda/steps/program.hpp"
#include "cuda/steps/shape.hpp"

namespace pleiad::cuda {

/// The threads of one block: a lane writes the one number that it has.
template <class P>
class OneBlock {
 public:
  static constexpr bool sends = false;
  __device__ OneBlock(void*, unsigned) {}
  __device__ static unsigned rank() { return 0; }
  __device__ static unsigned blocks() { return 1; }
  __device__ static void barrier() { __syncthreads(); }
  __device__ static unsigned with_bodies(unsigned, unsigned) { return 1; }
};

/// Number of places that are read: n, rounded up to a whole number per lane.
template <int S>
constexpr PLEIAD_HD unsigned padded(unsigned n) {
  return (n + S - 1) / S * S;
}

/// Makes the steps of the t.n bodies that begin at `first_body`. K targets per S lanes and turn, B turns: all
/// threads of the team call it. Shared memory: two times padded<S>(n) places, and the memory of the team.
template <class P, class Team, int K, int S, int B>
__device__ void resident_steps(const Task<P>& t, std::size_t first_body, typename P::Math eps2) {
  using M = typename P::Math;
  constexpr unsigned V = 4 * K;
  const unsigned lane = threadIdx.x % S, component = lane % 4, size = padded<S>(t.n);
  // More than two turns keep their numbers in local memory: registers hold the sums.
  const unsigned groups = blockDim.x / S, group = Team::rank() * groups + threadIdx.x / S;
  const auto first_target = [&](unsigned b) { return (b * Team::blocks() * groups + group) * K; };
  const auto my_body = [&](unsigned b) { return first_target(b) + lane % V / 4; };
  auto* const memory = dynamic_shared<unsigned char>();
  const auto copy = [&](unsigned which) { return Places<P>(memory + which * size * Places<P>::bytes, size); };

  for (unsigned i = t.n + threadIdx.x; i < size; i += blockDim.x) {
    copy(0).set(i, Place<P>{});
    copy(1).set(i, Place<P>{});
  }
  Own<P> own[B];
#pragma unroll(B <= 2 ? B : 1)
  for (unsigned b = 0; b < B; ++b)
    if (my_body(b) < t.n) own[b] = own_of(t, first_body + my_body(b), component);
  Team team(memory + 2 * size * Places<P>::bytes, t.n);
  Team::barrier();  // every block has begun, and may be written to
  // A warp without bodies would be late for the data that the others send each other.
  if (Team::sends && (Team::rank() * groups + threadIdx.x / 32 * (32 / S)) * K >= t.n) return;

  [[maybe_unused]] const unsigned receivers = Team::with_bodies(t.n, groups * K);
  unsigned which = 0;
  make_steps<B <= 2>(t, own, B, [&] {
    which ^= 1;
    const auto places = copy(which);
#pragma unroll(B <= 2 ? B : 1)
    for (unsigned b = 0; b < B; ++b) {
      if constexpr (Team::sends) {
        // Lane l sends body l % K.
        const auto number = [&](int c) {
          return __shfl_sync(~0u, own[b].x, static_cast<int>(lane % K * 4) + c, S);
        };
        const auto place = place_of<P>(number(0), number(1), number(2), number(3));
        if (const unsigned i = first_target(b) + lane % K; i < t.n)
          for (unsigned block = lane / K; block < receivers; block += S / K) {
#pragma unroll
            for (unsigned h = 0; h < places.halves; ++h)
              team.send(places.at(i, h), which, block, places.half_of(place, h));
          }
      } else if (my_body(b) < t.n) {
        places.set(my_body(b), component, own[b].x);
      }
    }
    if constexpr (Team::sends) team.wait_for(which);
    else Team::barrier();
#pragma unroll(B <= 2 ? B : 1)
    for (unsigned b = 0; b < B; ++b) {
      if (b > 0 && b * Team::blocks() * groups * K >= t.n) break;
      Place<P> target[K];
#pragma unroll
      for (unsigned k = 0; k < K; ++k) {
        const unsigned i = first_target(b) + k;
        target[k] = places[i < t.n ? i : t.n - 1];
      }
      M a[V]{};
#pragma unroll 4
      for (unsigned j = lane; j < size; j += S) {
        const auto source = places[j];
#pragma unroll
        for (unsigned k = 0; k < K; ++k) add_pull<P>(a + 4 * k, source, target[k], eps2);
      }
      own[b].sum = sum_over_lanes<V, S>(a);
    }
  });

#pragma unroll(B <= 2 ? B : 1)
  for (unsigned b = 0; b < B; ++b)
    if (my_body(b) < t.n && lane < V) give_back(t, first_body + my_body(b), component, own[b]);
}

}  // namespace pleiad::cuda
