/// External potentials on the GPU: a thread for each body, which reads it once for all potentials of a
/// launch. Every thread takes the same kind at the same time, so that no branch diverges.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/external_field.hpp"
#include "cuda/field_of_bodies.hpp"
#include "potentials/sum.hpp"

#include <algorithm>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;
using potentials::Instant;
constexpr int most = potentials_at_once;
/// An argument of the launch.
struct Some {
  int count = 0;
  Instant<double> potentials[most]{};
};
static_assert(sizeof(Some) < 4000);

template <class T>
__global__ void add_accelerations(const __grid_constant__ Some all, double G, double per_G,
                                  const Mass<T>* __restrict__ x, Vec4<T>* __restrict__ sums, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = with_field(all.potentials, all.count, G, per_G, x[i], sums[i]);
}
template <class T>
__global__ void add_potentials(Some all, double G, const Mass<T>* __restrict__ x, Vec4<T>* __restrict__ sums,
                               std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto field = potentials::field_of(all.potentials, std::size_t(all.count), G,
                                          Vec3<double>{double(x[i].x), double(x[i].y), double(x[i].z)});
  sums[i].w += T(2 / G * field.potential);
}

/// `x` may be one of the destinations.
template <class T>
__global__ void drift_bodies(potentials::HillDrift drift, const Mass<T>* x, Vec4<T>* __restrict__ v,
                             std::size_t first, std::size_t n, Destinations<T> to) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto position = x[first + i];
  auto velocity = v[i];
  potentials::drift(drift, position, velocity);
  v[i] = velocity;
  for (int d = 0; d < to.count; ++d) to.bodies[d][first + i] = position;
}

/// Calls launch(some) for a limited number of potentials at a time.
template <class Launch>
void in_launches(std::span<const Instant<double>> potentials, const Launch& launch) {
  for (; !potentials.empty();
       potentials = potentials.subspan(std::min<std::size_t>(most, potentials.size()))) {
    Some some;
    some.count = static_cast<int>(std::min<std::size_t>(most, potentials.size()));
    std::copy_n(potentials.begin(), some.count, some.potentials);
    launch(some);
  }
}

Grid grid_for(std::size_t n) { return {.blocks = unsigned((n + threads - 1) / threads), .threads = threads}; }

}  // namespace

template <class T>
void add_external_field(std::span<const Instant<double>> potentials, double G, const Mass<T>* x,
                        Vec4<T>* sums, std::size_t n, void* stream) {
  in_launches(potentials, [&](const Some& some) {
    launch("external field", add_accelerations<T>, grid_for(n), stream, some, G, 1 / G, x, sums, n);
  });
}
template <class T>
void external_potentials(std::span<const Instant<double>> potentials, double G, const Mass<T>* x,
                         Vec4<T>* sums, std::size_t n, void* stream) {
  fill(sums, 0, n * sizeof *sums, stream);
  in_launches(potentials, [&](const Some& some) {
    launch("external potentials", add_potentials<T>, grid_for(n), stream, some, G, x, sums, n);
  });
}
template <class T>
void drift_in_hill_frame(const potentials::HillDrift& drift, const Mass<T>* x, Vec4<T>* v, std::size_t first,
                         std::size_t n, const Destinations<T>& to, void* stream) {
  launch("drift in Hill's frame", drift_bodies<T>, grid_for(n), stream, drift, x, v, first, n, to);
}
template void drift_in_hill_frame(const potentials::HillDrift&, const Mass<float>*, Vec4<float>*, std::size_t,
                                  std::size_t, const Destinations<float>&, void*);
template void drift_in_hill_frame(const potentials::HillDrift&, const Mass<double>*, Vec4<double>*,
                                  std::size_t, std::size_t, const Destinations<double>&, void*);
template void add_external_field(std::span<const Instant<double>>, double, const Mass<float>*, Vec4<float>*,
                                 std::size_t, void*);
template void add_external_field(std::span<const Instant<double>>, double, const Mass<double>*, Vec4<double>*,
                                 std::size_t, void*);
template void external_potentials(std::span<const Instant<double>>, double, const Mass<float>*, Vec4<float>*,
                                  std::size_t, void*);
template void external_potentials(std::span<const Instant<double>>, double, const Mass<double>*,
                                  Vec4<double>*, std::size_t, void*);

}  // namespace pleiad::cuda
