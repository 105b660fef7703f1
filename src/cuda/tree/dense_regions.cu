#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/divided.hpp"
#include "tree/dense_regions.hpp"

namespace pleiad::cuda::tree {
namespace {

/// Warps that share the levels of one pair of keys: a cluster in wide surroundings begins on many at once.
constexpr unsigned warps = 4;

__device__ int common_levels(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t differ = a ^ b;
  return differ == 0 ? deepest : (__clzll(static_cast<long long>(differ)) - (64 - 3 * deepest)) / 3;
}

/// Raises the level of the first of these sorted bodies that an octant has.
__device__ void raise(const std::uint64_t* __restrict__ keys, std::uint32_t n, std::uint64_t first_key,
                      int level, std::uint32_t* __restrict__ levels) {
  std::uint32_t low = 0, high = n;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (keys[middle] < first_key) low = middle + 1;
    else high = middle;
  }
  const int below = 3 * (deepest - level);
  if (low < n && keys[low] >> below == first_key >> below) atomicMax(&levels[low], std::uint32_t(level));
}

/// An octant that holds two keys one dense region apart holds a dense region; where the first of its pairs
/// is, those around it are marked. As in src/tree/dense_regions.cpp, but only at the first body of each, and
/// whatever they hold. The samples are every `stride`-th of an array, from pair `first` on.
__global__ void __launch_bounds__(32 * warps)
    mark(const std::uint64_t* __restrict__ samples, std::uint32_t stride, std::uint32_t first,
         const std::uint64_t* __restrict__ keys, std::uint32_t n, std::uint32_t* __restrict__ levels,
         KeyRange own, DenseElsewhere elsewhere) {
  const std::size_t j = first + blockIdx.x;
  const std::uint64_t here = samples[j * stride];
  const int deep = common_levels(here, samples[(j + 1) * stride]);
  const int known = j == 0 ? 0 : common_levels(samples[(j - 1) * stride], here);
  const int k = lane_id();
  for (int level = known + 1 + int(threadIdx.x / 32); level <= deep; level += warps) {
    const int below = 3 * (deepest - level);
    std::uint64_t other = 0;
    if (k > 26 || k == 13 || !pleiad::tree::beside(here >> below, level, k, other)) continue;
    const std::uint64_t first_key = other << below;
    if (first_key >= own.first && first_key < own.end) {
      raise(keys, n, first_key, level, levels);
    } else if (const std::uint32_t at = atomicAdd(elsewhere.count, 1u); at < elsewhere.room) {
      elsewhere.octants[at] = {first_key, std::uint64_t(level)};
    }
  }
}

__global__ void raise_each(const pleiad::tree::NearDense* __restrict__ octants, std::uint32_t count,
                           const std::uint64_t* __restrict__ keys, std::uint32_t n,
                           std::uint32_t* __restrict__ levels) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) raise(keys, n, octants[k].first_key, int(octants[k].level), levels);
}

__global__ void take_samples(const std::uint64_t* __restrict__ keys, std::uint32_t begin,
                             std::uint32_t stride, std::uint32_t count, std::uint64_t* __restrict__ samples) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) samples[k] = keys[begin + std::size_t{k} * stride];
}

}  // namespace

void mark_near_dense(const std::uint64_t* keys, std::uint32_t n, std::uint32_t leaf_size,
                     std::uint32_t* levels, void* stream) {
  const std::uint64_t dense = pleiad::tree::dense_count(leaf_size);
  if (n <= dense) return;
  launch("tree dense regions", mark, {.blocks = unsigned((n - 1) / dense), .threads = 32 * warps}, stream,
         keys, std::uint32_t(dense), 0u, keys, n, levels, KeyRange{}, DenseElsewhere{});
}

void mark_near_dense(std::span<const std::uint64_t> samples, bool before, const SortedKeys& keys,
                     const KeyRange& own, std::uint32_t* levels, const DenseElsewhere& elsewhere,
                     void* stream) {
  const std::size_t skipped = before ? 1 : 0;
  if (samples.size() < skipped + 2) return;
  launch("tree dense regions", mark,
         {.blocks = unsigned(samples.size() - 1 - skipped), .threads = 32 * warps}, stream, samples.data(),
         1u, std::uint32_t(skipped), keys.keys, keys.n, levels, own, elsewhere);
}

void raise_levels(std::span<const pleiad::tree::NearDense> octants, const SortedKeys& keys,
                  std::uint32_t* levels, void* stream) {
  if (octants.empty() || keys.n == 0) return;
  constexpr unsigned threads = 128;
  launch("tree dense regions of others", raise_each,
         {.blocks = blocks_for(octants.size(), threads), .threads = threads}, stream, octants.data(),
         std::uint32_t(octants.size()), keys.keys, keys.n, levels);
}

void take_key_samples(const std::uint64_t* keys, std::uint32_t begin, std::uint32_t stride,
                      std::span<std::uint64_t> samples, void* stream) {
  if (samples.empty()) return;
  constexpr unsigned threads = 128;
  launch("tree samples", take_samples, {.blocks = blocks_for(samples.size(), threads), .threads = threads},
         stream, keys, begin, stride, std::uint32_t(samples.size()), samples.data());
}

}  // namespace pleiad::cuda::tree
