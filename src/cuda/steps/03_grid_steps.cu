/// Grid steps: all multiprocessors, and one barrier of the grid an evaluation. A block owns groups of K
/// targets per warp; its warps are groups of targets times slices of the sources, a lane a source. Whoever
/// owns a body puts its new place into one of two arrays in global memory, the other of which may still be
/// read; behind the barrier every block streams all places through its shared memory, the next chunk on its
/// way while one is summed. Blocks wait for each other, so the launch is refused unless all of them run at
/// once.
/// Mixed precision: a block takes places relative to a middle of its targets when it stages them, so that the
/// loop is that of single precision; the error is that of rung 36, and does not depend on where the system
/// is.
/// Cost: 13 slots an interaction, 1 / K loads, 0.2 of the loop; a step of 4096 bodies on 128 blocks 3450
/// slots in each of 16 warps, 13800 clocks or 7.0 us at one slot a clock and scheduler, 8.0 at the 88 % that
/// the exploration reached; with some 1.8 us of barrier, first chunk and update 9.8 us or 1710 G/s predicted.
/// The exploration, which loaded all places before it began to sum, took 10.83. Where it loses: to symmetric
/// pairs (rung 4) from some 6000 bodies on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/steps/lanes.hpp"
#include "cuda/steps/place.hpp"
#include "cuda/steps/program.hpp"
#include "cuda/steps/shape.hpp"

