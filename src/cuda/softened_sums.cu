/// Softened sums: as rung 15, K targets per thread in registers and the sources split over blocks, but each
/// pair has a softening of its own, or a spline. Partial sums are added in a fixed order. The number of
/// splits follows from the sources alone, and targets that are many are taken some at a time: the bits of a
/// target do not depend on the others, and so neither on the number of GPUs nor on that of test particles.
///
/// The square of the radius of a pair is one instruction more: the larger one, or the sum. A spline is
/// Newtonian beyond its radius: a comparison, and for the pairs of K targets with a source one branch, which
/// warps leave together wherever bodies are sparse. A tile of 64 sources is summed in the arithmetic of the
/// pairs and added in that of the sums.
///
/// Counted in the machine code of the pair loop (sm_90, nvcc 13.0; an operation in double precision is two
/// slots), not measured: a pull of Plummer's form takes 14.7 slots in f32, 20.9 in mixed and 39 in f64; of a
/// spline, outside of its radius, 16.5, 22.6 and 41, inside some 50 (f64 150) for each source that any target
/// of the warp meets there. An H100 has 2.97e13 slots a second: at most 2.0e12, 1.4e12 and 7.6e11 pulls of
/// Plummer's form. Rung 15 reaches four fifths of its bound.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/softened_sums.hpp"
#include "cuda/steps/place.hpp"

#include <algorithm>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 64;
constexpr int width = 4;  ///< targets of a thread
constexpr std::string_view name = "cuda/softened-sums";

/// The square of the radius of a pair.
template <SofteningRule rule, class M>
__device__ M radius2_of_pair(M target, M source) {
  using std::fmax;
  if constexpr (rule == SofteningRule::quadratic) return target + source;
  else if constexpr (sizeof(M) == 4) return fmax(target, source);  // one instruction
  else return target > source ? target : source;
}

/// r^-3 for r2 > 0.
__device__ inline float cube_of(float r2) {
  const float y = rsqrt_approx(r2);
  return y * (y * y);
}
__device__ inline double cube_of(double r2) { return inverse_cube(r2); }
/// 1 / r.
__device__ inline float root_of(float r2) { return rsqrt_approx(r2); }
__device__ inline double root_of(double r2) { return inverse_root(r2, rsqrt_approx(r2)); }

/// The pull over mass and separation inside of a spline, and the potential of a unit mass: spline_factors()
/// without divisions.
template <class M>
__device__ M cube_in_spline(M r2, M radius2, M& potential) {
  const M y = root_of(r2 > floor_eps2<M> ? r2 : floor_eps2<M>), per_radius = root_of(radius2);
  const M u = r2 * y * per_radius, u2 = u * u;
  M pull;
  if (u < M(0.5)) {
    potential = M(14.0 / 5) - u2 * (M(16.0 / 3) - u2 * (M(48.0 / 5) - M(32.0 / 5) * u));
    pull = M(32.0 / 3) + u2 * (M(32) * u - M(192.0 / 5));
  } else {
    const M per_u = y * (radius2 * per_radius), fifteenth = M(1.0 / 15) * per_u;
    potential =
        M(16.0 / 5) - fifteenth - u2 * (M(32.0 / 3) - u * (M(16) - u * (M(48.0 / 5) - M(32.0 / 15) * u)));
    pull = M(64.0 / 3) - fifteenth * (per_u * per_u) - u * (M(48) - u * (M(192.0 / 5) - M(32.0 / 3) * u));
  }
  potential *= -per_radius;
  return pull * (per_radius * per_radius * per_radius);
}

