/// Block ensemble: step kernel 1 for each system, one block per system, for systems that are too large for a
/// warp. Cost: 13 slots per interaction, half a load, half a slot of the loop: 2380 G/s at one slot per clock
/// and scheduler, 1900 predicted at the 80 % of the ladder's one-sided rungs. Where it loses: to step kernel
/// 5, which computes each pair once, up to 128 bodies; with few systems to step kernels 2 and 3, one after
/// another.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/ensemble.hpp"
#include "cuda/steps/resident.hpp"

namespace pleiad {
namespace {

constexpr unsigned threads = 512, most_bodies = 1024;
constexpr int K = 2, S = 8, turns = most_bodies / (threads / S * K);

template <class P>
__global__ void __launch_bounds__(threads)
    block_ensemble(const cuda::Task<P> t, const cuda::Systems<P> systems) {
  cuda::resident_steps<P, cuda::OneBlock<P>, K, S, turns>(t, std::size_t{blockIdx.x} * t.n,
                                                          systems.eps2(t, blockIdx.x));
}

template <class P>
constexpr std::array list{cuda::Compiled<cuda::Task<P>, cuda::Systems<P>>{
    {.threads_per_block = threads, .bodies_per_thread = K, .threads_per_body = S},
    block_ensemble<P>,
    most_bodies,
    most_bodies}};

template <class P>
void run(const EnsembleProblem<P>& p, const LaunchShape& shape) {
  constexpr std::string_view name = "cuda/block-ensemble";
  const auto task = cuda::task_of(p, most_bodies, name);
  if (cuda::nothing_to_do(p)) return;
  const auto& c = cuda::compiled_for(list<P>, shape, task.n, name);
  const unsigned whole = (cuda::ceil_div(task.n, K) * S + 31) / 32 * 32;
  cuda::launch(name, c.kernel,
               {.blocks = static_cast<unsigned>(p.systems),
                .threads = std::min(whole, threads),
                .shared_bytes = 2 * cuda::padded<S>(task.n) * cuda::Places<P>::bytes},
               p.stream, task, cuda::systems_of(p));
}

constexpr std::array shapes{LaunchShape{}, list<F32>[0].shape};

}  // namespace

extern constinit const EnsembleKernel cuda_block_ensemble{
    .name = "cuda/block-ensemble",
    .rung = 206,
    .idea = "many systems at once, one block each",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 19},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
