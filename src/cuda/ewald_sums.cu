#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/ewald_sums.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 128;
/// Waves that a block sums over all sources, and targets that it pulls: sources are read once for some.
constexpr int at_once = 4;
constexpr double turn = 6.283185307179586477;

struct Space {
  Vec3<double> sides, per_side;
  double eps2, alpha, cut2;
};

/// The parts of one value that threads of a block have, added in one order; in thread 0.
__device__ double joined(double mine, double* shared) {
  __syncthreads();
  shared[threadIdx.x] = mine;
  for (unsigned some = threads / 2; some > 0; some /= 2) {
    __syncthreads();
    if (threadIdx.x < some) shared[threadIdx.x] += shared[threadIdx.x + some];
  }
  return shared[0];
}

/// Sine and cosine of an angle in turns.
__device__ void of_turns(double turns, double& sine, double& cosine) {
  const double angle = turn * (turns - std::rint(turns));
  sine = std::sin(angle), cosine = std::cos(angle);
}

__device__ double turns_of(const EwaldWave& wave, const Vec3<double>& x, const Space& space) {
  return wave.a * (x.x * space.per_side.x) + wave.b * (x.y * space.per_side.y) +
         wave.c * (x.z * space.per_side.z);
}

/// sum m cos and sum m sin of some waves, times their amplitudes.
__global__ void __launch_bounds__(threads)
    sum_waves(const Mass<double>* __restrict__ sources, std::size_t n, const EwaldWave* __restrict__ waves,
              unsigned count, Space space, double* __restrict__ sums) {
  const unsigned first = blockIdx.x * at_once;
  double cosines[at_once] = {}, sines[at_once] = {};
  EwaldWave own[at_once];
  for (int k = 0; k < at_once; ++k)
    own[k] = first + unsigned(k) < count ? waves[first + unsigned(k)] : EwaldWave{};
  for (std::size_t i = threadIdx.x; i < n; i += threads) {
    const auto source = sources[i];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      double sine = 0, cosine = 0;
      of_turns(turns_of(own[k], source.position(), space), sine, cosine);
      cosines[k] += source.m * cosine, sines[k] += source.m * sine;
    }
  }
  auto* const shared = dynamic_shared<double>();
  for (int k = 0; k < at_once; ++k) {
    const double c = joined(cosines[k], shared), s = joined(sines[k], shared);
    if (threadIdx.x == 0 && first + unsigned(k) < count) {
      sums[2 * (first + unsigned(k))] = own[k].amplitude * c;
      sums[2 * (first + unsigned(k)) + 1] = own[k].amplitude * s;
    }
  }
}

/// A separation in the box about 0.
__device__ double nearest(double d, double side, double per_side) {
  return d - side * std::rint(d * per_side);
}

/// The pull of the nearest image of a source.
__device__ Vec3<double> pull_of_nearest(const Mass<double>& source, const Vec3<double>& x,
                                        const Space& space) {
  constexpr double two_per_root_pi = 1.1283791670955125739;
  const Vec3<double> d{nearest(source.x - x.x, space.sides.x, space.per_side.x),
                       nearest(source.y - x.y, space.sides.y, space.per_side.y),
                       nearest(source.z - x.z, space.sides.z, space.per_side.z)};
  const double r2 = dot(d, d), s2 = r2 + space.eps2;
  if (r2 == 0 || s2 >= space.cut2) return {};  // a body at the target's place, the target itself for one
  const double s = std::sqrt(s2), u = space.alpha * s;
  return (source.m * (std::erfc(u) / s + two_per_root_pi * space.alpha * std::exp(-u * u)) / s2) * d;
}

/// The pulls on some targets: of nearest images, and of waves.
__global__ void __launch_bounds__(threads)
    pull_targets(const Vec3<double>* __restrict__ targets, unsigned n_targets,
                 const Mass<double>* __restrict__ sources, std::size_t n, const EwaldWave* __restrict__ waves,
                 const double* __restrict__ of_waves, unsigned count, Space space,
                 Vec3<double>* __restrict__ pulls) {
  const unsigned first = blockIdx.x * at_once;
  Vec3<double> x[at_once], sums[at_once];
  for (int k = 0; k < at_once; ++k)
    x[k] = targets[first + unsigned(k) < n_targets ? first + unsigned(k) : first], sums[k] = {};
  for (std::size_t i = threadIdx.x; i < n; i += threads) {
    const auto source = sources[i];
#pragma unroll
    for (int k = 0; k < at_once; ++k) sums[k] += pull_of_nearest(source, x[k], space);
  }
  for (unsigned w = threadIdx.x; w < count; w += threads) {
    const auto wave = waves[w];
    const double with_cosine = of_waves[2 * w], with_sine = of_waves[2 * w + 1];
    for (int k = 0; k < at_once; ++k) {
      double sine = 0, cosine = 0;
      of_turns(turns_of(wave, x[k], space), sine, cosine);
      const double f = -turn * (sine * with_cosine - cosine * with_sine);
      sums[k] += Vec3<double>{f * wave.a * space.per_side.x, f * wave.b * space.per_side.y,
                              f * wave.c * space.per_side.z};
    }
  }
  auto* const shared = dynamic_shared<double>();
  for (int k = 0; k < at_once; ++k) {
    const double ax = joined(sums[k].x, shared), ay = joined(sums[k].y, shared),
                 az = joined(sums[k].z, shared);
    if (threadIdx.x == 0 && first + unsigned(k) < n_targets) pulls[first + unsigned(k)] = {ax, ay, az};
  }
}

}  // namespace

std::vector<Vec3<double>> ewald_pulls(std::span<const Vec3<double>> targets,
                                      std::span<const Mass<double>> sources, const EwaldSplitting& by,
                                      void* stream) {
  std::vector<Vec3<double>> pulls(targets.size());
  if (targets.empty()) return pulls;
  const auto& l = by.sides;
  const Space space{.sides = l,
                    .per_side = {1 / l.x, 1 / l.y, 1 / l.z},
                    .eps2 = by.eps * by.eps,
                    .alpha = by.alpha,
                    .cut2 = by.cut * by.cut};
  const Buffer<EwaldWave> waves(std::span<const EwaldWave>(by.waves), stream);
  const Buffer<Vec3<double>> places(targets, stream);
  Buffer<double> of_waves(2 * by.waves.size(), stream);
  Buffer<Vec3<double>> found(targets.size(), stream);
  const auto count = unsigned(by.waves.size());
  constexpr unsigned shared = threads * sizeof(double);
  launch("waves of all images", sum_waves,
         {.blocks = (count + at_once - 1) / at_once, .threads = threads, .shared_bytes = shared}, stream,
         sources.data(), sources.size(), waves.data(), count, space, of_waves.data());
  launch("pulls of all images", pull_targets,
         {.blocks = (unsigned(targets.size()) + at_once - 1) / at_once,
          .threads = threads,
          .shared_bytes = shared},
         stream, places.data(), unsigned(targets.size()), sources.data(), sources.size(), waves.data(),
         static_cast<const double*>(of_waves.data()), count, space, found.data());
  found.copy_to_host(pulls);
  return pulls;
}

}  // namespace pleiad::cuda
