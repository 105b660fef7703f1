/// Gathers and scatters bodies, velocities and sums: a thread for each body with mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/test_particles.hpp"

namespace pleiad::cuda {
namespace {

template <class Item>
__global__ void gather_each(const Item* __restrict__ from, const std::size_t* __restrict__ chosen,
                            std::size_t count, Item* __restrict__ to) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) to[k] = from[chosen[k]];
}
template <class Item>
__global__ void scatter_each(const Item* __restrict__ from, const std::size_t* __restrict__ chosen,
                             std::size_t count, Item* __restrict__ to) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) to[chosen[k]] = from[k];
}

constexpr unsigned threads = 256;
unsigned blocks_of(std::size_t count) { return unsigned((count + threads - 1) / threads); }

}  // namespace

template <class Item>
void gather(const Item* from, std::span<const std::size_t> chosen, Item* to, void* stream) {
  if (chosen.empty()) return;
  launch("cuda/gather", gather_each<Item>, {.blocks = blocks_of(chosen.size()), .threads = threads}, stream,
         from, chosen.data(), chosen.size(), to);
}
template <class Item>
void scatter(const Item* from, std::span<const std::size_t> chosen, Item* to, void* stream) {
  if (chosen.empty()) return;
  launch("cuda/scatter", scatter_each<Item>, {.blocks = blocks_of(chosen.size()), .threads = threads}, stream,
         from, chosen.data(), chosen.size(), to);
}

#define PLEIAD_ITEMS(Item)                                                       \
  template void gather(const Item*, std::span<const std::size_t>, Item*, void*); \
  template void scatter(const Item*, std::span<const std::size_t>, Item*, void*);
PLEIAD_ITEMS(Mass<float>)
PLEIAD_ITEMS(Mass<double>)
PLEIAD_ITEMS(Vec4<float>)
PLEIAD_ITEMS(Vec4<double>)
#undef PLEIAD_ITEMS

}  // namespace pleiad::cuda
