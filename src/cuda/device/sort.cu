#include "cuda/device/check.hpp"
#include "cuda/device/sort.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace pleiad::cuda {

std::size_t sort_room(std::size_t n) {
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(
      nullptr, bytes, static_cast<const std::uint64_t*>(nullptr), static_cast<std::uint64_t*>(nullptr),
      static_cast<const std::uint32_t*>(nullptr), static_cast<std::uint32_t*>(nullptr), n));
  return bytes;
}

void sort_by_key(const SortedPairs& p, int bits, void* room, std::size_t room_bytes, void* stream) {
  check(cub::DeviceRadixSort::SortPairs(room, room_bytes, p.keys, p.sorted_keys, p.values, p.sorted_values,
                                        p.n, 0, bits, static_cast<cudaStream_t>(stream)));
}

}  // namespace pleiad::cuda
