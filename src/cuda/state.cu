/// The state on the device: one thread per body for the updates. For the totals a block of threads for each
/// block of bodies, which reads 48 or 96 bytes a body once; for results that do not depend on order blocks of
/// threads that share all bodies, and another one that combines their results.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/update.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256, most_blocks = 1024;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

__device__ inline std::size_t my_body() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class T>
__global__ void update_bodies(Update<T> u, Vec3<T> length, Mass<T>* __restrict__ x, Vec4<T>* __restrict__ v,
                              const Vec4<T>* __restrict__ sums, std::size_t n) {
  const std::size_t i = my_body();
  if (i >= n) return;
  auto velocity = v[i];
  change_velocity(u, velocity, sums + i);
  if (u.kicks > 0 || u.damps) v[i] = velocity;
  if (u.drifts) x[i] = drifted(u, x[i], velocity, length);
}

template <class T>
__global__ void wrap_bodies(Vec3<T> length, Mass<T>* x, std::size_t n) {
  if (const std::size_t i = my_body(); i < n) x[i] = wrapped(x[i], length);
}

template <class T>
__global__ void reverse_bodies(Vec4<T>* v, std::size_t n) {
  if (const std::size_t i = my_body(); i < n) v[i] = {-v[i].x, -v[i].y, -v[i].z, T(0)};
}

template <class T>
struct Everything {
  using Value = BodySums;
  const Mass<T>* x;
  const Vec4<T>*v, *sums;
  __device__ BodySums operator()(std::size_t i) const { return sums_of_body(x[i], v[i], sums[i]); }
  __device__ static void join(BodySums& a, const BodySums& b) { a += b; }
};
struct Largest {
  using Value = double;
  __device__ static void join(double& a, double b) {
    if (a < b) a = b;
  }
};
template <class T>
struct Pull : Largest {
  const Vec4<T>* sums;
  explicit Pull(const Vec4<T>* pulls) : sums(pulls) {}
  __device__ double operator()(std::size_t i) const {
    const Vec3<double> a{double(sums[i].x), double(sums[i].y), double(sums[i].z)};
    return dot(a, a);
  }
};
/// 1 for a body that is not finite: 0 times any number is 0, times anything else NaN.
template <class T>
struct NotFinite : Largest {
  const Mass<T>* x;
  const Vec4<T>* v;
  NotFinite(const Mass<T>* bodies, const Vec4<T>* velocities) : x(bodies), v(velocities) {}
  __device__ double operator()(std::size_t i) const {
    const double zero = 0 * double(x[i].x) + 0 * double(x[i].y) + 0 * double(x[i].z) + 0 * double(v[i].x) +
                        0 * double(v[i].y) + 0 * double(v[i].z);
    return zero == 0 ? 0 : 1;
  }
};
/// Results of the blocks of an earlier launch.
template <class Item>
struct Parts {
  using Value = typename Item::Value;
  const Value* parts;
  __device__ Value operator()(std::size_t i) const { return parts[i]; }
  __device__ static void join(Value& a, const Value& b) { Item::join(a, b); }
};

/// Halves of the block are joined until one value is left.
template <class Item>
__device__ void join_threads(const typename Item::Value& value, typename Item::Value* result) {
  auto* shared = dynamic_shared<typename Item::Value>();
  shared[threadIdx.x] = value;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) Item::join(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *result = shared[0];
}

/// A thread takes every (grid size)-th item.
template <class Item>
__global__ void combine(Item item, std::size_t n, typename Item::Value* results) {
  typename Item::Value value{};
  for (std::size_t i = my_body(); i < n; i += std::size_t{gridDim.x} * blockDim.x) Item::join(value, item(i));
  join_threads<Item>(value, results + blockIdx.x);
}

/// A block takes sum_block items, whatever the grid: its result is theirs alone.
template <class Item>
__global__ void combine_blocks(Item item, std::size_t n, typename Item::Value* results) {
  typename Item::Value value{};
  const std::size_t first = blockIdx.x * sum_block, end = first + sum_block < n ? first + sum_block : n;
  for (std::size_t i = first + threadIdx.x; i < end; i += threads) Item::join(value, item(i));
  join_threads<Item>(value, results + blockIdx.x);
}

