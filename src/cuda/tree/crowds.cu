#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/build.hpp"
#include "tree/crowds.hpp"

namespace pleiad::cuda::tree {
namespace {

/// Warps that share the levels of one pair of keys: a cluster in wide surroundings begins on many at once.
constexpr unsigned warps = 4;

__device__ int common_levels(const std::uint64_t* __restrict__ keys, std::size_t a, std::size_t b) {
  const std::uint64_t differ = keys[a] ^ keys[b];
  return differ == 0 ? deepest : (__clzll(static_cast<long long>(differ)) - (64 - 3 * deepest)) / 3;
}

/// An octant that holds two keys one crowd apart holds a crowd; where the first of its pairs is, those around
/// it are marked. As in src/tree/crowds.cpp, but only at the first body of each, and whatever they hold.
__global__ void __launch_bounds__(32 * warps) mark(const std::uint64_t* __restrict__ keys, std::uint32_t n,
                                                   std::uint32_t crowd, std::uint32_t* __restrict__ levels) {
  const std::size_t first = std::size_t{blockIdx.x} * crowd;
  const int deep = common_levels(keys, first, first + crowd);
  const int known = blockIdx.x == 0 ? 0 : common_levels(keys, first - crowd, first);
  const int k = lane_id();
  for (int level = known + 1 + int(threadIdx.x / 32); level <= deep; level += warps) {
    const int below = 3 * (deepest - level);
    std::uint64_t other = 0;
    if (k > 26 || k == 13 || !pleiad::tree::beside(keys[first] >> below, level, k, other)) continue;
    std::uint32_t low = 0, high = n;
    while (low < high) {
      const auto middle = low + (high - low) / 2;
      if (keys[middle] < other << below) low = middle + 1;
      else high = middle;
    }
    if (low < n && keys[low] >> below == other) atomicMax(&levels[low], std::uint32_t(level));
  }
}

}  // namespace

void mark_beside_crowds(const std::uint64_t* keys, std::uint32_t n, std::uint32_t leaf_size,
                        std::uint32_t* levels, void* stream) {
  const std::uint64_t crowd = pleiad::tree::crowd_of(leaf_size);
  if (n <= crowd) return;
  launch("tree crowds", mark, {.blocks = unsigned((n - 1) / crowd), .threads = 32 * warps}, stream, keys, n,
         std::uint32_t(crowd), levels);
}

}  // namespace pleiad::cuda::tree
