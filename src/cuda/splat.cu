/// A thread per body deposits its kernels, with additions in the memory of the planes: 16.8 million bodies of
/// a sphere take 7 to 12 ms on an H200 (the more, the narrower the core on the picture), a million 1.6 ms.
/// Sorting them by tiles of 16 x 16 pixels and adding in shared memory took 7 to 11 ms: the sort and the
/// arithmetic in double precision cost what the additions that collide less often gain.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/splat.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pleiad::cuda {
namespace {

using splat::Layout;
using splat::Spot;
using Light = unsigned long long;  // fixed point, in two's complement

constexpr unsigned threads = 256;
unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

/// Data of a type of bodies for the device.
struct Kind {
  int plane = -1;  ///< among those that are drawn; -1: it is not
  double least = 0, scale = 0;
  splat::Smoothing smoothing{};
};
struct Kinds {
  Kind of[splat::types];
};

template <class T>
struct Seen {
  const Mass<T>* x;
  const Type* type;  ///< null: all are of type `only`
  std::size_t n;
  std::size_t only;
  splat::Projection projection;

  /// Calls see(spot, kind) for every image of body i.
  template <class See>
  __device__ void each_image(std::size_t i, const Kinds& kinds, See&& see) const {
    const Kind& kind = kinds.of[type == nullptr ? only : std::size_t(type[i])];
    const double m = double(x[i].m);
    projection.each_image({double(x[i].x), double(x[i].y), double(x[i].z)}, m > 0 ? m : kind.least,
                          [&](const Spot& s) { see(s, kind); });
  }
};

__device__ inline std::size_t my_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class T>
__global__ void count_spots(Seen<T> seen, Kinds kinds, Layout layout, std::uint32_t* counts) {
  const std::size_t i = my_index();
  if (i >= seen.n) return;
  const std::size_t whole = layout.begin_of(layout.levels);
  seen.each_image(i, kinds, [&](const Spot& s, const Kind& kind) {
    if (const auto pixel = splat::pixel_of(s, layout); pixel < layout.pixels_at(0))
      atomicAdd(counts + std::size_t(kind.plane) * whole + pixel, std::uint32_t{1});
  });
}

/// Sums of 2 x 2 pixels of the level above.
__global__ void coarsen(Layout layout, int level, std::uint32_t* counts) {
  const std::size_t pixel = my_index(), side = std::size_t(layout.side_at(level));
  if (pixel >= side * side) return;
  std::uint32_t* here = counts + std::size_t(blockIdx.y) * layout.begin_of(layout.levels);
  const std::uint32_t* corner =
      here + layout.begin_of(level - 1) + 2 * (pixel / side) * 2 * side + 2 * (pixel % side);
  here[layout.begin_of(level) + pixel] = corner[0] + corner[1] + corner[2 * side] + corner[2 * side + 1];
}

__device__ inline void lay(const splat::Kernel& kernel, const Layout& layout, double scale, Light* planes) {
  const int side = layout.side_at(kernel.level);
  Light* plane = planes + layout.begin_of(kernel.level);
  splat::lay(kernel, side, {.top = 0, .bottom = side, .left = 0, .right = side},
             [&](std::size_t pixel, double weight) {
               atomicAdd(plane + pixel, static_cast<Light>(static_cast<long long>(weight * scale + 0.5)));
             });
}

template <class T>
__global__ void lay_kernels(Seen<T> seen, Kinds kinds, Layout layout, const std::uint32_t* counts,
                            Light* light) {
  const std::size_t i = my_index();
  if (i >= seen.n) return;
  const std::size_t whole = layout.begin_of(layout.levels);
  seen.each_image(i, kinds, [&](const Spot& s, const Kind& kind) {
    const std::size_t plane = std::size_t(kind.plane) * whole;
    const auto& how = kind.smoothing;
    lay(splat::wide_kernel(s, counts + plane, layout, how, seen.projection.size), layout, kind.scale,
        light + plane);
    if (how.core_fraction > 0) lay(splat::core_kernel(s, layout, how), layout, kind.scale, light + plane);
  });
}

/// A power of two such that all the light fits into 62 bits.
double scale_for(double most) { return std::ldexp(1.0, 61 - std::ilogb(most)); }

std::vector<double> widened(const Light* fixed, std::size_t pixels, double scale) {
  std::vector<double> light(pixels);
  constexpr std::size_t piece = 1 << 16;
  parallel_for((pixels + piece - 1) / piece, [&](std::size_t b) {
    for (std::size_t p = b * piece; p < std::min(pixels, (b + 1) * piece); ++p)
      light[p] = double(static_cast<long long>(fixed[p])) / scale;
  });
  return light;
}

/// The sums over the coarsest level of each plane, which are those of all levels. Waits for them.
std::vector<std::size_t> sums_of(const Layout& layout, const Buffer<std::uint32_t>& counts, unsigned planes,
                                 void* stream) {
  const int coarsest = layout.levels - 1;
  std::vector<std::uint32_t> few(layout.pixels_at(coarsest));
  std::vector<std::size_t> sums;
  for (unsigned plane = 0; plane < planes; ++plane) {
    const auto at = plane * layout.begin_of(layout.levels) + layout.begin_of(coarsest);
    cuda::copy_to_host(few.data(), counts.data() + at, few.size() * sizeof(few[0]), stream);
    sums.push_back(std::accumulate(few.begin(), few.end(), std::size_t{0}));
  }
  return sums;
}

}  // namespace