/// cube[k] = pull over mass and separation d[k].
template <SofteningKernel kernel, class M>
__device__ void softened_cubes(const Vec3<M> (&d)[width], const M (&radius2)[width], M (&cube)[width]) {
  using std::fma;
  if constexpr (kernel == SofteningKernel::plummer) {
#pragma unroll
    for (unsigned k = 0; k < width; ++k) cube[k] = inverse_cube_of(d[k], radius2[k]);
  } else {
    M r2[width];
    bool inside = false;
#pragma unroll
    for (unsigned k = 0; k < width; ++k) {
      r2[k] = fma(d[k].x, d[k].x, fma(d[k].y, d[k].y, d[k].z * d[k].z));
      inside |= r2[k] < radius2[k];
      cube[k] = cube_of(r2[k]);
    }
    if (!inside) return;
#pragma unroll
    for (unsigned k = 0; k < width; ++k) {
      M potential;
      if (r2[k] < radius2[k]) cube[k] = cube_in_spline(r2[k], radius2[k], potential);
    }
  }
}

/// partial[s * n_targets + i]: the pull of the tiles s, s + S, s + 2 S, ... of sources on target i.
template <class P, SofteningKernel kernel, SofteningRule rule>
__global__ void __launch_bounds__(threads)
    sum_pulls(const Mass<typename P::Position>* __restrict__ targets,
              const typename P::Math* __restrict__ of_targets, std::size_t n_targets,
              const Mass<typename P::Position>* __restrict__ sources,
              const typename P::Math* __restrict__ of_sources, std::size_t n_sources, typename P::Math floor,
              Vec4<typename P::Sum>* __restrict__ partial) {
  using M = typename P::Math;
  using S = typename P::Sum;
  using std::fma;
  auto* const memory = dynamic_shared<unsigned char>();
  const Places<P> staged(memory, threads);
  M* const radii2 = reinterpret_cast<M*>(memory + threads * Places<P>::bytes);
  const std::size_t i = std::size_t{blockIdx.x} * threads * width + threadIdx.x;
  Place<P> target[width];
  M radius2[width];
  Vec3<S> sum[width];
#pragma unroll
  for (unsigned k = 0; k < width; ++k) {
    const std::size_t mine = i + k * threads, at = mine < n_targets ? mine : 0;
    const auto x = targets[at];
    target[k] = place_of<P>(x.x, x.y, x.z, x.m);
    const M own = of_targets[at];
    radius2[k] = own > floor ? own : floor;
  }
  const std::size_t stride = std::size_t{gridDim.y} * threads;
  for (std::size_t first = std::size_t{blockIdx.y} * threads; first < n_sources; first += stride) {
    const std::size_t mine = first + threadIdx.x;
    const bool there = mine < n_sources;
    const auto x = there ? sources[mine] : Mass<typename P::Position>{};
    staged.set(threadIdx.x, place_of<P>(x.x, x.y, x.z, x.m));
    radii2[threadIdx.x] = there ? of_sources[mine] : M(0);
    __syncthreads();
    M a[width][3]{};
    [[maybe_unused]] constexpr int unrolled = kernel == SofteningKernel::plummer ? 4 : 2;
#pragma unroll unrolled
    for (unsigned j = 0; j < threads; ++j) {
      const auto source = staged[j];
      const M of_source = radii2[j];
      Vec3<M> d[width];
      M pair2[width], cube[width];
#pragma unroll
      for (unsigned k = 0; k < width; ++k) {
        d[k] = separation<P>(source, target[k]);
        pair2[k] = radius2_of_pair<rule>(radius2[k], of_source);
      }
      softened_cubes<kernel>(d, pair2, cube);
#pragma unroll
      for (unsigned k = 0; k < width; ++k) {
        const M g = source.m * cube[k];
        a[k][0] = fma(d[k].x, g, a[k][0]), a[k][1] = fma(d[k].y, g, a[k][1]),
        a[k][2] = fma(d[k].z, g, a[k][2]);
      }
    }
#pragma unroll
    for (unsigned k = 0; k < width; ++k) sum[k] += {S(a[k][0]), S(a[k][1]), S(a[k][2])};
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < width; ++k) {
    const std::size_t mine = i + k * threads;
    if (mine < n_targets) partial[blockIdx.y * n_targets + mine] = {sum[k].x, sum[k].y, sum[k].z, S(0)};
  }
}

