/// Block steps: one block makes fused steps of a small system, without traffic outside its multiprocessor.
/// resident.hpp has the loop. A step of 64 bodies with 2 targets per 8 lanes: 8 iterations of one load, 26
/// slots of arithmetic and 2 of the loop, 25 of shuffles, 15 of kick, drift and barrier: 270 slots in each of
/// 8 warps, 540 clocks on 4 schedulers. With some 400 clocks of exposed latency the prediction is 0.5 us; an
/// H200 takes 0.69. 16 lanes, 0.81 there, are better below some 40 bodies (16 bodies: 0.41). The exploration,
/// in which lanes shared the sources of a warp's targets and added partial sums in shared memory, took 0.86.
/// Where it loses: to several multiprocessors from some 48 bodies on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/resident.hpp"

namespace pleiad {
namespace {

constexpr unsigned most_bodies = 1024;

template <class P, int threads, int K, int S, int B>
__global__ void __launch_bounds__(threads) block_steps(const cuda::Task<P> task) {
  cuda::resident_steps<P, cuda::OneBlock<P>, K, S, B>(task, 0, task.eps2);
}

template <class P, int threads, int K, int S, int B>
constexpr cuda::Compiled<cuda::Task<P>> compiled(unsigned up_to = threads / S * K * B) {
  return {{.threads_per_block = threads, .bodies_per_thread = K, .threads_per_body = S},
          block_steps<P, threads, K, S, B>,
          up_to,
          threads / S * K * B};
}
/// The smallest systems first.
template <class P>
constexpr std::array list{compiled<P, 1024, 2, 16, 1>(40), compiled<P, 1024, 2, 8, 1>(),
                          compiled<P, 512, 2, 8, 8>()};

template <class P>
void run(const StepProblem<P>& p, const LaunchShape& shape) {
  const auto task = cuda::task_of(p, most_bodies, "cuda/block-steps");
  if (cuda::nothing_to_do(p)) return;
  const auto& c = cuda::compiled_for(list<P>, shape, task.n, "cuda/block-steps");
  const auto S = static_cast<unsigned>(c.shape.threads_per_body);
  const auto K = static_cast<unsigned>(c.shape.bodies_per_thread);
  const unsigned whole = (cuda::ceil_div(task.n, K) * S + 31) / 32 * 32;
  cuda::launch("cuda/block-steps", c.kernel,
               {.threads = std::min(whole, static_cast<unsigned>(c.shape.threads_per_block)),
                .shared_bytes = 2 * (task.n + S) * cuda::Places<P>::bytes},
               p.stream, task);
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{}, list<F32>[0].shape, list<F32>[1].shape, list<F32>[2].shape};

}  // namespace

extern constinit const StepKernel cuda_block_steps{
    .name = "cuda/block-steps",
    .rung = 201,
    .idea = "one block keeps a small system in its shared memory, with several threads per body",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 19},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
