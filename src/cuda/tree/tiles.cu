#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/build.hpp"

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256;

/// The sum over the lower lanes of the warp, and this one's.
__device__ std::uint32_t upto_here(std::uint32_t mine) {
  for (int by = 1; by < 32; by *= 2) {
    const auto other = __shfl_up_sync(~0u, mine, by);
    if (lane_id() >= by) mine += other;
  }
  return mine;
}

__global__ void set_tiles(Cells cells, const List* __restrict__ p2p, std::uint32_t count,
                          Tile* __restrict__ tiles, Status* __restrict__ status) {
  if (status->overflowed != 0) return;
  const std::uint32_t c = blockIdx.x * threads + threadIdx.x;
  std::uint32_t parts = 0, targets = Tile::most;
  if (c < count && cells.cells[c].children == 0 && cells.takes(c)) {
    const Cell leaf = cells.cells[c];
    targets = Tile::targets(p2p[c].count);
    parts = (leaf.end - leaf.begin + targets - 1) / targets;
  }
  const auto upto = upto_here(parts);
  std::uint32_t first = 0;
  if (lane_id() == 31 && upto > 0) first = atomicAdd(&status->tiles, upto);
  first = __shfl_sync(~0u, first, 31) + upto - parts;
  for (std::uint32_t k = 0; k < parts; ++k) tiles[first + k] = {c, k * targets};
}

}  // namespace

void make_tiles(const Cells& cells, const Lists& lists, std::uint32_t count, Tile* tiles, Status* status,
                void* stream) {
  launch("tree tiles", set_tiles, {.blocks = blocks_for(count, threads), .threads = threads}, stream, cells,
         lists.p2p, count, tiles, status);
}

}  // namespace pleiad::cuda::tree
