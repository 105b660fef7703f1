/// Some of many: a thread for each element.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/sample.hpp"

namespace pleiad::cuda {
namespace {

template <class T>
__device__ Mass<double> widened(Mass<T> m) {
  return {double(m.x), double(m.y), double(m.z), double(m.m)};
}
template <class T>
__device__ Vec4<double> widened(Vec4<T> v) {
  return {double(v.x), double(v.y), double(v.z), double(v.w)};
}

template <class From, class To>
__global__ void pick_each(const From* __restrict__ from, const std::size_t* __restrict__ chosen,
                          std::size_t count, To* __restrict__ to) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) to[k] = widened(from[chosen == nullptr ? k : chosen[k]]);
}

template <class From, class To>
void pick_all(const From* from, const std::size_t* chosen, std::size_t count, To* to, void* stream) {
  constexpr unsigned threads = 256;
  launch("cuda/pick", pick_each<From, To>,
         {.blocks = unsigned((count + threads - 1) / threads), .threads = threads}, stream, from, chosen,
         count, to);
}

}  // namespace

template <class T>
void pick(const Mass<T>* from, const std::size_t* chosen, std::size_t count, Mass<double>* to, void* stream) {
  pick_all(from, chosen, count, to, stream);
}
template <class T>
void pick(const Vec4<T>* from, const std::size_t* chosen, std::size_t count, Vec4<double>* to, void* stream) {
  pick_all(from, chosen, count, to, stream);
}

template void pick(const Mass<float>*, const std::size_t*, std::size_t, Mass<double>*, void*);
template void pick(const Mass<double>*, const std::size_t*, std::size_t, Mass<double>*, void*);
template void pick(const Vec4<float>*, const std::size_t*, std::size_t, Vec4<double>*, void*);
template void pick(const Vec4<double>*, const std::size_t*, std::size_t, Vec4<double>*, void*);

}  // namespace pleiad::cuda
