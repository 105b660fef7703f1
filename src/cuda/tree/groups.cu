/// Bodies that walk together: the largest parts of an octree's cells, halved as often as keys have bits, with
/// as many bodies as a group may have. Such parts are filled better than cells, and nearly as compact.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/walks.hpp"

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256;
constexpr int bits = 3 * deepest;

/// Number of leading bits that two keys have in common.
__device__ int common_bits(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t differ = a ^ b;
  return differ == 0 ? bits : __clzll(static_cast<long long>(differ)) - (64 - bits);
}

/// A part of `depth` bits has more bodies than `size` if two of its bodies are `size` apart. The part of body
/// i with no more bodies is one bit deeper than the deepest of those around i; i is first in it when the body
/// before has other bits.
__global__ void __launch_bounds__(threads) find(const std::uint64_t* __restrict__ keys, std::uint32_t n,
                                                int size, const Groups groups, Status* __restrict__ status) {
  auto* const common =
      dynamic_shared<std::int8_t>();  // of bodies j and j + size, from the block's first - size on
  const std::int64_t begin = std::int64_t{blockIdx.x} * threads, low = begin - size;
  for (int k = int(threadIdx.x); k < int(threads) + size; k += int(threads)) {
    const std::int64_t j = low + k;
    common[k] = j >= 0 && j + size < n ? std::int8_t(common_bits(keys[j], keys[j + size])) : std::int8_t(-1);
  }
  __syncthreads();
  const std::int64_t i = begin + threadIdx.x;
  bool first = false;
  if (i < n) {
    int depth = -1;
    for (int k = 0; k <= size; ++k)
      depth = common[int(threadIdx.x) + k] > depth ? common[int(threadIdx.x) + k] : depth;
    ++depth;
    first = i == 0 || common_bits(keys[i - 1], keys[i]) < depth;
    if (depth > bits) {  // more bodies than `size` with one key: pieces
      std::int64_t from = 0, to = i;
      while (from < to) {
        const auto middle = from + (to - from) / 2;
        if (keys[middle] < keys[i]) from = middle + 1;
        else to = middle;
      }
      first = (i - from) % size == 0;
    }
  }
  const unsigned firsts = __ballot_sync(~0u, first);
  if (lane_id() == 0 && i < n) groups.firsts[i / 32] = firsts;
  std::uint32_t at = 0;
  if (lane_id() == 0 && firsts != 0) at = atomicAdd(&status->groups, unsigned(__popc(firsts)));
  at = __shfl_sync(~0u, at, 0) + unsigned(__popc(firsts & ((1u << lane_id()) - 1)));
  if (first) groups.begins[at] = std::uint32_t(i);
}

/// The MACs of sides take the reach of a cell from its cube: it takes the place of the radius.
__global__ void set_reaches(Cells cells, Range level, float side, int below, float per_theta, bool offset,
                            int record, const std::uint64_t* __restrict__ keys) {
  const std::uint32_t k = blockIdx.x * threads + threadIdx.x;
  if (k >= level.count) return;
  const std::uint32_t c = level.first + k;
  float* const to = cells.records + std::size_t{c} * std::size_t(record);
  float reach = side * per_theta;
  if (offset) {
    const Place place = cells.places[c];
    const std::uint64_t key = keys[cells.cells[c].begin] >> (3 * below);
    std::uint32_t at[3] = {0, 0, 0};
    for (int bit = 0; bit < deepest; ++bit)
      for (int axis = 0; axis < 3; ++axis) at[axis] |= std::uint32_t(key >> (3 * bit + 2 - axis) & 1) << bit;
    const auto middle = [&](std::uint32_t number) { return (double(number) + 0.5) * double(side) - 1; };
    const float dx = float(double(place.x) + double(place.lx) - middle(at[0])),
                dy = float(double(place.y) + double(place.ly) - middle(at[1])),
                dz = float(double(place.z) + double(place.lz) - middle(at[2]));
    reach += sqrtf(dx * dx + dy * dy + dz * dz);
  }
  to[3] = reach;
}

}  // namespace

void find_groups(const std::uint64_t* keys, std::uint32_t n, int size, const Groups& groups, Status* status,
                 void* stream) {
  launch("tree groups", find,
         {.blocks = blocks_for(n, threads), .threads = threads, .shared_bytes = threads + unsigned(size)},
         stream, keys, n, size, groups, status);
}

void reach_by_sides(const Cells& cells, Range range, int level, double theta, bool offset, int record,
                    const std::uint64_t* keys, void* stream) {
  const float side = 2.0f / float(1u << level);
  launch("tree reaches", set_reaches, {.blocks = blocks_for(range.count, threads), .threads = threads},
         stream, cells, range, side, deepest - level, float(1 / theta), offset, record, keys);
}

}  // namespace pleiad::cuda::tree
