/// Bottom up on the device: the moments of leaves from their bodies, a thread per leaf; of other cells from
/// their children, a thread per child, since levels wait for each other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/cells.hpp"
#include "cuda/tree/operators.hpp"
#include "cuda/tree/order.hpp"

#include <cmath>

namespace pleiad::cuda::tree {

constexpr unsigned moment_threads = 128, threads_per_parent = 8;

/// Joins the values of all threads of a parent by a symmetric operation: the result is the same in each of
/// them.
template <class T, class Join>
__device__ __forceinline__ T joined(T mine, const Join& join) {
#pragma unroll
  for (int by = 1; by < int(threads_per_parent); by *= 2) mine = join(mine, __shfl_xor_sync(~0u, mine, by));
  return mine;
}
template <class T>
__device__ __forceinline__ T sum_of(T mine) {
  return joined(mine, [](T a, T b) { return a + b; });
}
template <class T>
__device__ __forceinline__ T least_of(T mine) {
  return joined(mine, [](T a, T b) { return a < b ? a : b; });
}
template <class T>
__device__ __forceinline__ T most_of(T mine) {
  return joined(mine, [](T a, T b) { return a > b ? a : b; });
}

/// Mass, centre of mass and box of a cell on the way.
struct Gathered {
  double m = 0, x = 0, y = 0, z = 0;
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};

  __device__ void add(double mass, Vec3<double> at) {
    m += mass, x += mass * at.x, y += mass * at.y, z += mass * at.z;
  }
  __device__ void cover(int k, double from, double to) {
    low[k] = low[k] < from ? low[k] : from, high[k] = high[k] > to ? high[k] : to;
  }
  /// The sum over all threads of a parent.
  __device__ Gathered joined() const {
    Gathered all;
    all.m = sum_of(m), all.x = sum_of(x), all.y = sum_of(y), all.z = sum_of(z);
    for (int k = 0; k < 3; ++k) all.low[k] = least_of(low[k]), all.high[k] = most_of(high[k]);
    return all;
  }
  /// Rounding never takes a centre out of the box; without mass it is the middle.
  __device__ double inside(double sum, int k) const {
    if (!(m > 0)) return 0.5 * (low[k] + high[k]);
    const double at = sum / m;
    return at < low[k] ? low[k] : at > high[k] ? high[k] : at;
  }
  __device__ Vec3<double> centre() const { return {inside(x, 0), inside(y, 1), inside(z, 2)}; }
  /// The radius of the box about a place, no less than it is.
  __device__ float reach(Vec3<double> c) const {
    const auto far = [&](int k, double at) {
      const double a = at - low[k], b = high[k] - at;
      return float(a > b ? a : b);
    };
    const float dx = far(0, c.x), dy = far(1, c.y), dz = far(2, c.z);
    return sqrtf(dx * dx + dy * dy + dz * dz) * (1 + 0x1p-21f);
  }
};

__device__ inline Vec3<double> centre_of(const Place& p) {
  return {double(p.x) + double(p.lx), double(p.y) + double(p.ly), double(p.z) + double(p.lz)};
}

/// The power of two above a cell's radius; of a point, one that is surely below the distance to any other
/// cell's bodies.
__device__ inline float unit_of(float radius) {
  constexpr float least = 0x1p-41f;
  return radius > least ? ldexpf(1.0f, ilogbf(radius) + 1) : least;
}
__device__ inline Place place_of(Vec3<double> c, float radius) {
  const float x = float(c.x), y = float(c.y), z = float(c.z);
  return {x,
          y,
          z,
          radius,
          float(c.x - double(x)),
          float(c.y - double(y)),
          float(c.z - double(z)),
          unit_of(radius)};
}

/// Record of a cell for others: its order p and number of floats, written from its moments. For far cells:
/// position, mass, folded moments.
template <int p>
struct FarRecord {
  static constexpr int order = p, size = Sizes<p>::record;
  __device__ __forceinline__ static void fill(const Place& place, const float* M, float* record) {
    using S = Sizes<p>;
    float folded[S::folded_moments];
    fold(Order<p>{}, M, folded);
    record[0] = place.x, record[1] = place.y, record[2] = place.z, record[3] = M[0];
    record[4] = place.lx, record[5] = place.ly, record[6] = place.lz, record[7] = place.unit;
#pragma unroll
    for (int k = 1; k < S::folded_moments; ++k) record[7 + k] = folded[k];
#pragma unroll
    for (int k = 7 + S::folded_moments; k < size; ++k) record[k] = 0;
  }
};

template <class Record>
__device__ __forceinline__ void write_moments(const Cells& cells, std::uint32_t c, const Place& place,
                                              const float* M) {
  using S = Sizes<Record::order>;
  float record[Record::size];
  Record::fill(place, M, record);
  cells.places[c] = place, cells.strengths[c] = {M[0], 1e30f};
  store<Record::size>(record, cells.records + std::size_t{c} * Record::size);
  store<S::moments>(M, cells.moments + std::size_t{c} * S::full);
}

template <class Record, class T>
__global__ void __launch_bounds__(moment_threads)
    moments_of_leaves(Cells cells, std::uint32_t count, const Frame* __restrict__ frame,
                      const Mass<T>* __restrict__ bodies) {
  constexpr int p = Record::order;
  using S = Sizes<p>;
  const std::uint32_t c = blockIdx.x * moment_threads + threadIdx.x;
  if (c >= count) return;
  const Cell cell = cells.cells[c];
  if (cell.children > 0) return;
  const Vec3<double> middle = frame->middle;
  const auto at = [&](const Mass<T>& b) {
    return Vec3<double>{double(b.x) - middle.x, double(b.y) - middle.y, double(b.z) - middle.z};
  };
  Gathered all;
#pragma unroll 4
  for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
    const auto b = bodies[i];
    const auto x = at(b);
    all.add(double(b.m), x);
    all.cover(0, x.x, x.x), all.cover(1, x.y, x.y), all.cover(2, x.z, x.z);
  }
  const auto centre = all.centre();
  float r2 = 0;
