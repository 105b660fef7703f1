/// Added forces on the GPU: a thread for each body and force, with the formulas of the host. A reaction is a
/// sum over all bodies: blocks of 256 of them, and then the sums of the blocks, are added in a fixed order.
/// An effect takes some 50 to 100 operations in double precision, a body 32 bytes to read and to write.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "added_forces/effect.hpp"
#include "cuda/added_forces.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"

#include <added_forces/kinds.hpp>  // written by CMake
#include <cmath>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;

/// For with_kind.
struct AtPlace {
  const double* parameters;
  const added::Place<double>& place;
  template <class Kind>
  PLEIAD_HD added::Effect<double> operator()(Kind) const {
    return Kind::template at<double>(parameters, place);
  }
};

template <class T>
__device__ Vec3<double> wide_position(const Mass<T>& x) {
  return {double(x.x), double(x.y), double(x.z)};
}

/// The effect of a force on body i, without reactions. Not inlined: see with_field.
template <class T>
__device__ __attribute__((noinline)) Vec4<double> effect_on(const ForceAtTime& force, double G,
                                                            const Mass<T>* __restrict__ all,
                                                            const Vec4<double>* __restrict__ velocities,
                                                            std::size_t i) {
  const auto x = all[i];
  if (i == force.source) return {};
  if (force.on != ActsOn::all && (x.m > 0) != (force.on == ActsOn::massive)) return {};
  added::Place<double> place{.r = wide_position(x), .G = G, .m = double(x.m)};
  if (velocities != nullptr) place.v = velocities[i].xyz();
  if (force.source != ForceAtTime::no_source) {
    const auto source = all[force.source];
    place.r -= wide_position(source);
    if (velocities != nullptr) place.v -= velocities[force.source].xyz();
    place.Gm = G * double(source.m);
  }
  if (force.in_medium) place.medium = &force.medium, place.medium_velocity = force.medium_velocity;
  const auto effect = added::with_kind(force.kind, AtPlace{force.parameters, place});
  return {effect.acceleration.x, effect.acceleration.y, effect.acceleration.z, effect.energy};
}

__device__ Vec4<double> sum_of(const Vec4<double>& a, const Vec4<double>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

template <class T>
__global__ void add_effects_of(const __grid_constant__ ForceAtTime force, double G,
                               const Mass<T>* __restrict__ all, const Vec4<double>* __restrict__ velocities,
                               std::size_t first, std::size_t n, Vec4<double>* __restrict__ effects) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < n) effects[i] = sum_of(effects[i], effect_on(force, G, all, velocities, first + i));
}

/// The sum over the threads of a block, in thread 0.
__device__ Vec4<double> sum_of_block(Vec4<double> mine) {
  auto* const all = dynamic_shared<Vec4<double>>();
  all[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) all[threadIdx.x] = sum_of(all[threadIdx.x], all[threadIdx.x + half]);
    __syncthreads();
  }
  return all[0];
}

/// partial[b] = the sum of m times the effects over the bodies of a block.
template <class T>
__global__ void sum_effects(const __grid_constant__ ForceAtTime force, double G,
                            const Mass<T>* __restrict__ all, const Vec4<double>* __restrict__ velocities,
                            std::size_t n, Vec4<double>* __restrict__ partial) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  Vec4<double> mine{};
  // A body without mass may be where its effect is infinite.
  if (const double m = i < n ? double(all[i].m) : 0; m > 0) {
    const auto e = effect_on(force, G, all, velocities, i);
    mine = {m * e.x, m * e.y, m * e.z, m * e.w};
  }
  const auto sum = sum_of_block(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

/// One block: the sum of all partial sums, to `total`, or as the reaction to the effect on a source of mass
/// source->m.
template <class T>
__global__ void add_partials(const Vec4<double>* __restrict__ partial, std::size_t blocks,
                             Vec4<double>* __restrict__ total, const Mass<T>* __restrict__ source) {
  Vec4<double> mine{};
  for (std::size_t b = threadIdx.x; b < blocks; b += threads) mine = sum_of(mine, partial[b]);
  const auto sum = sum_of_block(mine);
  if (threadIdx.x > 0) return;
  if (source == nullptr) {
    *total = sum;
    return;
  }
  const double share = 1 / double(source->m);
  const auto to = *total;
  *total = {to.x - share * sum.x, to.y - share * sum.y, to.z - share * sum.z, to.w + share * sum.w};
}

template <class T>
__global__ void add_each(const Vec4<double>* __restrict__ effects, double per_G, bool energies,
                         Vec4<T>* __restrict__ sums, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const auto s = sums[i];
  const auto e = effects[i];
  sums[i] = {T(double(s.x) + e.x * per_G), T(double(s.y) + e.y * per_G), T(double(s.z) + e.z * per_G),
             energies ? T(double(s.w) + e.w * per_G) : s.w};
}

template <class T>
__device__ Vec3<double> wide(const Vec4<T>& v) {
  return {double(v.x), double(v.y), double(v.z)};
}
template <class T>
__device__ Vec3<double> changed(const Vec4<T>& v, const Vec4<T>& sum, double G, const StageRow& row,
                                std::size_t i) {
  auto rate = wide(sum) * (G * row.whole);
  for (int j = 0; j < row.stages; ++j) rate += row.f[j][i].xyz() * row.weights[j];
  return wide(v) + rate * row.time;
}
template <class T>
__global__ void change_to(const Vec4<T>* __restrict__ v, const Vec4<T>* __restrict__ sums, double G,
                          StageRow row, std::size_t n, Vec4<double>* __restrict__ to) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const auto u = changed(v[i], sums[i], G, row, i);
  to[i] = {u.x, u.y, u.z, 0};
}
template <class T>
__global__ void change_in_place(Vec4<T>* __restrict__ v, const Vec4<T>* __restrict__ sums, double G,
                                StageRow row, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const auto u = changed(v[i], sums[i], G, row, i);
  v[i] = {T(u.x), T(u.y), T(u.z), T(0)};
}
template <class T>
__global__ void compare(const Vec4<T>* __restrict__ v, const Vec4<T>* __restrict__ sums, double G,
                        double time, const Vec4<double>* __restrict__ before,
                        const Vec4<double>* __restrict__ now, std::size_t n, Vec4<double>* __restrict__ to) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const double change = norm(now[i].xyz() - before[i].xyz());
  const double scale = norm(wide(v[i])) / std::fabs(time) + norm(wide(sums[i])) * G + norm(now[i].xyz());
  const double ratio = change / scale;
  to[i] = {ratio < 1e300 ? ratio : 0, 0, 0, 0};
}

