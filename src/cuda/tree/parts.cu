#include "cuda/device/launch.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/parts.hpp"

#include <algorithm>

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256;

__device__ std::size_t my_place() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Number of the ascending bounds that do not exceed the key.
__device__ std::uint32_t bounds_up_to(std::uint64_t key, const std::uint64_t* __restrict__ bounds,
                                      std::uint32_t count) {
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (bounds[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// A block counts its own in shared memory first.
__global__ void count_keys(const std::uint64_t* __restrict__ keys, std::size_t n,
                           const std::uint64_t* __restrict__ bounds, std::uint32_t count,
                           std::uint64_t* __restrict__ counts) {
  auto* const here = dynamic_shared<std::uint32_t>();
  for (auto k = threadIdx.x; k <= count; k += blockDim.x) here[k] = 0;
  __syncthreads();
  for (std::size_t i = my_place(); i < n; i += std::size_t{gridDim.x} * blockDim.x)
    atomicAdd(here + bounds_up_to(keys[i], bounds, count), 1u);
  __syncthreads();
  for (auto k = threadIdx.x; k <= count; k += blockDim.x)
    if (here[k] != 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(counts + k), static_cast<unsigned long long>(here[k]));
}

__global__ void number_parts(const std::uint64_t* __restrict__ keys, std::size_t n,
                             const std::uint64_t* __restrict__ begins, std::uint32_t count,
                             std::uint64_t* __restrict__ parts) {
  if (const std::size_t i = my_place(); i < n) parts[i] = bounds_up_to(keys[i], begins, count) - 1;
}

template <class T>
__global__ void take_in_order(const Mass<T>* __restrict__ from, const std::uint32_t* __restrict__ order,
                              std::size_t n, Mass<T>* __restrict__ to) {
  if (const std::size_t i = my_place(); i < n) to[i] = from[order[i]];
}
template <class T>
__global__ void put_in_order(const Vec4<T>* __restrict__ from, const std::uint32_t* __restrict__ order,
                             std::size_t n, Vec4<T>* __restrict__ to) {
  if (const std::size_t i = my_place(); i < n) to[order[i]] = from[i];
}

Grid grid_of(std::size_t work) { return {.blocks = blocks_for(work, threads), .threads = threads}; }

}  // namespace

void count_between(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> bounds,
                   std::uint64_t* counts, void* stream) {
  // A few blocks for each multiprocessor; more would clear and add their counts for fewer keys each.
  constexpr unsigned most_blocks = 1024;
  auto grid = grid_of(keys.size());
  grid.blocks = std::min(grid.blocks, most_blocks);
  grid.shared_bytes = unsigned((bounds.size() + 1) * sizeof(std::uint32_t));
  launch("tree keys between", count_keys, grid, stream, keys.data(), keys.size(), bounds.data(),
         std::uint32_t(bounds.size()), counts);
}
void find_parts(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> begins,
                std::uint64_t* parts, void* stream) {
  launch("tree parts", number_parts, grid_of(keys.size()), stream, keys.data(), keys.size(), begins.data(),
         std::uint32_t(begins.size()), parts);
}
template <class T>
void reorder(std::span<const Mass<T>> from, const std::uint32_t* order, Mass<T>* to, void* stream) {
  if (!from.empty())
    launch("tree bodies to others", take_in_order<T>, grid_of(from.size()), stream, from.data(), order,
           from.size(), to);
}
template <class T>
void put_back(std::span<const Vec4<T>> from, const std::uint32_t* order, Vec4<T>* to, void* stream) {
  if (!from.empty())
    launch("tree sums from others", put_in_order<T>, grid_of(from.size()), stream, from.data(), order,
           from.size(), to);
}

#define PLEIAD_FOR(T)                                                                     \
  template void reorder(std::span<const Mass<T>>, const std::uint32_t*, Mass<T>*, void*); \
  template void put_back(std::span<const Vec4<T>>, const std::uint32_t*, Vec4<T>*, void*);
PLEIAD_FOR(float)
PLEIAD_FOR(double)
#undef PLEIAD_FOR

}  // namespace pleiad::cuda::tree
