/// The state on the device: one thread per body for the updates; for the totals a tree in each block and the
/// blocks' results added on the host in their order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/update.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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

struct Sum {
  static PLEIAD_HD double combine(double a, double b) { return a + b; }
};
struct Largest {
  static PLEIAD_HD double combine(double a, double b) { return a < b ? b : a; }
};

template <class T>
__device__ double squared(T a, T b, T c) {
  return double(a) * double(a) + double(b) * double(b) + double(c) * double(c);
}
template <class T>
struct Kinetic : Sum {
  const Mass<T>* x;
  const Vec4<T>* v;
  Kinetic(const Mass<T>* bodies, const Vec4<T>* velocities) : x(bodies), v(velocities) {}
  __device__ double operator()(std::size_t i) const {
    return 0.5 * double(x[i].m) * squared(v[i].x, v[i].y, v[i].z);
  }
};
template <class T>
struct Potential : Sum {
  const Mass<T>* x;
  const Vec4<T>* sums;
  Potential(const Mass<T>* bodies, const Vec4<T>* pulls) : x(bodies), sums(pulls) {}
  __device__ double operator()(std::size_t i) const { return 0.5 * double(x[i].m) * double(sums[i].w); }
};
template <class T>
struct Pull : Largest {
  const Vec4<T>* sums;
  explicit Pull(const Vec4<T>* pulls) : sums(pulls) {}
  __device__ double operator()(std::size_t i) const { return squared(sums[i].x, sums[i].y, sums[i].z); }
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

/// A thread takes every (grid size)-th body; then halves of the block are combined.
template <class Item>
__global__ void combine(Item item, std::size_t n, double* results) {
  auto* shared = dynamic_shared<double>();
  double value = 0;
  for (std::size_t i = my_body(); i < n; i += std::size_t{gridDim.x} * blockDim.x)
    value = Item::combine(value, item(i));
  shared[threadIdx.x] = value;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      shared[threadIdx.x] = Item::combine(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) results[blockIdx.x] = shared[0];
}

template <class Item>
double combined(const Item& item, std::size_t n, void* stream) {
  const unsigned blocks = std::min(blocks_for(n), most_blocks);
  Buffer<double> results(blocks, stream);
  launch("combine", combine<Item>,
         {.blocks = blocks, .threads = threads, .shared_bytes = threads * sizeof(double)}, stream, item, n,
         results.data());
  std::vector<double> host(blocks);
  results.copy_to_host(host);
  double total = 0;
  for (const double value : host) total = Item::combine(total, value);
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
double kinetic_energy(const Mass<T>* x, const Vec4<T>* v, std::size_t n, void* stream) {
  return combined(Kinetic<T>(x, v), n, stream);
}
template <class T>
double potential_energy(const Mass<T>* x, const Vec4<T>* sums, std::size_t n, void* stream) {
  return combined(Potential<T>(x, sums), n, stream);
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
template double kinetic_energy(const Mass<float>*, const Vec4<float>*, std::size_t, void*);
template double kinetic_energy(const Mass<double>*, const Vec4<double>*, std::size_t, void*);
template double potential_energy(const Mass<float>*, const Vec4<float>*, std::size_t, void*);
template double potential_energy(const Mass<double>*, const Vec4<double>*, std::size_t, void*);
template double largest_pull_squared(const Vec4<float>*, std::size_t, void*);
template double largest_pull_squared(const Vec4<double>*, std::size_t, void*);
template bool all_finite(const Mass<float>*, const Vec4<float>*, std::size_t, void*);
template bool all_finite(const Mass<double>*, const Vec4<double>*, std::size_t, void*);

}  // namespace pleiad::cuda