/// The rarer sums, with potentials or in a periodic box: a thread for each target. Differences are taken in
/// the precision of positions. `first`: the number of target 0.
template <class P, SofteningKernel kernel>
__global__ void __launch_bounds__(threads)
    sum_potentials(const Mass<typename P::Position>* __restrict__ targets,
                   const typename P::Math* __restrict__ of_targets, std::size_t n_targets,
                   std::size_t first_number, const Mass<typename P::Position>* __restrict__ sources,
                   const typename P::Math* __restrict__ of_sources, const std::uint32_t* __restrict__ numbers,
                   std::size_t n_sources, SofteningRule rule, bool periodic, Box<typename P::Position> box,
                   Vec4<typename P::Sum>* __restrict__ partial) {
  using M = typename P::Math;
  using S = typename P::Sum;
  auto* const staged = dynamic_shared<Mass<typename P::Position>>();
  M* const radii2 = reinterpret_cast<M*>(staged + threads);
  auto* const staged_numbers = reinterpret_cast<std::uint32_t*>(radii2 + threads);
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x, at = i < n_targets ? i : 0;
  const auto target = targets[at];
  const M of_target = of_targets[at];
  const auto own = static_cast<std::uint32_t>(first_number + i);
  Vec4<S> sum{};
  const std::size_t stride = std::size_t{gridDim.y} * threads;
  for (std::size_t first = std::size_t{blockIdx.y} * threads; first < n_sources; first += stride) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) {
      staged[threadIdx.x] = sources[mine], radii2[threadIdx.x] = of_sources[mine];
      staged_numbers[threadIdx.x] = numbers == nullptr ? static_cast<std::uint32_t>(mine) : numbers[mine];
    }
    __syncthreads();
    const unsigned count = n_sources - first < threads ? static_cast<unsigned>(n_sources - first) : threads;
    Vec4<M> a{};
    for (unsigned j = 0; j < count; ++j) {
      const auto source = staged[j];
      auto apart = source.position() - target.position();
      if (periodic) apart = minimum_image(apart, box);
      const Vec3<M> d{M(apart.x), M(apart.y), M(apart.z)};
      const M radius2 = rule == SofteningRule::max
                            ? radius2_of_pair<SofteningRule::max>(of_target, radii2[j])
                            : radius2_of_pair<SofteningRule::quadratic>(of_target, radii2[j]);
      const M r2 = d.x * d.x + d.y * d.y + d.z * d.z;
      M cube, potential;
      if (kernel == SofteningKernel::spline && r2 < radius2) {
        cube = cube_in_spline(r2, radius2, potential);
      } else {
        const M s = kernel == SofteningKernel::plummer ? r2 + radius2 : r2;
        const M y = s > M(0) ? inverse_sqrt(s) : M(0);
        cube = y * y * y, potential = -y;
      }
      const M m = source.m, g = m * cube;
      a.x += d.x * g, a.y += d.y * g, a.z += d.z * g;
      if (staged_numbers[j] != own) a.w += m * potential;
    }
    sum.x += S(a.x), sum.y += S(a.y), sum.z += S(a.z), sum.w += S(a.w);
    __syncthreads();
  }
  if (i < n_targets) partial[blockIdx.y * n_targets + i] = sum;
}

template <class S>
__global__ void add_up(const Vec4<S>* __restrict__ partial, unsigned splits, std::size_t n, bool potential,
                       Vec4<S>* __restrict__ sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec4<S> sum{};
  for (unsigned s = 0; s < splits; ++s) {
    const auto part = partial[s * n + i];
    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
  }
  if (!potential) sum.w = 0;
  sums[i] = sum;
}

template <class T>
__global__ void scale_each(const Vec4<T>* __restrict__ sums, const double* __restrict__ eps, std::size_t n,
                           Vec4<double>* __restrict__ to) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double per = 1 / eps[i];
  to[i] = {per * double(sums[i].x), per * double(sums[i].y), per * double(sums[i].z), 0};
}