#pragma unroll 4
  for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
    const auto x = at(bodies[i]) - centre;
    const float dx = float(x.x), dy = float(x.y), dz = float(x.z), d2 = dx * dx + dy * dy + dz * dz;
    r2 = r2 > d2 ? r2 : d2;
  }
  const Place place = place_of(centre, sqrtf(r2) * (1 + 0x1p-21f));
  const float per = 1 / place.unit;
  float M[S::moments];
#pragma unroll
  for (int k = 0; k < S::moments; ++k) M[k] = 0;
  for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
    const auto b = bodies[i];
    const auto x = at(b) - centre;
    p2m(Order<p>{}, float(x.x) * per, float(x.y) * per, float(x.z) * per, float(b.m), M);
  }
  Box box;
  for (int k = 0; k < 3; ++k) box.low[k] = float(all.low[k]), box.high[k] = float(all.high[k]);
  cells.boxes[c] = box;
  write_moments<Record>(cells, c, place, M);
}

/// A child's moments in the unit of its parent.
template <int p>
__device__ __forceinline__ void load_child(const Cells& cells, std::uint32_t c, float ratio, float* C) {
  using S = Sizes<p>;
  load<S::moments>(cells.moments + std::size_t{c} * S::full, C);
  float power = ratio;
#pragma unroll
  for (int n = 2; n < p; ++n) {
    power *= ratio;
#pragma unroll
    for (int k = below(n) - 3; k < below(n + 1) - 3; ++k) C[k] *= power;
  }
}

/// Moments of the cells of one level from those of their children.
template <class Record>
__global__ void __launch_bounds__(moment_threads)
    moments_of_parents(Cells cells, std::uint32_t first, std::uint32_t count) {
  constexpr int p = Record::order;
  using S = Sizes<p>;
  const std::uint32_t k = (blockIdx.x * moment_threads + threadIdx.x) / threads_per_parent, c = first + k;
  const unsigned number = threadIdx.x % threads_per_parent;
  // Threads without a child stay for the sums.
  const Cell cell = k < count ? cells.cells[c] : Cell{0, 0, 0, 0};
  const bool mine = number < cell.children;
  const std::uint32_t s = mine ? cell.first_child + number : 0;
  // Boxes are accurate to 2^-24 of the root, and so are distances that are measured from them.
  constexpr float box_rounding = 0x1p-22f;
  const Place child = mine ? cells.places[s] : Place{};  // that of the root is not there yet
  Gathered own;
  if (mine) {
    const Box box = cells.boxes[s];
    own.add(double(cells.moments[std::size_t{s} * S::full]), centre_of(child));
    for (int axis = 0; axis < 3; ++axis) own.cover(axis, double(box.low[axis]), double(box.high[axis]));
  }
  const Gathered all = own.joined();
  const auto centre = all.centre();
  const auto x = centre_of(child) - centre;
  const float dx = float(x.x), dy = float(x.y), dz = float(x.z);
  const float reach = (sqrtf(dx * dx + dy * dy + dz * dz) + child.r) * (1 + 0x1p-21f);
  const float radius = most_of(mine ? reach : 0.0f), corner = all.reach(centre) + box_rounding;
  const Place place = place_of(centre, radius < corner ? radius : corner);
  const float per = 1 / place.unit;
  float M[S::moments];
#pragma unroll
  for (int i = 0; i < S::moments; ++i) M[i] = 0;
  if (mine) {
    float C[S::moments];
    load_child<p>(cells, s, child.unit * per, C);
    m2m(Order<p>{}, C, dx * per, dy * per, dz * per, M);
  }
#pragma unroll
  for (int i = 0; i < S::moments; ++i) M[i] = sum_of(M[i]);
  if (number != 0 || cell.children == 0) return;
  Box box;
  for (int i = 0; i < 3; ++i) box.low[i] = float(all.low[i]), box.high[i] = float(all.high[i]);
  cells.boxes[c] = box;
  write_moments<Record>(cells, c, place, M);
}

/// The launches of all these.
template <class Record>
struct MomentsOf {
  template <class T>
  static void leaves(const Cells& cells, std::uint32_t count, const Frame* frame, const Mass<T>* bodies,
                     void* stream) {
    launch("tree moments of leaves", moments_of_leaves<Record, T>,
           {.blocks = blocks_for(count, moment_threads), .threads = moment_threads}, stream, cells, count,
           frame, bodies);
  }
  static void parents(const Cells& cells, Range r, void* stream) {
    launch("tree moments of parents", moments_of_parents<Record>,
           {.blocks = blocks_for(std::size_t{r.count} * threads_per_parent, moment_threads),
            .threads = moment_threads},
           stream, cells, r.first, r.count);
  }
};
template <class Record>
constexpr MomentKernels moment_kernels{.record = Record::size,
                                       .moments = Sizes<Record::order>::full,
                                       .leaves_f32 = MomentsOf<Record>::template leaves<float>,
                                       .leaves_f64 = MomentsOf<Record>::template leaves<double>,
                                       .parents = MomentsOf<Record>::parents};

}  // namespace pleiad::cuda::tree
