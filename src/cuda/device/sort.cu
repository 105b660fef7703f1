#include "cuda/device/check.hpp"
#include "cuda/device/sort.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace pleiad::cuda {

std::size_t sort_room(std::size_t n) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint64_t> keys;
  cub::DoubleBuffer<std::uint32_t> values;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n));
  return bytes;
}

bool sort_by_key(const PairsToSort& p, int bits, void* room, std::size_t room_bytes, void* stream) {
  cub::DoubleBuffer<std::uint64_t> keys(p.keys, p.more_keys);
  cub::DoubleBuffer<std::uint32_t> values(p.values, p.more_values);
  check(cub::DeviceRadixSort::SortPairs(room, room_bytes, keys, values, p.n, 0, bits,
                                        static_cast<cudaStream_t>(stream)));
  return keys.Current() == p.more_keys;
}

}  // namespace pleiad::cuda