struct LayerStaging {
  LayerStaging(std::size_t finest, std::size_t all) : counts(finest), light(all) {}
  Pinned<std::uint32_t> counts;
  Pinned<Light> light;
  Mark there;
};

template <class T>
std::function<splat::ImagePlanes()> begin_image_planes(const Mass<T>* x, std::size_t n,
                                                       const splat::Request& request,
                                                       std::shared_ptr<LayerStaging>& staging, void* stream) {
  const Layout layout(request.projection.size);
  const std::size_t whole = layout.begin_of(layout.levels), finest = layout.pixels_at(0);
  Kinds kinds;
  Seen<T> seen{.x = x, .type = nullptr, .n = n, .only = 0, .projection = request.projection};
  unsigned planes = 0;
  for (std::size_t k = 0; k < splat::types; ++k)
    if (request.shine.bodies[k] > 0) {
      kinds.of[k].plane = int(planes++), seen.only = k;
      kinds.of[k].least = request.shine.least[k], kinds.of[k].scale = scale_for(request.shine.most[k]);
    }
  if (planes == 0) return [] { return splat::ImagePlanes{}; };
  Buffer<Type> types;
  if (planes > 1) types = Buffer<Type>(request.type, stream), seen.type = types.data();

  Buffer<std::uint32_t> counts(planes * whole, stream);
  counts.set_bytes(0);
  launch("count-spots", count_spots<T>, {.blocks = blocks_for(n), .threads = threads}, stream, seen, kinds,
         layout, counts.data());
  for (int level = 1; level < layout.levels; ++level)
    launch("coarsen", coarsen,
           {.blocks = blocks_for(layout.pixels_at(level)), .threads = threads, .blocks_y = planes}, stream,
           layout, level, counts.data());
  const auto sums = sums_of(layout, counts, planes, stream);
  std::array<std::size_t, splat::types> spots{};
  for (std::size_t k = 0; k < splat::types; ++k)
    if (kinds.of[k].plane >= 0) spots[k] = sums[std::size_t(kinds.of[k].plane)];
  const auto smoothing = request.smoothing(spots);
  for (std::size_t k = 0; k < splat::types; ++k) kinds.of[k].smoothing = smoothing[k];

  Buffer<Light> light(planes * whole, stream);
  light.set_bytes(0);
  launch("lay-kernels", lay_kernels<T>, {.blocks = blocks_for(n), .threads = threads}, stream, seen, kinds,
         layout, std::as_const(counts).data(), light.data());
  // The layers of the last picture may still be in use.
  if (!staging || staging.use_count() > 1 || staging->light.size() < light.size() ||
      staging->counts.size() < planes * finest)
    staging = std::make_shared<LayerStaging>(planes * finest, planes * whole);
  for (unsigned plane = 0; plane < planes; ++plane)
    copy_to_pinned(staging->counts.data() + plane * finest, counts.data() + plane * whole,
                   finest * sizeof(std::uint32_t), stream);
  copy_to_pinned(staging->light.data(), light.data(), light.size() * sizeof(Light), stream);
  staging->there.set(stream);
  std::array<int, splat::types> plane_of{};
  std::array<double, splat::types> scale_of{};
  for (std::size_t k = 0; k < splat::types; ++k)
    plane_of[k] = kinds.of[k].plane, scale_of[k] = kinds.of[k].scale;
  return [held = staging, plane_of, scale_of, spots, whole, finest] {
    held->there.wait();
    splat::ImagePlanes layers;
    for (std::size_t k = 0; k < splat::types; ++k)
      if (const int plane = plane_of[k]; plane >= 0) {
        const auto* first = std::as_const(held->counts).data() + std::size_t(plane) * finest;
        layers[k] = {.spots = spots[k],
                     .counts = {first, first + finest},
                     .light = widened(std::as_const(held->light).data() + std::size_t(plane) * whole, whole,
                                      scale_of[k])};
      }
    return layers;
  };
}

template std::function<splat::ImagePlanes()> begin_image_planes(const Mass<float>*, std::size_t,
                                                                const splat::Request&,
                                                                std::shared_ptr<LayerStaging>&, void*);
template std::function<splat::ImagePlanes()> begin_image_planes(const Mass<double>*, std::size_t,
                                                                const splat::Request&,
                                                                std::shared_ptr<LayerStaging>&, void*);

}  // namespace pleiad::cuda
