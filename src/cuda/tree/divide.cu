#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/build.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256, per_block = threads / 8;  // eight threads look for the children of a cell

__global__ void set_root(std::uint32_t front, std::uint32_t n, Cells cells, Status* __restrict__ status) {
  cells.cells[0] = {front, front + n, 0, 0};
  cells.parents[0] = 0;
  status->first[0] = 0, status->count[0] = 1;
}

/// The number before this thread's in its block, of those for which `mine` holds, and of all of them.
__device__ std::uint32_t numbered(bool mine, std::uint32_t* shared, std::uint32_t& all) {
  const unsigned bits = __ballot_sync(~0u, mine), warp = threadIdx.x / 32;
  shared[warp] = unsigned(__popc(bits));
  __syncthreads();
  std::uint32_t before = 0;
  all = 0;
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w < warp) before += shared[w];
    all += shared[w];
  }
  __syncthreads();
  return before + unsigned(__popc(bits & ((1u << lane_id()) - 1)));
}

/// The cells of one level. Where children are put among those of their level depends on which block comes
/// first; nothing else does.
__global__ void divide_level(Division d, int level, Cells cells, Status* status) {
  auto* shared = dynamic_shared<std::uint32_t>();
  const std::uint32_t first = status->first[level], count = status->count[level], next = first + count;
  if (status->overflowed != 0) return;
  if (blockIdx.x == 0 && threadIdx.x == 0) status->first[level + 1] = next;
  const int shift = 3 * (deepest - 1 - level);
  const unsigned octant = threadIdx.x % 8;
  for (std::uint32_t at = blockIdx.x * per_block; at < count; at += gridDim.x * per_block) {
    const std::uint32_t c = at + threadIdx.x / 8;
    Cell cell{};
    bool divided = false;
    if (c < count) {
      cell = cells.cells[first + c];
      const auto bodies = cell.end - cell.begin;
      const auto eldest_body = cell.begin - d.front;
      divided = bodies > d.leaf_size ||
                (level > 0 && bodies > 1 && d.levels[eldest_body] >= unsigned(level)) ||
                d.own.cuts(d.keys[eldest_body], level);
    }
    std::uint32_t low = cell.begin, high = cell.end;  // the first body with this octant or a later one
    if (divided && octant > 0)
      while (low < high) {
        const auto middle = low + (high - low) / 2;
        if (unsigned(d.keys[middle - d.front] >> shift & 7) < octant) low = middle + 1;
        else high = middle;
      }
    std::uint32_t end = __shfl_down_sync(~0u, low, 1, 8);
    if (octant == 7) end = cell.end;
    const bool there = divided && end > low;
    std::uint32_t all = 0;
    const auto number = numbered(there, shared, all);
    const unsigned mine = __ballot_sync(~0u, there) >> (lane_id() & 24) & 255u;
    if (threadIdx.x == 0) shared[threads / 32] = all > 0 ? atomicAdd(&status->count[level + 1], all) : 0;
    __syncthreads();
    const std::uint32_t place = next + shared[threads / 32];
    __syncthreads();
    const std::uint32_t child = place + number;
    const std::uint32_t eldest = __shfl_sync(~0u, child, lane_id() & 24);
    if (place + all > cells.room) {
      if (threadIdx.x == 0) status->overflowed = 1;
      continue;
    }
    if (there) {
      cells.cells[child] = {low, end, 0, 0};
      cells.parents[child] = first + c;
    }
    if (divided && octant == 0) {
      cells.cells[first + c].first_child = eldest;
      cells.cells[first + c].children = unsigned(__popc(mine));
    }
  }
}

}  // namespace

void divide(const Division& division, const Cells& cells, Status* status, void* stream) {
  launch("tree root", set_root, {.blocks = 1, .threads = 1}, stream, division.front, division.n, cells,
         status);
  constexpr std::size_t most = 528;  // blocks that a large GPU runs at once
  for (int level = 0; level < deepest; ++level) {
    const std::size_t there = std::min(std::size_t{division.n}, std::size_t{1} << std::min(3 * level, 40));
    launch("tree level", divide_level,
           {.blocks = unsigned(std::min<std::size_t>(most, blocks_for(there, per_block))),
            .threads = threads,
            .shared_bytes = (threads / 32 + 1) * sizeof(std::uint32_t)},
           stream, division, level, cells, status);
  }
}

}  // namespace pleiad::cuda::tree
