/// Rung 35, fp64 symmetric: rungs 31 and 34 together. The pair in force form: w = m_i m_j r^-3 serves both
/// sums, which are divided by the body's mass at the end; bodies of one mass leave it out of the loop
/// altogether. The sums are integers of two words (pair_sums.hpp): the same bits in every run. Cost per
/// interaction: 20 instruction slots: for a pair 3 separations, 3 for the square, 6 for the cube, 2
/// factors, 6 sums in double precision at half rate; 18 for equal masses, which the limit is counted with.
/// Measured on an H200 at N = 245760 with equal masses: 1506 G/s, rms error 6e-17; rung 34 has 816. The
/// exploration that it comes from had 1557, and 1412 in force form, which was not measured here. Massless
/// bodies have no force to divide: such systems are summed with two products instead of one. The loop is
/// not written stage by stage as in single precision: in the exploration that lost 6 %.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/inverse_cube.hpp"
#include "cuda/direct/symmetric.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<double>;

/// What a pair's inverse cube is multiplied by, and what a body's sum is divided by at the end.
struct Accelerations {
  static constexpr unsigned needs = cuda::any_masses;
  __device__ static cuda::Factors<double> factors(double cube, double source, double target) {
    return {source * cube, target * cube};
  }
  __device__ static double of_sum(double) { return 1; }
};
struct Forces {
  static constexpr unsigned needs = cuda::positive_masses;
  __device__ static cuda::Factors<double> factors(double cube, double source, double target) {
    const double w = source * target * cube;
    return {w, w};
  }
  __device__ static double of_sum(double m) { return 1 / m; }
};
struct EqualMass {
  static constexpr unsigned needs = cuda::equal_masses;
  __device__ static cuda::Factors<double> factors(double cube, double, double) { return {cube, cube}; }
  __device__ static double of_sum(double m) { return m; }
};

template <class Form, int W, int K, int unrolled, int resident>
__global__ void __launch_bounds__(32 * W, resident)
    sweep64(const Mass<double>* __restrict__ bodies, const Mass<double>*, Sums sums,
            const cuda::Frame* __restrict__ frame, int n, double eps2, unsigned needs, unsigned taken) {
  if ((frame->masses & needs) == 0 || (frame->masses & taken) != 0) return;
  constexpr int size = 32 * W * K;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, blocks = gridDim.x, s = blockIdx.y;
  const int I = blockIdx.x, J = I + s < blocks ? I + s : I + s - blocks;
  if (2 * s == blocks && I >= J) return;  // half of the last column covers it
  auto* const sx = dynamic_shared<double>() + 256 * warp;
  auto* const sy = sx + 64;
  auto* const sz = sy + 64;
  auto* const sm = sz + 64;

  const int mine = I * size + warp * 32 * K + lane;
  if (mine - lane >= n) return;  // nothing but padding, and no more barriers of the block
  double x[K], y[K], z[K], m[K], ax[K], ay[K], az[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const auto b = bodies[mine + 32 * k];
    x[k] = b.x, y[k] = b.y, z[k] = b.z, m[k] = b.m;
    ax[k] = ay[k] = az[k] = 0;
  }
  const int in_J = n - J * size < size ? n - J * size : size;
  const int tiles = (in_J + 31) / 32;
  int t = warp * K % tiles;
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    const int j = J * size + 32 * t + lane;
    const auto staged = bodies[j];
    sx[lane] = sx[lane + 32] = staged.x;
    sy[lane] = sy[lane + 32] = staged.y;
    sz[lane] = sz[lane + 32] = staged.z;
    sm[lane] = sm[lane + 32] = staged.m;
    __syncwarp();
    if (s == 0) {
#pragma unroll 1
      for (int c = 0; c < 32; ++c) {
        const Mass<double> b{sx[c], sy[c], sz[c], sm[c]};
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const double dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
          const double g =
              Form::factors(cuda::inverse_cube(fma(dx, dx, fma(dy, dy, fma(dz, dz, eps2)))), b.m, m[k])
                  .on_target;
          ax[k] = fma(dx, g, ax[k]), ay[k] = fma(dy, g, ay[k]), az[k] = fma(dz, g, az[k]);
        }
      }
    } else {
      double bx = 0, by = 0, bz = 0;
#pragma unroll unrolled
      for (int c = 0; c < 32; ++c) {
        const Mass<double> b{sx[lane + c], sy[lane + c], sz[lane + c], sm[lane + c]};
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const double dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
          const double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, eps2)));
          const auto f = Form::factors(cuda::inverse_cube(r2), b.m, m[k]);
          ax[k] = fma(dx, f.on_target, ax[k]), bx = fma(dx, f.on_source, bx), by = fma(dy, f.on_source, by);
          ay[k] = fma(dy, f.on_target, ay[k]), az[k] = fma(dz, f.on_target, az[k]),
          bz = fma(dz, f.on_source, bz);
        }
        bx = __shfl_sync(~0u, bx, (lane + 1) % 32);
        by = __shfl_sync(~0u, by, (lane + 1) % 32);
        bz = __shfl_sync(~0u, bz, (lane + 1) % 32);
      }
      const double back = -Form::of_sum(staged.m);
      if (j < n) sums.add(j, bx * back, by * back, bz * back);
    }
    __syncwarp();
    t = t + 1 < tiles ? t + 1 : 0;
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const double finish = Form::of_sum(m[k]);
    if (mine + 32 * k < n) sums.add(mine + 32 * k, ax[k] * finish, ay[k] * finish, az[k] * finish);
  }
}

template <class Form, int W, int K, int unrolled, int resident>
constexpr cuda::Sweep<double, Sums> sweep_of() {
  return {{.threads_per_block = 32 * W, .bodies_per_thread = K},
          sweep64<Form, W, K, unrolled, resident>,
          Form::needs,
          W * 256 * sizeof(double)};
}

constexpr std::array<cuda::Sweep<double, Sums>, 2> sweeps{sweep_of<Forces, 4, 5, 8, 2>(),
                                                          sweep_of<Forces, 2, 5, 8, 5>()};
constexpr auto equal = sweep_of<EqualMass, 4, 5, 8, 2>();
constexpr auto general = sweep_of<Accelerations, 2, 4, 4, 5>();

void run(const PairProblem<F64>& p, const LaunchShape& shape) {
  const auto& sweep = cuda::sweep_for<double, Sums>(sweeps, shape, "cuda/fp64-symmetric");
  cuda::run_symmetric<F64, Sums>(p, "cuda/fp64-symmetric", {equal, sweep, general});
}

constexpr std::array shapes{sweeps[0].shape, sweeps[1].shape};

}  // namespace

extern constinit const DirectKernel cuda_fp64_symmetric{
    .name = "cuda/fp64-symmetric",
    .rung = 135,
    .idea = "double precision with each pair computed once, as a force, and sums that have no order",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .potential = false},
    .fma_port_operations = {.f64 = 18},
    .shapes = shapes,
    .f64 = run};

}  // namespace pleiad
