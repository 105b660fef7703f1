/// Rung 32, fp64 cube: the pull in double precision needs r^-3, not an exact root. One approximate
/// instruction and one correction give the cube (inverse_cube.hpp), instead of the library's root and its
/// cube. Otherwise as rung 12. Cost per interaction: 16 operations of double precision, 32 instruction slots:
/// 3 separations, 3 for the square, 6 for the cube, 1 for the mass, 3 sums. Measured on an H200 at N =
/// 245760: 816 G/s with one target per thread, 748 with four; the tile rung with the library's root has 683.
/// Where it loses: to rung 33, which computes each pair once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/inverse_cube.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <int K>
__global__ void fp64_cube(const Mass<double>* __restrict__ targets, std::size_t n_targets,
                          const Mass<double>* __restrict__ sources, std::size_t n_sources,
                          Vec4<double>* __restrict__ sums, double eps2) {
  // One array per component: a warp reads 8-byte words of it without conflict.
  auto* const x = dynamic_shared<double>();
  auto* const y = x + blockDim.x;
  auto* const z = y + blockDim.x;
  auto* const m = z + blockDim.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x * K + threadIdx.x;
  Vec3<double> target[K], sum[K];
#pragma unroll
  for (unsigned k = 0; k < K; ++k) {
    const std::size_t mine = i + k * blockDim.x;
    target[k] = targets[mine < n_targets ? mine : 0].position();
  }
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    const auto source = mine < n_sources ? sources[mine] : Mass<double>{};
    x[threadIdx.x] = source.x, y[threadIdx.x] = source.y, z[threadIdx.x] = source.z;
    m[threadIdx.x] = source.m;
    __syncthreads();
#pragma unroll 4
    for (unsigned j = 0; j < blockDim.x; ++j) {
      const Vec3<double> at{x[j], y[j], z[j]};
      const double mass = m[j];
#pragma unroll
      for (unsigned k = 0; k < K; ++k) {
        const auto d = at - target[k];
        const double r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, eps2)));
        const double g = mass * cuda::inverse_cube(r2);
        sum[k] = {fma(d.x, g, sum[k].x), fma(d.y, g, sum[k].y), fma(d.z, g, sum[k].z)};
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < K; ++k) {
    const std::size_t mine = i + k * blockDim.x;
    if (mine < n_targets) sums[mine] = {sum[k].x, sum[k].y, sum[k].z, 0};
  }
}

template <int K>
void run_with(const PairProblem<F64>& p, unsigned threads) {
  const std::size_t n = p.targets.size();
  cuda::launch("cuda/fp64-cube", fp64_cube<K>,
               {.blocks = cuda::ceil_div(n, std::size_t{threads} * K),
                .threads = threads,
                .shared_bytes = threads * unsigned{sizeof(Mass<double>)}},
               p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(),
               std::max(p.softening.eps2(), floor_eps2_for<double>(p.heaviest)));
}

void run(const PairProblem<F64>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 64;
  const int bodies = shape.bodies_per_thread > 0 ? shape.bodies_per_thread : 4;
  cuda::need_plain(p, "cuda/fp64-cube");
  cuda::need(bodies == 1 || bodies == 2 || bodies == 4, "cuda/fp64-cube",
             std::to_string(bodies) + " bodies per thread; it must be 1, 2 or 4");
  if (bodies == 1) run_with<1>(p, threads);
  else if (bodies == 2) run_with<2>(p, threads);
  else run_with<4>(p, threads);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 64, .bodies_per_thread = 4},
                            LaunchShape{.threads_per_block = 128, .bodies_per_thread = 2},
                            LaunchShape{.threads_per_block = 128, .bodies_per_thread = 1},
                            LaunchShape{.threads_per_block = 31, .bodies_per_thread = 2}};

}  // namespace

extern constinit const DirectKernel cuda_fp64_cube{
    .name = "cuda/fp64-cube",
    .rung = 132,
    .idea = "double precision from an approximate reciprocal root and one correction that yields its cube",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f64 = 32},
    .shapes = shapes,
    .f64 = run};

}  // namespace pleiad
