/// P2P on the device, bodies on the bodies of a leaf: a warp per tile of targets, several targets per lane;
/// lanes that are left over take other sources. Then the field of far cells, and the sums go to the caller.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/async_copy.hpp"
#include "cuda/tree/images.hpp"
#include "cuda/tree/operators.hpp"
#include "cuda/tree/reader.hpp"

#include <type_traits>

namespace pleiad::cuda::tree {

/// Sources in shared memory: two buffers, of which one is filled while the other is used.
constexpr int p2p_capacity = 128, p2p_buffer = p2p_capacity + 32;
constexpr unsigned p2p_bytes = 2 * p2p_buffer * sizeof(Mass<float>);

/// The least softening, in the tree's units: bodies at one place pull with 0 times a number, and no cube
/// overflows.
constexpr float least_eps2 = 0x1p-80f;

/// The targets and sources of a warp, and their division among its lanes: `groups` lanes have different
/// targets; further lanes have the same targets and other sources. At: of the origin. In a periodic box it is
/// double also for positions in single precision, which are not shifted by a box without rounding.
template <class T, class At = T>
struct Aim {
  const Mass<T>* bodies = nullptr;
  std::uint32_t first = 0;  ///< target
  int targets = 0, groups = 0, shares = 0, share = 0, group = 0;
  Vec3<At> origin{};  ///< of positions in single precision
  float eps2 = 0;
  float self_up_to = 0;  ///< softened squares of distances at which bodies have no potential in each other

  __device__ Mass<float> relative(const Mass<T>& b) const { return relative(b, origin); }
  __device__ static Mass<float> relative(const Mass<T>& b, const Vec3<At>& to) {
    return {float(b.x - to.x), float(b.y - to.y), float(b.z - to.z), float(b.m)};
  }
};

template <int per_lane, bool potential>
struct Sums {
  float x[per_lane], y[per_lane], z[per_lane], ax[per_lane], ay[per_lane], az[per_lane];
  float phi[potential ? per_lane : 1];

  template <class Aim>
  __device__ __forceinline__ void aim(const Aim& aim) {
#pragma unroll
    for (int k = 0; k < per_lane; ++k) {
      const int t = k * aim.groups + aim.group, last = aim.targets - 1;
      const auto b = aim.relative(aim.bodies[aim.first + unsigned(t < last ? t : last)]);
      x[k] = b.x, y[k] = b.y, z[k] = b.z, ax[k] = ay[k] = az[k] = 0;
      if constexpr (potential) phi[k] = 0;
    }
  }
  /// `self`: where target 0 would lie in the buffer; `own` if it may lie there.
  template <bool own, class Aim>
  __device__ __forceinline__ void add(const Aim& aim, const Mass<float>* __restrict__ sources, int n,
                                      int self) {
#pragma unroll 1
    for (int j = aim.share; j < n; j += aim.shares) {
      const Mass<float> b = sources[j];
#pragma unroll
      for (int k = 0; k < per_lane; ++k) {
        const float dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
        const float r2 = fma_rn(dx, dx, fma_rn(dy, dy, fma_rn(dz, dz, aim.eps2)));
        const float i = rsqrt_approx(r2), mi = b.m * i, f = mi * (i * i);
        ax[k] = fma_rn(f, dx, ax[k]), ay[k] = fma_rn(f, dy, ay[k]), az[k] = fma_rn(f, dz, az[k]);
        if constexpr (potential && own)
          phi[k] += j == self + k * aim.groups + aim.group || r2 <= aim.self_up_to ? 0 : mi;
        else if constexpr (potential) phi[k] += mi;
      }
    }
  }
  /// Adds the sums of lanes with the same targets; those of share 0 then have the result.
  template <class Aim>
  __device__ __forceinline__ void join(const Aim& aim) {
    for (int left = aim.shares; left > 1; left = (left + 1) / 2) {
      const int half = (left + 1) / 2, from = (lane_id() + half * aim.groups) & 31;
      const bool takes = aim.share + half < left;
      const auto take = [&](float& sum) {
        const float other = __shfl_sync(~0u, sum, from);
        if (takes) sum += other;
      };
#pragma unroll
      for (int k = 0; k < per_lane; ++k) {
        take(ax[k]), take(ay[k]), take(az[k]);
        if constexpr (potential) take(phi[k]);
      }
    }
  }
};

/// Brings the bodies of leaves side by side into shared memory.
template <class T, class At = T>
class Packer {
 public:
  __device__ Packer(const Aim<T, At>& aim, Mass<float>* buffers)
      : aim_(aim), buffers_(buffers), origin_(aim.origin) {}
  /// The bodies that are put next are in an image that is shifted by this.
  __device__ void shift(const Vec3<double>& by) { origin_ = aim_.origin - by; }
  /// `n` bodies from `first` on, 32 at most. Whether the buffer is full then.
  __device__ bool put(std::uint32_t first, int n) {
    const int lane = lane_id();
    if (lane < n) {
      Mass<float>* const to = buffers_ + turn_ * p2p_buffer + fill_ + lane;
      if constexpr (std::is_same_v<At, float>) begin_copy16(to, aim_.bodies + first + lane);
      else *to = aim_.relative(aim_.bodies[first + unsigned(lane)], origin_);
    }
    fill_ += n;
    return fill_ >= p2p_capacity;
  }
  __device__ int fill() const { return fill_; }
  /// The other buffer is to be filled now; `use(sources, n, self, own)` is called for the one before.
  template <class Use>
  __device__ __forceinline__ void turn(const Use& use) {
    end_group();
    if (before_ > 0) {
      wait_for_groups<1>();
      use_before(use);
    }
    before_ = fill_, before_self_ = self_, before_own_ = own_;
    fill_ = 0, turn_ ^= 1, own_ = false;
  }
  template <class Use>
  __device__ __forceinline__ void finish(const Use& use) {
    turn(use);
    wait_for_groups<0>();
    use_before(use);
  }
  /// Targets begin `targets` behind the body that is put next.
  __device__ void own(int targets) { own_ = true, self_ = fill_ + targets; }
  /// Whether targets are in the buffer that is filled.
  __device__ bool owns() const { return own_; }

