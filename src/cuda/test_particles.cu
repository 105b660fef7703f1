/// Gathers bodies and scatters sums: a thread for each body with mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/test_particles.hpp"

namespace pleiad::cuda {
namespace {

template <class T>
__global__ void gather_each(const Mass<T>* __restrict__ from, const std::size_t* __restrict__ chosen,
                            std::size_t count, Mass<T>* __restrict__ to) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) to[k] = from[chosen[k]];
}
template <class T>
__global__ void scatter_each(const Vec4<T>* __restrict__ from, const std::size_t* __restrict__ chosen,
                             std::size_t count, Vec4<T>* __restrict__ to) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) to[chosen[k]] = from[k];
}

constexpr unsigned threads = 256;
unsigned blocks_of(std::size_t count) { return unsigned((count + threads - 1) / threads); }

}  // namespace

template <class T>
void gather(const Mass<T>* from, std::span<const std::size_t> chosen, Mass<T>* to, void* stream) {
  if (chosen.empty()) return;
  launch("cuda/gather", gather_each<T>, {.blocks = blocks_of(chosen.size()), .threads = threads}, stream,
         from, chosen.data(), chosen.size(), to);
}
template <class T>
void scatter(const Vec4<T>* from, std::span<const std::size_t> chosen, Vec4<T>* to, void* stream) {
  if (chosen.empty()) return;
  launch("cuda/scatter", scatter_each<T>, {.blocks = blocks_of(chosen.size()), .threads = threads}, stream,
         from, chosen.data(), chosen.size(), to);
}

template void gather(const Mass<float>*, std::span<const std::size_t>, Mass<float>*, void*);
template void gather(const Mass<double>*, std::span<const std::size_t>, Mass<double>*, void*);
template void scatter(const Vec4<float>*, std::span<const std::size_t>, Vec4<float>*, void*);
template void scatter(const Vec4<double>*, std::span<const std::size_t>, Vec4<double>*, void*);

}  // namespace pleiad::cuda