namespace pleiad {
namespace {

constexpr unsigned most_bodies = 16384, threads = 512, warps = threads / 32;
/// Batches of targets that one block may own.
constexpr int most_batches = 8;

template <class P>
using Staged = cuda::Relative<P>;
/// A thread brings `loads` places of each chunk.
template <class P>
constexpr unsigned loads = std::is_same_v<P, F64> ? 1 : 2;
template <class P>
constexpr unsigned chunk = loads<P>* threads;

template <class P>
__device__ cuda::Place<Staged<P>> relative_to(const cuda::Place<P>& b, Vec3<typename P::Math> origin) {
  if constexpr (std::is_same_v<P, Mixed>)
    return {{(b.x - origin.x) + b.rest.x, (b.y - origin.y) + b.rest.y, (b.z - origin.z) + b.rest.z, b.m}};
  else return b;
}

/// Shared memory: two chunks, and each warp's sums.
template <class P, int K>
constexpr unsigned shared_bytes =
    2 * chunk<P>* cuda::Places<Staged<P>>::bytes + warps * 4 * K* unsigned{sizeof(typename P::Math)};

/// K targets in each of G groups of warps. exchange: two arrays of n places.
template <class P, int K, int G>
__global__ void __launch_bounds__(threads, 1)
    grid_steps(const cuda::Task<P> t, unsigned char* exchange, unsigned* counter) {
  using M = typename P::Math;
  using S = typename P::Sum;
  using Q = Staged<P>;
  constexpr unsigned slices = warps / G, targets = K * G, V = 4 * K;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = warp % G, slice = warp / G;
  const unsigned batches = (t.n + targets - 1) / targets;
  auto* const memory = dynamic_shared<unsigned char>();
  auto* const parts = reinterpret_cast<M*>(memory + 2 * chunk<P> * cuda::Places<Q>::bytes);
  const auto staged = [&](unsigned c) {
    return cuda::Places<Q>(memory + c * chunk<P> * cuda::Places<Q>::bytes, chunk<P>);
  };
  cuda::GridBarrier barrier(counter);

  const auto my_batch = [&](unsigned b) { return blockIdx.x + b * gridDim.x; };
  const auto my_body = [&](unsigned b) { return my_batch(b) * targets + threadIdx.x / 4; };
  const auto is_mine = [&](unsigned b) { return threadIdx.x < 4 * targets && my_body(b) < t.n; };
  cuda::Own<P> own[most_batches];
  unsigned mine = 0;
#pragma unroll 1
  for (unsigned b = 0; b < most_batches; ++b)
    if (is_mine(b)) own[b] = own_of(t, my_body(b), threadIdx.x % 4), ++mine;

  unsigned which = 0;
  cuda::make_steps<false>(t, own, mine, [&] {
    which ^= 1;
    const cuda::Places<P> places(exchange + std::size_t{which} * t.n * cuda::Places<P>::bytes, t.n);
#pragma unroll 1
    for (unsigned b = 0; b < mine; ++b) places.set(my_body(b), threadIdx.x % 4, own[b].x);
    barrier.wait();
#pragma unroll 1
    for (unsigned b = 0; my_batch(b) < batches; ++b) {
      const auto target_or_last = [&](unsigned i) {
        const unsigned body = my_batch(b) * targets + i;
        return places[body < t.n ? body : t.n - 1];
      };
      cuda::Place<P> next[loads<P>];
      const auto bring = [&](unsigned first) {
#pragma unroll
        for (unsigned u = 0; u < loads<P>; ++u) {
          const unsigned i = first + u * threads + threadIdx.x;
          next[u] = i < t.n ? places[i] : cuda::Place<P>{};
        }
      };
      bring(0);
      Vec3<M> origin;
      if constexpr (std::is_same_v<P, Mixed>)
        origin = cuda::middle_of_lanes(target_or_last(lane % targets).position());
      cuda::Place<Q> target[K];
#pragma unroll
      for (unsigned k = 0; k < K; ++k) target[k] = relative_to<P>(target_or_last(group * K + k), origin);
      M a[V]{};
#pragma unroll 1
      for (unsigned first = 0, c = 0; first < t.n; first += chunk<P>, c ^= 1) {
#pragma unroll
        for (unsigned u = 0; u < loads<P>; ++u) {
          staged(c).set(u * threads + threadIdx.x, relative_to<P>(next[u], origin));
        }
        __syncthreads();
        bring(first + chunk<P>);
        const auto places_here = staged(c);
#pragma unroll(sizeof(M) == 8 ? 1 : 2)
        for (unsigned j = slice * 32 + lane; j < chunk<P>; j += slices * 32) {
          const auto source = places_here[j];
#pragma unroll
          for (unsigned k = 0; k < K; ++k) cuda::add_pull<Q>(a + 4 * k, source, target[k], t.eps2);
        }
      }
      const M sum = cuda::sum_over_lanes<V, 32>(a);
      if (lane < V) parts[(slice * G + group) * V + lane] = sum;
      __syncthreads();
      if (b < mine) {
        S all = 0;
        for (unsigned s = 0; s < slices; ++s) all += S(parts[s * G * V + threadIdx.x]);
        own[b].sum = all;
      }
    }
  });
#pragma unroll 1
  for (unsigned b = 0; b < mine; ++b) give_back(t, my_body(b), threadIdx.x % 4, own[b]);
}

template <class P>
using Shape = cuda::Compiled<cuda::Task<P>, unsigned char*, unsigned*>;
/// up_to: the bodies beyond which the next is better on a hundred and some multiprocessors.
template <class P, int K, int G>
constexpr Shape<P> compiled(unsigned up_to) {
  return {{.threads_per_block = threads, .bodies_per_thread = K, .source_splits = int{warps} / G},
          grid_steps<P, K, G>,
          up_to,
          most_bodies};
}
template <class P>
constexpr std::array list{compiled<P, 4, 2>(1056), compiled<P, 4, 4>(2112), compiled<P, 8, 4>(most_bodies)};
/// 8 targets of doubles are more than 128 registers hold.
template <>
constexpr std::array list<F64>{compiled<F64, 4, 2>(1056), compiled<F64, 4, 4>(2112),
                               compiled<F64, 4, 8>(most_bodies)};

template <class P>
void run(const StepProblem<P>& p, const LaunchShape& shape) {
  constexpr std::string_view name = "cuda/grid-steps";
  const auto task = cuda::task_of(p, most_bodies, name);
  if (cuda::nothing_to_do(p)) return;
  const auto& c = cuda::compiled_for(list<P>, shape, task.n, name);
  const int K = c.shape.bodies_per_thread, G = int{warps} / c.shape.source_splits;
  cuda::Grid grid{
      .threads = threads, .shared_bytes = K == 4 ? shared_bytes<P, 4> : shared_bytes<P, 8>, .together = true};
  const unsigned batches = cuda::ceil_div(task.n, static_cast<std::size_t>(K * G)),
                 at_once = cuda::blocks_together(reinterpret_cast<const void*>(c.kernel), name, grid);
  // As few blocks as are as quick: all have the same number of batches, and fewer meet at the barrier.
  const unsigned each = at_once == 0 ? 1 : cuda::ceil_div(batches, at_once);
  cuda::need(each <= most_batches, name,
             std::to_string(task.n) + " bodies are more than the device's blocks of this shape, " +
                 std::to_string(at_once) + " at once, can own; choose more bodies per thread");
  grid.blocks = cuda::ceil_div(batches, each);
  cuda::Buffer<unsigned> counter(1, p.stream);
  counter.set_bytes(0);
  cuda::Buffer<unsigned char> exchange(std::size_t{2} * task.n * cuda::Places<P>::bytes, p.stream);
  cuda::launch(name, c.kernel, grid, p.stream, task, exchange.data(), counter.data());
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{}, list<F32>[0].shape, list<F32>[1].shape, list<F32>[2].shape,
                            list<F64>[2].shape};

}  // namespace

extern constinit const StepKernel cuda_grid_steps{
    .name = "cuda/grid-steps",
    .rung = 203,
    .idea = "all multiprocessors, one barrier of the grid a step, places streamed through shared memory",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 13},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
