/// Cluster steps: step kernel 1 over the blocks of a thread-block cluster, each on its own multiprocessor.
/// Every block has all positions in its shared memory, and each new position is sent to all blocks. A block
/// counts the received bytes, so there is no barrier. Needs compute capability 9.0. A step of 256 bodies on
/// 16 blocks, 4 targets in each of 4 warps: 8 iterations of one load, 52 slots and 2 of the loop, 40 of
/// shuffles, 25 of update and sending: 500 slots in each warp, one per scheduler. With some 500 clocks to
/// send a position and 500 of latency the prediction is 0.8 us; an H200 takes 0.97. With a cluster barrier,
/// whose release waits for all memory, and positions read through cluster addresses it was 1.58. Two targets
/// in each of 8 warps: 1.11, one in each of 16: 1.21. Where it loses: to step kernel 1 where one
/// multiprocessor is enough (up to some 48 bodies), to all multiprocessors (step kernel 3) beyond some 448.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/steps/resident.hpp"

namespace pleiad {
namespace {

constexpr unsigned most_bodies = 2048;

/// A lane sends a position into the shared memory of a block, which has set the number of expected bytes:
/// there is no barrier, and a block waits only for the data that it reads. Two counters, one for each copy of
/// the places. Who sends for an evaluation has read all of the one before, for which every warp sent after it
/// had read the copy that is now written.
template <class P>
class Cluster {
 public:
  static constexpr bool sends = true;
  static constexpr unsigned bytes = 2 * sizeof(cuda::Arrivals);  ///< of shared memory

  __device__ Cluster(void* memory, unsigned n) : arrivals_(static_cast<cuda::Arrivals*>(memory)), n_(n) {
    if (threadIdx.x != 0) return;
    for (unsigned copy = 0; copy < 2; ++copy) {
      cuda::begin_arrivals(arrivals_ + copy);
      cuda::expect_arrivals(arrivals_ + copy, n_ * cuda::Places<P>::bytes);
    }
  }
  __device__ static unsigned rank() { return cuda::rank_in_cluster(); }
  __device__ static unsigned blocks() { return cuda::blocks_in_cluster(); }
  __device__ static void barrier() { cuda::cluster_barrier(); }
  /// Number of blocks that have some of n bodies, in_block of them in a turn.
  __device__ static unsigned with_bodies(unsigned n, unsigned in_block) {
    const unsigned full = (n + in_block - 1) / in_block;
    return full < blocks() ? full : blocks();
  }
  __device__ void send(void* to, unsigned copy, unsigned block, typename cuda::Places<P>::Half half) {
    cuda::send(to, arrivals_ + copy, block, __builtin_bit_cast(cuda::Words, half));
  }
  __device__ void wait_for(unsigned copy) {
    const unsigned phase = evaluation_++ / 2;  // copies 1 and 0 take turns
    cuda::wait_for_arrivals(arrivals_ + copy, phase % 2);
    __syncwarp();
    // Its warp has bodies, and has not sent any of them for the evaluation that comes into this copy next.
    if (threadIdx.x == 0) cuda::expect_arrivals(arrivals_ + copy, n_ * cuda::Places<P>::bytes);
  }

 private:
  cuda::Arrivals* arrivals_;
  unsigned n_, evaluation_ = 0;
};

template <class P, int threads, int K, int S, int B>
__global__ void __launch_bounds__(threads, 1) cluster_steps(const cuda::Task<P> task) {
  cuda::resident_steps<P, Cluster<P>, K, S, B>(task, 0, task.eps2);
}

template <class P, int threads, int K, int S, int B, int blocks>
constexpr cuda::Compiled<cuda::Task<P>> compiled(unsigned up_to) {
  return {{.threads_per_block = threads, .bodies_per_thread = K, .threads_per_body = S, .blocks = blocks},
          cluster_steps<P, threads, K, S, B>,
          up_to,
          threads / S * K * B * blocks};
}
template <class P>
constexpr std::array list{compiled<P, 512, 2, 16, 2, 8>(80), compiled<P, 512, 2, 32, 1, 16>(160),
                          compiled<P, 512, 4, 32, 1, 16>(1024), compiled<P, 512, 2, 16, 4, 16>(most_bodies)};

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
                .shared_bytes = 2 * (task.n + S) * cuda::Places<P>::bytes + Cluster<P>::bytes,
                .cluster = blocks},
               p.stream, task);
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{}, list<F32>[0].shape, list<F32>[1].shape, list<F32>[2].shape,
                            list<F32>[3].shape};

}  // namespace

extern constinit const StepKernel cuda_cluster_steps{
    .name = "cuda/cluster-steps",
    .rung = 202,
    .idea = "a cluster of blocks: each writes its new positions to the shared memory of all",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 19},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
