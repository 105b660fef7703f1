/// Defines the walk of one order: included by one file per order, after PLEIAD_TREE_OPERATORS, whose order is
/// one higher.
///
/// A warp walks the tree for a group of bodies, a lane per cell: children wait on a stack, distant cells and
/// P2P sources gather in shared memory and are summed as soon as there is one for each lane. The order of the
/// sums depends on the bodies only.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/tree/m2p.hpp"
#include "cuda/tree/moments.hpp"
#include "cuda/tree/p2p.hpp"
#include "cuda/tree/walk.hpp"
#include "cuda/tree/walks.hpp"
#include "tree/scales.hpp"

namespace pleiad::cuda::tree {

/// Places on the stack of a walk.
constexpr int walk_room = 512;
/// Largest number of distant cells that wait to be summed: those there already, fewer than a warp, and a
/// warp's.
constexpr int far_room = 64;
template <int order>
constexpr unsigned walk_bytes =
    walk_room * sizeof(std::uint32_t) + far_room * 4 * Shown<order>::fours * sizeof(float) + p2p_bytes;
/// Blocks of a processor: as many as there is shared memory for.
template <int order>
constexpr int walk_blocks = order == 3 ? 14 : 20;

/// A group, its box, and a frame in its middle.
template <class T>
struct Walker {
  std::uint32_t begin = 0, end = 0;
  Vec3<T> middle{};
  float hx = 0, hy = 0, hz = 0;                       ///< half sides
  float x = 0, y = 0, z = 0, lx = 0, ly = 0, lz = 0;  ///< the middle in the form of cell positions
  float allowed = 0;                                  ///< error of a cell's acceleration

  __device__ bool meets(const Cell& cell) const { return cell.begin < end && begin < cell.end; }
};

/// The lowest or highest of all lanes, in each of them.
template <class T>
__device__ __forceinline__ T least_of_warp(T v) {
#pragma unroll
  for (int by = 16; by > 0; by /= 2) {
    const T other = __shfl_xor_sync(~0u, v, by);
    v = other < v ? other : v;
  }
  return v;
}

/// The first body behind a group.
__device__ inline std::uint32_t end_of_group(std::uint32_t begin, const Groups& groups, std::uint32_t n) {
  const std::uint32_t from = (begin + 1) / 32, word = from + unsigned(lane_id());
  std::uint32_t bits = lane_id() <= Groups::most / 32 && word < (n + 31) / 32 ? groups.firsts[word] : 0;
  if (lane_id() == 0) bits &= ~0u << ((begin + 1) % 32);
  const unsigned there = __ballot_sync(~0u, bits != 0);
  if (there == 0) return n;
  const int lane = __ffs(int(there)) - 1;
  return (from + unsigned(lane)) * 32 + unsigned(__ffs(int(__shfl_sync(~0u, bits, lane)))) - 1;
}

/// The least acceleration on the bodies of the smallest cell that holds the group.
__device__ inline float acceleration_on_group(std::uint32_t begin, std::uint32_t end, const Cells& cells) {
  std::uint32_t c = 0;
  for (;;) {
    const Cell cell = cells.cells[c];
    bool holds = false;
    if (unsigned(lane_id()) < cell.children) {
      const Cell child = cells.cells[cell.first_child + unsigned(lane_id())];
      holds = child.begin <= begin && end <= child.end;
    }
    const unsigned all = __ballot_sync(~0u, holds);
    if (all == 0) return cells.strengths[c].acceleration;
    c = cell.first_child + unsigned(__ffs(int(all))) - 1;
  }
}

template <class T>
__device__ __forceinline__ Walker<T> walker_of(std::uint32_t begin, std::uint32_t end, const Cells& cells,
                                               const Frame& frame, const WalkBy& by,
                                               const Mass<T>* __restrict__ bodies) {
  Walker<T> w;
  w.begin = begin, w.end = end;
  const auto first = bodies[begin];
  Vec3<T> low{first.x, first.y, first.z}, high = low;
  for (std::uint32_t i = begin + unsigned(lane_id()); i < end; i += 32) {
    const auto b = bodies[i];
    low = {b.x < low.x ? b.x : low.x, b.y < low.y ? b.y : low.y, b.z < low.z ? b.z : low.z};
    high = {b.x > high.x ? b.x : high.x, b.y > high.y ? b.y : high.y, b.z > high.z ? b.z : high.z};
  }
  low = {least_of_warp(low.x), least_of_warp(low.y), least_of_warp(low.z)};
  high = {-least_of_warp(-high.x), -least_of_warp(-high.y), -least_of_warp(-high.z)};
  w.middle = {T(0.5) * (low.x + high.x), T(0.5) * (low.y + high.y), T(0.5) * (low.z + high.z)};
  // With a margin for rounding.
  const auto half = [](T from, T to) { return 0.5f * float(to - from) * (1 + 0x1p-20f); };
  w.hx = half(low.x, high.x), w.hy = half(low.y, high.y), w.hz = half(low.z, high.z);
  const auto place = [](T at, double shift, float& x, float& lx) {
    const double shifted = double(at) - shift;
    x = float(shifted), lx = float(shifted - double(x));
  };
  place(w.middle.x, frame.middle.x, w.x, w.lx), place(w.middle.y, frame.middle.y, w.y, w.ly);
  place(w.middle.z, frame.middle.z, w.z, w.lz);
  if (by.tolerance > 0) w.allowed = by.tolerance * acceleration_on_group(begin, end, cells);
  return w;
}

/// Distant cells that wait, as their records are summed: the place from the group's middle, mass, moments.
template <int order>
class FarBuffer {
 public:
  static constexpr int fours = Shown<order>::fours;
  __device__ explicit FarBuffer(float* memory) : memory_(memory) {}
  /// Adds the cell of each lane with `mine`, in the order of lanes; `record` is that of the cell.
  __device__ __forceinline__ void put(bool mine, float x, float y, float z, float mass,
                                      const float* __restrict__ record) {
    const unsigned bits = __ballot_sync(~0u, mine);
    if (mine) {
      float* const to = memory_ + (fill_ + __popc(bits & ((1u << lane_id()) - 1))) * 4 * fours;
      *reinterpret_cast<Four*>(to) = {{x, y, z, mass}};
#pragma unroll
      for (int k = 1; k < fours; ++k) begin_copy16(to + 4 * k, record + 4 + 4 * k);
    }
    fill_ += __popc(bits), all_ += unsigned(__popc(bits));
  }
  __device__ bool full() const { return fill_ >= far_room / 2; }
  __device__ unsigned all() const { return all_; }