/// The sums of some targets.
template <class P>
void sum_some(const PairProblem<P>& p, const SoftenedPairs<P>& pairs, unsigned splits) {
  using M = typename P::Math;
  using S = typename P::Sum;
  const std::size_t n = p.targets.size();
  const auto& softening = p.softening;
  Buffer<Vec4<S>> partial(splits * n, p.stream);
  if (p.potential || p.boundary.periodic) {
    const auto go = [&](auto* kernel) {
      constexpr unsigned each = sizeof(Mass<typename P::Position>) + sizeof(M) + sizeof(std::uint32_t);
      launch(name, kernel,
             {.blocks = ceil_div(n, threads),
              .threads = threads,
              .shared_bytes = threads * each,
              .blocks_y = splits},
             p.stream, p.targets.data(), pairs.of_targets, n, static_cast<std::size_t>(p.self),
             p.sources.data(), pairs.of_sources, pairs.numbers, p.sources.size(), softening.rule,
             p.boundary.periodic, Box<typename P::Position>(p.boundary), partial.data());
    };
    if (softening.kernel == SofteningKernel::spline) go(sum_potentials<P, SofteningKernel::spline>);
    else go(sum_potentials<P, SofteningKernel::plummer>);
  } else {
    const auto go = [&](auto* kernel) {
      launch(name, kernel,
             {.blocks = ceil_div(n, std::size_t{threads} * width),
              .threads = threads,
              .shared_bytes = threads * unsigned(Places<P>::bytes + sizeof(M)),
              .blocks_y = splits},
             p.stream, p.targets.data(), pairs.of_targets, n, p.sources.data(), pairs.of_sources,
             p.sources.size(), floor_eps2_for<M>(p.heaviest), partial.data());
    };
    constexpr auto plummer = SofteningKernel::plummer, spline = SofteningKernel::spline;
    constexpr auto max = SofteningRule::max, quadratic = SofteningRule::quadratic;
    if (softening.kernel == spline) {
      if (softening.rule == max) go(sum_pulls<P, spline, max>);
      else go(sum_pulls<P, spline, quadratic>);
    } else {
      if (softening.rule == max) go(sum_pulls<P, plummer, max>);
      else go(sum_pulls<P, plummer, quadratic>);
    }
  }
  launch(name, add_up<S>, {.blocks = ceil_div(n, 256), .threads = 256}, p.stream, partial.data(), splits, n,
         p.potential, p.sums.data());
}

}  // namespace

template <class P>
void softened_sums(const PairProblem<P>& problem, const SoftenedPairs<P>& pairs) {
  refuse_all_images(problem, name);
  const unsigned tiles = ceil_div(problem.sources.size(), threads), splits = std::clamp(tiles, 1U, 32U);
  constexpr std::size_t room = std::size_t{256} << 20;  // of partial sums
  const std::size_t at_once = room / (splits * sizeof(Vec4<typename P::Sum>)), n = problem.targets.size();
  for (std::size_t first = 0; first < n; first += at_once) {
    const std::size_t count = std::min(at_once, n - first);
    auto some = problem;
    some.targets = problem.targets.subspan(first, count), some.sums = problem.sums.subspan(first, count);
    some.self = problem.self + static_cast<std::ptrdiff_t>(first);
    auto of_some = pairs;
    of_some.of_targets += first;
    sum_some(some, of_some, splits);
  }
}
template void softened_sums(const PairProblem<F32>&, const SoftenedPairs<F32>&);
template void softened_sums(const PairProblem<F64>&, const SoftenedPairs<F64>&);
template void softened_sums(const PairProblem<Mixed>&, const SoftenedPairs<Mixed>&);

template <class T>
void pulls_per_softening(const Vec4<T>* sums, const double* eps, std::size_t n, Vec4<double>* to,
                         void* stream) {
  launch("cuda/pulls-per-softening", scale_each<T>, {.blocks = ceil_div(n, 256), .threads = 256}, stream,
         sums, eps, n, to);
}
template void pulls_per_softening(const Vec4<float>*, const double*, std::size_t, Vec4<double>*, void*);
template void pulls_per_softening(const Vec4<double>*, const double*, std::size_t, Vec4<double>*, void*);

}  // namespace pleiad::cuda
