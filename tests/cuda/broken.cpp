/// Kernels broken on purpose, each with one classic defect: the tests must reject all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "broken.hpp"

#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

enum class Defect { no_first_barrier, no_second_barrier, last_tile_skipped, wrong_lane, stale_tail };

template <Defect defect>
__global__ void tile(const Mass<float>* targets, std::size_t n_targets, const Mass<float>* sources,
                     std::size_t n_sources, Vec4<float>* sums, cuda::Pair<F32, false, false> pull_of) {
  auto* staged = dynamic_shared<Mass<float>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<float> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    if (defect == Defect::last_tile_skipped && first + blockDim.x > n_sources) break;
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    if (defect != Defect::no_first_barrier) __syncthreads();
    const unsigned count = defect == Defect::stale_tail || n_sources - first >= blockDim.x
                               ? blockDim.x
                               : static_cast<unsigned>(n_sources - first);
    for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, staged[j], first + j);
    if (defect != Defect::no_second_barrier) __syncthreads();
  }
  if (defect == Defect::wrong_lane) sum.x = __shfl_sync(~0u, sum.x, static_cast<int>(threadIdx.x % 32) ^ 1);
  if (i < n_targets) sums[i] = sum;
}

template <Defect defect>
void run(const PairProblem<F32>& p, const LaunchShape&) {
  cuda::launch("broken", tile<defect>,
               {.blocks = cuda::ceil_div(p.targets.size(), 64),
                .threads = 64,
                .shared_bytes = 64 * sizeof(Mass<float>)},
               p.stream, p.targets.data(), p.targets.size(), p.sources.data(), p.sources.size(),
               p.sums.data(), cuda::Pair<F32, false, false>(p));
}

template <Defect defect>
constexpr DirectKernel kernel(std::string_view name) {
  return {.name = name,
          .rung = 0,
          .idea = "broken on purpose",
          .device = Device::cuda,
          .traits = {.periodic = false, .potential = false},
          .fma_port_operations = {},
          .shapes = {},
          .f32 = run<defect>};
}

const DirectKernel no_first = kernel<Defect::no_first_barrier>("broken/no-first-barrier");
const DirectKernel no_second = kernel<Defect::no_second_barrier>("broken/no-second-barrier");
const DirectKernel skipped = kernel<Defect::last_tile_skipped>("broken/last-tile-skipped");
const DirectKernel lane = kernel<Defect::wrong_lane>("broken/wrong-lane");
const DirectKernel stale = kernel<Defect::stale_tail>("broken/stale-tail");

}  // namespace

std::span<const DirectKernel* const> broken_kernels() {
  static constexpr std::array list{&no_first, &no_second, &skipped, &lane, &stale};
  return list;
}

}  // namespace pleiad