template <class Item>
typename Item::Value combined(const Item& item, std::size_t n, void* stream) {
  using Value = typename Item::Value;
  Value total{};
  if (n == 0) return total;
  const unsigned blocks = std::min(blocks_for(n), most_blocks), bytes = threads * sizeof(Value);
  Buffer<Value> parts(blocks, stream), result(1, stream);
  launch("combine", combine<Item>, {.blocks = blocks, .threads = threads, .shared_bytes = bytes}, stream,
         item, n, parts.data());
  launch("combine", combine<Parts<Item>>, {.blocks = 1, .threads = threads, .shared_bytes = bytes}, stream,
         Parts<Item>{parts.data()}, std::size_t{blocks}, result.data());
  result.copy_to_host({&total, 1});
  return total;
}

}  // namespace

template <class T>
void apply(const Update<T>& update, const Boundary& boundary, Mass<T>* x, Vec4<T>* v, const Vec4<T>* sums,
           std::size_t n, void* stream) {
  launch("update", update_bodies<T>, {.blocks = blocks_for(n), .threads = threads}, stream, update,
         lengths_of<T>(boundary), x, v, sums, n);
}
template <class T>
void wrap(const Boundary& boundary, Mass<T>* x, std::size_t n, void* stream) {
  if (boundary.periodic)
    launch("wrap", wrap_bodies<T>, {.blocks = blocks_for(n), .threads = threads}, stream,
           lengths_of<T>(boundary), x, n);
}
template <class T>
void reverse(Vec4<T>* v, std::size_t n, void* stream) {
  launch("reverse", reverse_bodies<T>, {.blocks = blocks_for(n), .threads = threads}, stream, v, n);
}
template <class T>
std::vector<BodySums> sums_of_blocks(const Mass<T>* x, const Vec4<T>* v, const Vec4<T>* sums, std::size_t n,
                                     void* stream) {
  std::vector<BodySums> blocks((n + sum_block - 1) / sum_block);
  Buffer<BodySums> results(blocks.size(), stream);
  launch("sum-blocks", combine_blocks<Everything<T>>,
         {.blocks = static_cast<unsigned>(blocks.size()),
          .threads = threads,
          .shared_bytes = threads * sizeof(BodySums)},
         stream, Everything<T>{x, v, sums}, n, results.data());
  results.copy_to_host(blocks);
  return blocks;
}
template <class T>
double largest_pull_squared(const Vec4<T>* sums, std::size_t n, void* stream) {
  return combined(Pull<T>(sums), n, stream);
}
template <class T>
bool all_finite(const Mass<T>* x, const Vec4<T>* v, std::size_t n, void* stream) {
  return combined(NotFinite<T>(x, v), n, stream) == 0;
}

template void apply(const Update<float>&, const Boundary&, Mass<float>*, Vec4<float>*, const Vec4<float>*,
                    std::size_t, void*);
template void apply(const Update<double>&, const Boundary&, Mass<double>*, Vec4<double>*, const Vec4<double>*,
                    std::size_t, void*);
template void wrap(const Boundary&, Mass<float>*, std::size_t, void*);
template void wrap(const Boundary&, Mass<double>*, std::size_t, void*);
template void reverse(Vec4<float>*, std::size_t, void*);
template void reverse(Vec4<double>*, std::size_t, void*);
template std::vector<BodySums> sums_of_blocks(const Mass<float>*, const Vec4<float>*, const Vec4<float>*,
                                              std::size_t, void*);
template std::vector<BodySums> sums_of_blocks(const Mass<double>*, const Vec4<double>*, const Vec4<double>*,
                                              std::size_t, void*);
template double largest_pull_squared(const Vec4<float>*, std::size_t, void*);
template double largest_pull_squared(const Vec4<double>*, std::size_t, void*);
template bool all_finite(const Mass<float>*, const Vec4<float>*, std::size_t, void*);
template bool all_finite(const Mass<double>*, const Vec4<double>*, std::size_t, void*);

}  // namespace pleiad::cuda