  /// Adds the waiting cells to the sums of targets whose positions are relative to `shift`.
  template <int per_lane, bool potential, class Aim>
  __device__ __forceinline__ void sum(Sums<per_lane, potential>& sums, const Aim& aim,
                                      const Vec3<float>& shift) {
    end_group();
    wait_for_groups<0>();
    __syncwarp();
    if (aim.share < aim.shares) {
      float x[per_lane], y[per_lane], z[per_lane];
#pragma unroll
      for (int k = 0; k < per_lane; ++k)
        x[k] = sums.x[k] - shift.x, y[k] = sums.y[k] - shift.y, z[k] = sums.z[k] - shift.z;
#pragma unroll 1
      for (int j = aim.share; j < fill_; j += aim.shares) {
        float record[4 * fours];
        load<4 * fours>(memory_ + j * 4 * fours, record);
#pragma unroll
        for (int k = 0; k < per_lane; ++k)
          Shown<order>::template m2p<potential>(record, record[0] - x[k], record[1] - y[k], record[2] - z[k],
                                                aim.eps2, sums.ax[k], sums.ay[k], sums.az[k],
                                                sums.phi[potential ? k : 0]);
      }
    }
    __syncwarp();
    fill_ = 0;
  }

 private:
  float* memory_;
  int fill_ = 0;
  unsigned all_ = 0;
};

/// Whether a cell pulls the group as a whole.
template <int order>
__device__ __forceinline__ bool distant(float reach, float R2, float mass, const WalkBy& by, float allowed) {
  // Nearer than the smallest cells are wide nothing is distant; and powers of the distance stay numbers.
  constexpr float least = 0x1p-40f;
  const float limit = reach * by.per_theta;
  if (!(R2 > limit * limit && R2 > least)) return false;
  if (by.tolerance == 0) return true;
  // The bound of the CPU's MAC, with the moments that bodies at `typical` times the radius would have:
  //   m / R^2 (typical rho)^p (p + 1 - p rho) / (1 - rho)^2,  rho = r / R, p = order + 1.
  constexpr float typical = 0.65f;  // as between cells, see lists.cu
  constexpr int p = order + 1;
  const float i = rsqrt_approx(R2), rho = reach * i, gap = 1 - rho, x = typical * rho;
  float power = x * x;
#pragma unroll
  for (int k = 2; k < p; ++k) power *= x;
  return mass * (i * i) * power * fma_rn(-float(p), rho, float(p + 1)) < allowed * (gap * gap);
}

/// Adds bodies that no cell stands for, consecutively; the packer marks targets among them. `itself`: in the
/// box, not in an image.
template <class T, class At, class Use>
__device__ __forceinline__ void put_bodies(std::uint32_t begin, std::uint32_t end, const Walker<T>& group,
                                           bool itself, std::uint32_t& next, Packer<T, At>& packer,
                                           const Use& use) {
  const bool own = itself && begin < group.end && group.begin < end;
  if (begin != next && packer.fill() > 0 && (own || packer.owns())) packer.turn(use);
  for (std::uint32_t first = begin; first < end; first += 32) {
    if (own) packer.own(int(std::int64_t{group.begin} - std::int64_t{first}));
    if (packer.put(first, int(end - first < 32 ? end - first : 32))) packer.turn(use);
  }
  next = end;
}

template <int order, int per_lane, bool potential, bool in_box, class T, class At>
__device__ __forceinline__ void walk_tree(Aim<T, At> aim, const Walker<T>& group, const Cells& cells,
                                          const Images& images, const WalkBy& by, Status* status,
                                          const Frame& frame, const Sorted<T>& bodies,
                                          const Outputs<T>& out) {
  constexpr int stride = Shown<order>::size;
  auto* const stack = dynamic_shared<std::uint32_t>();
  FarBuffer<order> far(reinterpret_cast<float*>(stack + walk_room));
  auto* const buffers =
      reinterpret_cast<Mass<float>*>(stack + walk_room + far_room * 4 * Shown<order>::fours);
  aim.groups = (aim.targets + per_lane - 1) / per_lane, aim.shares = 32 / aim.groups;
  aim.share = lane_id() / aim.groups, aim.group = lane_id() - aim.share * aim.groups;
  Sums<per_lane, potential> sums;
  sums.aim(aim);
  Vec3<float> shift{};
  if constexpr (std::is_same_v<At, float>) shift = group.middle;
  const bool idle = aim.share >= aim.shares;
  const auto use = [&](const Mass<float>* sources, int n, int self, bool own) {
    if (idle) return;
    if (potential && own) sums.template add<true>(aim, sources, n, self);
    else sums.template add<false>(aim, sources, n, self);
  };
  Packer<T, At> packer(aim, buffers);
  constexpr std::uint32_t nowhere = 0xFFFFFFFF;
  std::uint32_t next = nowhere;
  [[maybe_unused]] std::uint32_t present = 0;  // image of the bodies that were put last
  unsigned long long p2p = 0, tests = 0;
  int top = 0;
  [[maybe_unused]] std::uint32_t roots = 32;  // images that have been walked or are being
  if constexpr (in_box) push_roots(0, images, stack, top);
  else push(0, lane_id() == 0 ? 1 : 0, stack, top);
  while (top > 0) {
    const int taken = to_take(top, walk_room);
    top -= taken;
    const bool mine = lane_id() < taken;
    const std::uint32_t entry = mine ? stack[top + lane_id()] : 0, s = cell_of<in_box>(entry, images),
                        image = image_of<in_box>(entry, images);
    __syncwarp();
    const float* const record = cells.records + std::size_t{s} * stride;
    float p[8];
    load<8>(record, p);
    const Cell cell = cells.cells[s];
    float x = (p[0] - group.x) + (p[4] - group.lx), y = (p[1] - group.y) + (p[5] - group.ly),
          z = (p[2] - group.z) + (p[6] - group.lz);
    if constexpr (in_box)
      if (image != 0) {
        const auto d = separation<true>({group.x, group.y, group.z, 0, group.lx, group.ly, group.lz, 0},
                                        {p[0], p[1], p[2], 0, p[4], p[5], p[6], 0}, entry, images);
        x = -d.x, y = -d.y, z = -d.z;
      }
    const auto beside = [](float at, float half) {
      const float d = fabsf(at) - half;
      return d > 0 ? d : 0;
    };
    const float bx = beside(x, group.hx), by_ = beside(y, group.hy), bz = beside(z, group.hz);
    const float R2 = fma_rn(bx, bx, fma_rn(by_, by_, bz * bz));
    const bool small = cell.end - cell.begin <= by.few;
    const bool whole = mine && !small && !(image == 0 && group.meets(cell)) &&
                       distant<order>(p[3], R2, p[7], by, group.allowed);
    const bool shown = mine && !whole && (small || cell.children == 0), opened = mine && !whole && !shown;
    tests += unsigned(taken);
    far.put(whole, x, y, z, p[7], record);
    if (far.full()) far.sum(sums, aim, shift);
    // Siblings follow each other on the stack, and their bodies in memory: they are one piece.
    const std::uint32_t before = __shfl_up_sync(~0u, cell.end, 1);
    const unsigned all = __ballot_sync(~0u, shown);
    bool head = shown && (lane_id() == 0 || cell.begin != before || (all >> (lane_id() - 1) & 1) == 0);
    if constexpr (in_box) {
      const std::uint32_t image_before = __shfl_up_sync(~0u, image, 1);
      head = head || (shown && image != image_before);
    }
    for (unsigned heads = __ballot_sync(~0u, head); heads != 0; heads &= heads - 1) {
      const int from = __ffs(int(heads)) - 1;
      // The last of those that follow without a gap.
      const unsigned ends = (~all | (heads & (heads - 1))) & ~((2u << from) - 1);
      const int last = ends != 0 ? __ffs(int(ends)) - 2 : 31;
      const auto first = __shfl_sync(~0u, cell.begin, from), end = __shfl_sync(~0u, cell.end, last);
      p2p += end - first;
      bool itself = true;
      if constexpr (in_box) {
        const std::uint32_t of = __shfl_sync(~0u, image, from);
        packer.shift(images.shifts[of >> images.cell_bits]);
        if (of != present) next = nowhere, present = of;
        itself = of == 0;
      }
      put_bodies(first, end, group, itself, next, packer, use);
    }
    if (__ballot_sync(~0u, opened) != 0)
      push(image + cell.first_child, opened ? cell.children : 0, stack, top);
    if constexpr (in_box)
      if (top == 0 && roots < images.count) push_roots(roots, images, stack, top), roots += 32;
  }
  far.sum(sums, aim, shift);
  packer.finish(use);
  sums.join(aim);
  if (lane_id() == 0) {
    const auto targets = static_cast<unsigned long long>(aim.targets);
    atomicAdd(&status->pairs, p2p * targets), atomicAdd(&status->cell_pairs, far.all() * targets);
    atomicAdd(&status->tests, tests);
  }
  if (aim.share != 0) return;
#pragma unroll
  for (int k = 0; k < per_lane; ++k) {
    const int t = k * aim.groups + aim.group;
    if (t >= aim.targets) continue;
    // The tree's potential is positive; a 0 stays +0.
    out[bodies.order[aim.first + unsigned(t)]] = {
        T(frame.acceleration * double(sums.ax[k])), T(frame.acceleration * double(sums.ay[k])),
        T(frame.acceleration * double(sums.az[k])),
        T(0 - frame.potential * (potential ? double(sums.phi[potential ? k : 0]) : 0.0))};
  }
}

template <int order, bool potential, bool in_box, class T>
__global__ void __launch_bounds__(32, walk_blocks<order>)
    walk_groups(Cells cells, Images images, Groups groups, const Frame* __restrict__ frame,
                Status* __restrict__ status, WalkBy by, Sorted<T> bodies, Outputs<T> sums) {
  const std::uint32_t begin = groups.begins[blockIdx.x];
  if (cells.divided && (begin < cells.from || begin >= cells.to)) return;
  const std::uint32_t end = end_of_group(begin, groups, bodies.n);
  const Frame f = *frame;
  const float eps = float(f.eps), eps2 = eps * eps;
  const auto group = walker_of(begin, end, cells, f, by, bodies.bodies);
  using At = std::conditional_t<in_box, double, T>;
  Aim<T, At> aim;
  aim.bodies = bodies.bodies, aim.first = begin, aim.targets = int(end - begin);
  // Positions in single precision are subtracted from each other, which is exact for neighbours.
  if constexpr (std::is_same_v<At, double>)
    aim.origin = {double(group.middle.x), double(group.middle.y), double(group.middle.z)};
  aim.eps2 = eps2 > least_eps2 ? eps2 : least_eps2;
  aim.self_up_to = eps2 > least_eps2 ? 0 : least_eps2;
  if (used(aim.targets, 3) > used(aim.targets, 4))
    walk_tree<order, 3, potential, in_box>(aim, group, cells, images, by, status, f, bodies, sums);
  else walk_tree<order, 4, potential, in_box>(aim, group, cells, images, by, status, f, bodies, sums);
}

template <int order, class T>
void walk(const Cells& cells, const Images& images, const Groups& groups, std::uint32_t count,
          const Frame* frame, Status* status, const WalkBy& by, const Sorted<T>& sorted,
          const Outputs<T>& sums, bool potential, void* stream) {
  auto* const kernel =
      images.any() ? (potential ? walk_groups<order, true, true, T> : walk_groups<order, false, true, T>)
                   : (potential ? walk_groups<order, true, false, T> : walk_groups<order, false, false, T>);
  launch("tree walks", kernel, {.blocks = count, .threads = 32, .shared_bytes = walk_bytes<order>}, stream,
         cells, images, groups, frame, status, by, sorted, sums);
}

template <int order>
constexpr WalkKernels kernels_of_walk{.order = order,
                                      .up = moment_kernels<Shown<order>>,
                                      .few = Shown<order>::few,
                                      .walk_f32 = walk<order, float>,
                                      .walk_f64 = walk<order, double>};

}  // namespace pleiad::cuda::tree