 private:
  template <class Use>
  __device__ __forceinline__ void use_before(const Use& use) {
    __syncwarp();
    use(buffers_ + (turn_ ^ 1) * p2p_buffer, before_, before_self_, before_own_);
    __syncwarp();
  }
  const Aim<T, At>& aim_;
  Mass<float>* buffers_;
  Vec3<At> origin_;
  int fill_ = 0, turn_ = 0, self_ = 0, before_ = 0, before_self_ = 0;
  bool own_ = false, before_own_ = false;
};

/// The pulls of P2P sources on a tile, into shared memory.
template <int per_lane, bool potential, bool in_box, class T, class At>
__device__ __forceinline__ void add_p2p(Aim<T, At> aim, const Cells& cells, const Lists& lists,
                                        const Images& images, std::uint32_t c,
                                        Mass<float>* __restrict__ buffers) {
  aim.groups = (aim.targets + per_lane - 1) / per_lane, aim.shares = 32 / aim.groups;
  aim.share = lane_id() / aim.groups, aim.group = lane_id() - aim.share * aim.groups;
  Sums<per_lane, potential> sums;
  sums.aim(aim);
  // A lane that is left over has no share.
  const bool idle = aim.share >= aim.shares;
  const auto use = [&](const Mass<float>* sources, int n, int self, bool own) {
    if (idle) return;
    if (potential && own) sums.template add<true>(aim, sources, n, self);
    else sums.template add<false>(aim, sources, n, self);
  };
  Packer<T, At> packer(aim, buffers);
  Reader p2p(lists, lists.p2p[c]);
  for (std::uint32_t source = 0; p2p.read(source);) {
    // Siblings follow each other in the list, and their bodies in memory: they are one piece.
    const Cell leaf = cells.cells[cell_of<in_box>(source, images)];
    const std::uint32_t before = __shfl_up_sync(~0u, leaf.end, 1);
    bool head = p2p.mine() && (lane_id() == 0 || leaf.begin != before);
    if constexpr (in_box) {
      const std::uint32_t image = source >> images.cell_bits, image_before = __shfl_up_sync(~0u, image, 1);
      head = head || (p2p.mine() && image != image_before);
    }
    for (unsigned heads = __ballot_sync(~0u, head); heads != 0; heads &= heads - 1) {
      const unsigned later = heads & (heads - 1);
      const int from = __ffs(int(heads)) - 1,
                upto = later != 0 ? __ffs(int(later)) - 2 : int(p2p.count()) - 1;
      const auto begin = __shfl_sync(~0u, leaf.begin, from), end = __shfl_sync(~0u, leaf.end, upto);
      bool own = begin <= aim.first && aim.first < end;
      if constexpr (in_box) {
        const std::uint32_t image = __shfl_sync(~0u, source, from) >> images.cell_bits;
        packer.shift(images.shifts[image]);
        own = own && image == 0;
      }
      for (std::uint32_t first = begin; first < end; first += 32) {
        if (own) packer.own(int(std::int64_t{aim.first} - std::int64_t{first}));
        if (packer.put(first, int(end - first < 32 ? end - first : 32))) packer.turn(use);
      }
    }
  }
  packer.finish(use);
  sums.join(aim);
  if (aim.share == 0) {
#pragma unroll
    for (int k = 0; k < per_lane; ++k)
      if (const int t = k * aim.groups + aim.group; t < aim.targets)
        buffers[t] = {sums.ax[k], sums.ay[k], sums.az[k], potential ? sums.phi[potential ? k : 0] : 0.0f};
  }
  __syncwarp();
}

/// The fraction of its slots that a warp uses if each lane has `per_lane` of n targets; 13 slots a pair, 5
/// more a source.
__device__ inline float used(int n, int per_lane) {
  const int groups = (n + per_lane - 1) / per_lane;
  if (groups > 32) return 0;
  return float(n * (32 / groups)) / float(32 * per_lane) * float(13 * per_lane) / float(13 * per_lane + 5);
}

template <int p, bool potential, bool in_box, class T>
__global__ void __launch_bounds__(32, potential ? 20 : 32)
    add_bodies(Cells cells, Lists lists, Images images, const Tile* __restrict__ tiles,
               const Frame* __restrict__ frame, Sorted<T> bodies, Outputs<T> sums) {
  using S = Sizes<p>;
  auto* const buffers = dynamic_shared<Mass<float>>();
  const Tile tile = tiles[blockIdx.x];
  const Cell cell = cells.cells[tile.cell];
  const Place place = cells.places[tile.cell];
  const Frame f = *frame;
  const std::uint32_t most = Tile::targets(lists.p2p[tile.cell].count);
  const std::uint32_t first = cell.begin + tile.first, left = cell.end - first;
  const int targets = int(left < most ? left : most);
  const double cx = double(place.x) + double(place.lx) + f.middle.x,
               cy = double(place.y) + double(place.ly) + f.middle.y,
               cz = double(place.z) + double(place.lz) + f.middle.z;
  const float eps = float(f.eps), eps2 = eps * eps;
  using At = std::conditional_t<in_box, double, T>;
  Aim<T, At> aim;
  aim.bodies = bodies.bodies, aim.first = first, aim.targets = targets;
  // Positions in single precision are subtracted from each other, which is exact for neighbours.
  if constexpr (std::is_same_v<At, double>) aim.origin = {cx, cy, cz};
  aim.eps2 = eps2 > least_eps2 ? eps2 : least_eps2;
  aim.self_up_to = eps2 > least_eps2 ? 0 : least_eps2;
  const float three = used(targets, 3), four = used(targets, 4), five = used(targets, 5);
  if (five > four && five > three)
    add_p2p<5, potential, in_box>(aim, cells, lists, images, tile.cell, buffers);
  else if (three > four) add_p2p<3, potential, in_box>(aim, cells, lists, images, tile.cell, buffers);
  else add_p2p<4, potential, in_box>(aim, cells, lists, images, tile.cell, buffers);
  const float per = 1 / place.unit;
  float L[S::locals];
  load<S::locals>(cells.locals + std::size_t{tile.cell} * S::local, L);
  for (int t = lane_id(); t < targets; t += 32) {
    const auto b = bodies.bodies[first + unsigned(t)];
    const float x = float(double(b.x) - cx) * per, y = float(double(b.y) - cy) * per,
                z = float(double(b.z) - cz) * per;
    float ax = 0, ay = 0, az = 0, phi = 0;
    if constexpr (potential) l2p_potential(Order<p>{}, L, x, y, z, ax, ay, az, phi);
    else l2p(Order<p>{}, L, x, y, z, ax, ay, az);
    const Mass<float> p2p = buffers[t];
    // The tree's potential is positive; a 0 stays +0.
    sums[bodies.order[first + unsigned(t)]] = {T(f.acceleration * (double(p2p.x) + double(per * ax))),
                                               T(f.acceleration * (double(p2p.y) + double(per * ay))),
                                               T(f.acceleration * (double(p2p.z) + double(per * az))),
                                               T(0 - f.potential * (double(p2p.m) + double(phi)))};
  }
}

}  // namespace pleiad::cuda::tree
