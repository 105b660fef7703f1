#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/build.hpp"

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256, per_thread = 8, block = threads * per_thread;

/// The inclusive sum over the block's threads; `all` is that of the last.
__device__ std::uint64_t scanned(std::uint64_t mine, std::uint64_t* shared, std::uint64_t& all) {
  const int lane = lane_id();
  const unsigned warp = threadIdx.x / 32;
  for (int by = 1; by < 32; by *= 2) {
    const auto other = __shfl_up_sync(~0u, mine, by);
    if (lane >= by) mine += other;
  }
  if (lane == 31) shared[warp] = mine;
  __syncthreads();
  std::uint64_t before = 0;
  all = 0;
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w < warp) before += shared[w];
    all += shared[w];
  }
  __syncthreads();
  return before + mine;
}

__global__ void add_blocks(const std::uint64_t* __restrict__ values, std::size_t n,
                           std::uint64_t* __restrict__ sums) {
  const std::size_t first = std::size_t{blockIdx.x} * block;
  std::uint64_t mine = 0, all = 0;
  for (unsigned k = 0; k < per_thread; ++k)
    if (const std::size_t i = first + k * threads + threadIdx.x; i < n) mine += values[i];
  scanned(mine, dynamic_shared<std::uint64_t>(), all);
  if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

/// One block turns sums of blocks into what is before each.
__global__ void scan_blocks(std::uint64_t* __restrict__ sums, std::size_t n) {
  std::uint64_t before = 0, all = 0;
  for (std::size_t first = 0; first < n; first += threads) {
    const std::size_t i = first + threadIdx.x;
    const std::uint64_t mine = i < n ? sums[i] : 0;
    const auto upto = scanned(mine, dynamic_shared<std::uint64_t>(), all);
    if (i < n) sums[i] = before + upto - mine;
    before += all;
  }
}

__global__ void scan_within(std::uint64_t* __restrict__ values, std::size_t n,
                            const std::uint64_t* __restrict__ before) {
  const std::size_t first = std::size_t{blockIdx.x} * block + threadIdx.x * per_thread;
  std::uint64_t mine[per_thread], sum = 0, all = 0;
  for (unsigned k = 0; k < per_thread; ++k) {
    mine[k] = first + k < n ? values[first + k] : 0;
    sum += mine[k];
  }
  std::uint64_t upto = before[blockIdx.x] + scanned(sum, dynamic_shared<std::uint64_t>(), all) - sum;
  for (unsigned k = 0; k < per_thread; ++k) {
    upto += mine[k];
    if (first + k < n) values[first + k] = upto;
  }
}

}  // namespace

std::size_t scan_room(std::size_t n) { return blocks_for(n, block); }

void scan(std::uint64_t* values, std::size_t n, std::uint64_t* room, void* stream) {
  const unsigned blocks = blocks_for(n, block), bytes = threads / 32 * sizeof(std::uint64_t);
  const Grid grid{.blocks = blocks, .threads = threads, .shared_bytes = bytes};
  launch("tree scan", add_blocks, grid, stream, values, n, room);
  launch("tree scan", scan_blocks, {.blocks = 1, .threads = threads, .shared_bytes = bytes}, stream, room,
         std::size_t{blocks});
  launch("tree scan", scan_within, grid, stream, values, n, room);
}

}  // namespace pleiad::cuda::tree
