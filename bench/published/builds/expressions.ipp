/// Two forms of a kernel, as rungs 1 and 2, with the reciprocal root written in two ways. Included by files
/// that differ in how they are compiled (CMakeLists.txt), so everything here belongs to the file that
/// includes it.
///
/// 1 / sqrt(x) is a root and a division, each rounded as IEEE 754 asks, until --use_fast_math makes one
/// approximate instruction of both; rsqrt(x) asks for that instruction, whatever the flags.
///
/// Cost per interaction, for limits: 13 instruction slots, those of the fast form, for all of them.
/// ptxas -O1 beats -O3 where the latter scatters the loads of a loop among its arithmetic and few warps hide
/// the waits: rsqrt(x) with one thread per body makes 888 steps a second of 16384 bodies with -O1 on an H200,
/// and 670 with -O3.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/builds.hpp"
#include "bench/published/direct/tile.hpp"

namespace pleiad {
namespace {

struct RootAndDivision {
  static constexpr std::string_view words = "1 / sqrt";
  __device__ static float of(float x) { return 1.0f / sqrtf(x); }
};
struct ReciprocalRoot {
  static constexpr std::string_view words = "rsqrt";
  __device__ static float of(float x) { return inverse_sqrt(x); }
};

/// pull() and its sum, with the reciprocal root in question.
template <class Root>
struct Pull {
  float eps2;

  __device__ void operator()(Vec4<float>& sum, Mass<float> target, std::size_t, Mass<float> source,
                             std::size_t) const {
    const auto d = source.position() - target.position();
    const float y = Root::of(eps2 + d.x * d.x + d.y * d.y + d.z * d.z);
    const float my3 = source.m * y * y * y;
    sum.x += d.x * my3;
    sum.y += d.y * my3;
    sum.z += d.z * my3;
  }
};

template <class Root>
__global__ void built_naive(const Mass<float>* __restrict__ targets, std::size_t n_targets,
                            const Mass<float>* __restrict__ sources, std::size_t n_sources,
                            Vec4<float>* __restrict__ sums, Pull<Root> pull_of) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n_targets) return;
  const auto target = targets[i];
  Vec4<float> sum;
  for (std::size_t j = 0; j < n_sources; ++j) pull_of(sum, target, i, sources[j], j);
  sums[i] = sum;
}

/// tiles: whether a block stages sources. The publication's blocks: 64 for one thread per body, 256 for
/// tiles.
template <class Root, bool tiles>
void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned asked = static_cast<unsigned>(shape.threads_per_block), own = tiles ? 256 : 64;
  const unsigned threads = asked > 0 ? asked : own, bytes = tiles ? threads * sizeof(Mass<float>) : 0;
  const std::size_t n = p.targets.size();
  const char* const name = tiles ? "build/tile" : "build/naive";
  cuda::need_plain(p, name);
  cuda::launch(name, tiles ? cuda::tile<F32, Pull<Root>> : built_naive<Root>,
               {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
               p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(),
               Pull<Root>{cuda::Pair<F32, false, false>(p).eps2});
}

template <class Root, bool tiles>
constexpr cuda::KernelBuild build_of(std::string_view build) {
  return {.form = tiles ? "shared tiles" : "one thread per body",
          .expression = Root::words,
          .build = build,
          .kernel = {.name = tiles ? "build/tile" : "build/naive",
                     .idea = "the pair as it is written in the source, compiled in another way",
                     .device = Device::cuda,
                     .traits = {.periodic = false, .potential = false},
                     .fma_port_operations = {.f32 = 13},
                     .f32 = run<Root, tiles>}};
}

/// Those of this file.
constexpr cuda::KernelBuilds builds_of(std::string_view build) {
  return {build_of<RootAndDivision, false>(build), build_of<ReciprocalRoot, false>(build),
          build_of<RootAndDivision, true>(build), build_of<ReciprocalRoot, true>(build)};
}

}  // namespace
}  // namespace pleiad