Grid grid_for(std::size_t n) { return {.blocks = unsigned((n + threads - 1) / threads), .threads = threads}; }
constexpr unsigned shared_bytes = threads * sizeof(Vec4<double>);

/// The sum of a force over all bodies; `to`, `source`: see add_partials.
template <class T>
void sum_over_bodies(const ForceAtTime& force, double G, const ForceBodies<T>& b, Vec4<double>* to,
                     const Mass<T>* source) {
  const std::size_t n = b.all.size();
  auto grid = grid_for(n);
  grid.shared_bytes = shared_bytes;
  Buffer<Vec4<double>> partial(grid.blocks, b.stream);
  launch("added forces", sum_effects<T>, grid, b.stream, force, G, b.all.data(), b.velocities, n,
         partial.data());
  launch("added forces", add_partials<T>, {.blocks = 1, .threads = threads, .shared_bytes = shared_bytes},
         b.stream, partial.data(), std::size_t{grid.blocks}, to, source);
}

}  // namespace

template <class T>
void added_effects(std::span<const ForceAtTime> forces, double G, const ForceBodies<T>& b,
                   Vec4<double>* effects) {
  if (b.count == 0) return;
  fill(effects, 0, b.count * sizeof *effects, b.stream);
  for (const auto& force : forces) {
    launch("added forces", add_effects_of<T>, grid_for(b.count), b.stream, force, G, b.all.data(),
           b.velocities, b.first, b.count, effects);
    const std::size_t place = force.source - b.first;
    if (force.reacts && force.source >= b.first && place < b.count)
      sum_over_bodies(force, G, b, effects + place, b.all.data() + force.source);
  }
}
template <class T>
double added_energy(std::span<const ForceAtTime> forces, double G, const ForceBodies<T>& b) {
  double energy = 0;
  Buffer<Vec4<double>> sum(1, b.stream);
  for (const auto& force : forces) {
    sum_over_bodies<T>(force, G, b, sum.data(), nullptr);
    Vec4<double> here;
    sum.copy_to_host({&here, 1});
    energy += here.w;
  }
  return energy;
}
template <class T>
void add_effects(const Vec4<double>* effects, double G, bool energies, Vec4<T>* sums, std::size_t n,
                 void* stream) {
  launch("added forces", add_each<T>, grid_for(n), stream, effects, 1 / G, energies, sums, n);
}
template <class T>
void stage_velocities(const Vec4<T>* v, const Vec4<T>* sums, double G, const StageRow& row, std::size_t n,
                      Vec4<double>* to, void* stream) {
  launch("implicit kick", change_to<T>, grid_for(n), stream, v, sums, G, row, n, to);
}
template <class T>
void change_velocities(Vec4<T>* v, const Vec4<T>* sums, double G, const StageRow& row, std::size_t n,
                       void* stream) {
  launch("implicit kick", change_in_place<T>, grid_for(n), stream, v, sums, G, row, n);
}
template <class T>
void relative_changes(const Vec4<T>* v, const Vec4<T>* sums, double G, double time,
                      const Vec4<double>* before, const Vec4<double>* now, std::size_t n, Vec4<double>* to,
                      void* stream) {
  launch("implicit kick", compare<T>, grid_for(n), stream, v, sums, G, time, before, now, n, to);
}

#define PLEIAD_FORCES(T)                                                                                   \
  template void added_effects(std::span<const ForceAtTime>, double, const ForceBodies<T>&, Vec4<double>*); \
  template double added_energy(std::span<const ForceAtTime>, double, const ForceBodies<T>&);               \
  template void add_effects(const Vec4<double>*, double, bool, Vec4<T>*, std::size_t, void*);              \
  template void stage_velocities(const Vec4<T>*, const Vec4<T>*, double, const StageRow&, std::size_t,     \
                                 Vec4<double>*, void*);                                                    \
  template void change_velocities(Vec4<T>*, const Vec4<T>*, double, const StageRow&, std::size_t, void*);  \
  template void relative_changes(const Vec4<T>*, const Vec4<T>*, double, double, const Vec4<double>*,      \
                                 const Vec4<double>*, std::size_t, Vec4<double>*, void*);
PLEIAD_FORCES(float)
PLEIAD_FORCES(double)
#undef PLEIAD_FORCES

}  // namespace pleiad::cuda
