#include "cuda/device/launch.hpp"
#include "cuda/multi_gpu/send.hpp"
#include "cuda/update.hpp"

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 128;

/// Unit of one store of a thread: neighbours that store neighbours fill whole packets on the link.
struct alignas(16) Unit {
  unsigned long long parts[2];
};

template <class T>
__global__ void update_and_send_bodies(Update<T> u, Vec3<T> length, const Mass<T>* __restrict__ x,
                                       Vec4<T>* __restrict__ v, const Vec4<T>* __restrict__ sums,
                                       std::size_t first, std::size_t n, Destinations<T> to) {
  const std::size_t block = std::size_t{blockIdx.x} * threads, i = block + threadIdx.x;
  auto* const there = dynamic_shared<Mass<T>>();
  if (i < n) {
    auto velocity = v[i];
    change_velocity(u, velocity, sums + i);
    if (u.kicks > 0 || u.damps) v[i] = velocity;
    if (u.drifts) there[threadIdx.x] = drifted(u, x[first + i], velocity, length);
  }
  if (!u.drifts) return;
  __syncthreads();
  constexpr unsigned units = sizeof(Mass<T>) / sizeof(Unit);
  const unsigned here = units * static_cast<unsigned>(n - block < threads ? n - block : threads);
  for (unsigned k = threadIdx.x; k < here; k += threads) {
    const Unit unit = reinterpret_cast<const Unit*>(there)[k];
    for (int d = 0; d < to.count; ++d) reinterpret_cast<Unit*>(to.bodies[d] + first + block)[k] = unit;
  }
}

}  // namespace

template <class T>
void update_and_send(const Update<T>& update, const Boundary& boundary, const Mass<T>* x, Vec4<T>* v,
                     const Vec4<T>* sums, std::size_t first, std::size_t n, const Destinations<T>& to,
                     void* stream) {
  launch("update_and_send", update_and_send_bodies<T>,
         {.blocks = static_cast<unsigned>((n + threads - 1) / threads),
          .threads = threads,
          .shared_bytes = threads * unsigned{sizeof(Mass<T>)}},
         stream, update, lengths_of<T>(boundary), x, v, sums, first, n, to);
}

template void update_and_send(const Update<float>&, const Boundary&, const Mass<float>*, Vec4<float>*,
                              const Vec4<float>*, std::size_t, std::size_t, const Destinations<float>&,
                              void*);
template void update_and_send(const Update<double>&, const Boundary&, const Mass<double>*, Vec4<double>*,
                              const Vec4<double>*, std::size_t, std::size_t, const Destinations<double>&,
                              void*);

}  // namespace pleiad::cuda
