/// Cluster steps: rung 1 over the blocks of a thread-block cluster, each on a multiprocessor of its own.
/// Every block has all places in its shared memory, and a body's new place is written into all of them; the
/// cluster's barrier, some 300 clocks, stands where the block's was. Needs compute capability 9.0.
/// A step of 256 bodies on 16 blocks of 256 threads: 8 turns of one load, 26 slots and 2 of the loop, 25 of
/// shuffles, 20 of the update with 4 remote stores per writing lane: 270 slots in each of 8 warps, 540
/// clocks; with the barrier and 300 of latency 0.6 us predicted; the exploration, with lanes of whole warps
/// per source, took 1.49. Where it loses: to rung 1 where one multiprocessor is enough (64 bodies), to all
/// multiprocessors (rung 3) beyond some 768.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/steps/resident.hpp"

namespace pleiad {
namespace {

constexpr unsigned most_bodies = 2048;

struct Cluster {
  __device__ static unsigned rank() { return cuda::rank_in_cluster(); }
  __device__ static unsigned blocks() { return cuda::blocks_in_cluster(); }
  __device__ static void barrier() { cuda::cluster_barrier(); }
  template <class T>
  __device__ static T* in_block(T* mine, unsigned rank) {
    return cuda::in_block(mine, rank);
  }
};

template <class P, int threads, int K, int S, int B>
__global__ void __launch_bounds__(threads, 1) cluster_steps(const cuda::Task<P> task) {
  cuda::resident_steps<P, Cluster, K, S, B>(task, 0, task.eps2);
}

template <class P, int threads, int K, int S, int B, int blocks>
constexpr cuda::Compiled<cuda::Task<P>> compiled() {
  return {{.threads_per_block = threads, .bodies_per_thread = K, .threads_per_body = S, .blocks = blocks},
          cluster_steps<P, threads, K, S, B>,
          threads / S * K * B * blocks,
          threads / S * K * B * blocks};
}
template <class P>
constexpr std::array list{compiled<P, 512, 2, 32, 1, 16>(), compiled<P, 512, 2, 16, 2, 16>(),
                          compiled<P, 512, 2, 16, 2, 8>(), compiled<P, 512, 1, 32, 1, 16>(),
                          compiled<P, 512, 2, 16, 4, 16>()};

template <class P>
void run(const StepProblem<P>& p, const LaunchShape& shape) {
  const auto task = cuda::task_of(p, most_bodies, "cuda/cluster-steps");
  if (cuda::nothing_to_do(p)) return;
  const auto& c = cuda::compiled_for(list<P>, shape, task.n, "cuda/cluster-steps");
  const auto S = static_cast<unsigned>(c.shape.threads_per_body);
  const auto K = static_cast<unsigned>(c.shape.bodies_per_thread);
  const auto blocks = static_cast<unsigned>(c.shape.blocks);
  const unsigned whole = (cuda::ceil_div(task.n, K * blocks) * S + 31) / 32 * 32;
  cuda::launch("cuda/cluster-steps", c.kernel,
               {.blocks = blocks,
                .threads = std::min(whole, static_cast<unsigned>(c.shape.threads_per_block)),
                .shared_bytes = 2 * (task.n + S) * cuda::Places<P>::bytes,
                .cluster = blocks},
               p.stream, task);
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{},      list<F32>[0].shape, list<F32>[1].shape,
                            list<F32>[2].shape, list<F32>[3].shape, list<F32>[4].shape};

}  // namespace

extern constinit const StepKernel cuda_cluster_steps{
    .name = "cuda/cluster-steps",
    .rung = 202,
    .idea = "a cluster of blocks: each writes its bodies' new places into the shared memory of all",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 19},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
