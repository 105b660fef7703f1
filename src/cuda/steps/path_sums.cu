/// Path sums: accelerations and jerks of some bodies by all, for a scheme that the host drives.
///
/// A first kernel takes the rows of paths that have changed, and predicts the chosen bodies. In the second a
/// block of threads predicts the sources that it owns into shared memory, once, and sums their pulls on all
/// chosen bodies as the persistent kernel of individual steps does (individual_sums.hpp): with few of them
/// some lanes of a warp share a body, so that the whole chip works whatever their number. Cost on an H200, as
/// predicted: some 20 us for two copies, two launches and the wait, and n N / 4e11 s (floats: 5.5e11) for n
/// chosen bodies of N.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/cuda.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/steps/individual_sums.hpp"
#include "cuda/steps/path_sums.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace pleiad::cuda {
namespace {

using individual::Active, individual::group, individual::InDoubles, individual::InFloats, individual::Part,
    individual::threads, individual::tile, individual::two_to;
constexpr std::string_view name = "cuda/path-sums";

/// A thread has a change and a chosen body. `per_near`: see set_units.
__global__ void taken_paths(const PathSums p, int limit, double per_near) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < p.changes) {
    const double* const row = p.rows + i * numbers_of_row;
    const std::size_t k = p.changed[i];
    for (unsigned c = 0; c < numbers_of_path; ++c) p.paths[c * p.room + k] = row[c];
    p.mass[k] = row[numbers_of_path];
  }
  if (i >= p.count) return;
  // A path that another thread is taking is read where that one reads it.
  const auto [place, row] = p.chosen[i];
  const bool fresh = row != ChosenPath::unchanged;
  const double* const path = fresh ? p.rows + row * numbers_of_row : p.paths + place;
  const std::size_t n = fresh ? 1 : p.room;
  const double h = (p.now - path[12 * n]) * p.unit;
  Active t{};
  individual::predict(path, n, h, t.x, t.v);
  double a = 0, j = 0;
  for (unsigned c = 0; c < 3; ++c) a += fabs(path[(6 + c) * n]), j += fabs(path[(9 + c) * n]);
  individual::set_units(a, j, h > 0 ? 1 / h : 0, limit, per_near, t);
  p.active[i] = t;
  p.sum_units[i] = {t.unit_a, t.unit_j};
  for (unsigned c = 0; c < 6; ++c) p.sums[6 * i + c] = 0;
  p.shifts[2 * i] = p.shifts[2 * i + 1] = 0;
  if (i == 0) *p.misfit = 0;
}

__global__ void higher_derivatives(const PathSums p, std::size_t bodies, double* derivatives) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bodies) return;
  double snap[3], crackle[3];
  individual::sum_snap_and_crackle(p.paths, p.room, p.mass, p.pulling, p.eps2, i, snap, crackle);
  for (unsigned c = 0; c < 3; ++c) derivatives[6 * i + c] = snap[c], derivatives[6 * i + 3 + c] = crackle[c];
}

/// The bodies at the time of the chosen ones.
struct AtNow {
  const PathSums& p;
  __device__ std::size_t slot_of(unsigned at) const { return at; }
  __device__ void predict(std::size_t k, double (&x)[3], double (&v)[3]) const {
    individual::predict(p.paths + k, p.room, (p.now - p.paths[12 * p.room + k]) * p.unit, x, v);
  }
  __device__ double mass(std::size_t k) const { return p.mass[k]; }
  __device__ double eps2() const { return p.eps2; }
};

/// `each`: sources of a block.
template <class Pairs>
__global__ void __launch_bounds__(threads, 1) pulls_of_paths(const PathSums p, unsigned each, int limit) {
  auto& sources = *dynamic_shared<typename Pairs::Sources>();
  const Pairs pairs(p);
  const AtNow bodies{p};
  const std::size_t first = p.first + std::size_t{blockIdx.x} * each, own = first >= p.last ? 0
                                                                            : p.last - first < each
                                                                                ? p.last - first
                                                                                : each;
#pragma unroll 1
  for (std::size_t from = 0; from < own; from += tile) {
    const unsigned here = own - from < tile ? static_cast<unsigned>(own - from) : tile,
                   whole = (here + group - 1) / group * group;
    if (from > 0) __syncthreads();
      // A last group is filled up with sources that do not pull.
#pragma unroll 1
    for (unsigned k = threadIdx.x; k < whole; k += threads) {
      double x[3]{}, v[3]{}, m = 0;
      if (k < here) bodies.predict(first + from + k, x, v), m = p.mass[first + from + k];
      sources.put(k, x, v, m, pairs);
    }
    __syncthreads();
    const Part part{.first = first + from, .sources = here, .pass = 1, .again = p.again};
    individual::add_pulls(bodies, pairs, {p.active, p.sums, p.shifts, p.misfit}, sources,
                          static_cast<unsigned>(p.count), part, limit);
  }
}

template <class Pairs>
constexpr Grid block_of_sums{.threads = threads, .shared_bytes = unsigned(sizeof(typename Pairs::Sources))};

template <class Pairs>
void launch_sums(const PathSums& p) {
  Grid grid = block_of_sums<Pairs>;
  const std::size_t groups = ceil_div(p.last - p.first, group);
  // As in individual_steps.cu: with fewer sources a block, additions of more blocks cost more than they save.
  const unsigned wanted = p.grid > 0 ? p.grid : std::min(p.at_once, ceil_div(p.last - p.first, 2 * group));
  grid.blocks = std::max(wanted, 1U);
  const auto each = static_cast<unsigned>((groups + grid.blocks - 1) / grid.blocks * group);
  launch(name, pulls_of_paths<Pairs>, grid, p.stream, p, each, individual::limit_for(p.pulling));
}

}  // namespace

std::size_t bytes_of_active(std::size_t count) { return count * sizeof(Active); }

unsigned blocks_at_once(bool in_floats) {
  const auto of = [](const auto kernel, const Grid& block) {
    return coresident_blocks(reinterpret_cast<const void*>(kernel), name, block);
  };
  return in_floats ? of(pulls_of_paths<InFloats>, block_of_sums<InFloats>)
                   : of(pulls_of_paths<InDoubles>, block_of_sums<InDoubles>);
}

void take_paths(const PathSums& p) {
  const std::size_t most = std::max(p.changes, p.count);
  if (most == 0) return;
  const double per_near = p.in_floats ? 16 * std::ldexp(1.0, p.units.mass - 2 * p.units.length) : 0;
  launch(name, taken_paths, {.blocks = ceil_div(most, 128), .threads = 128}, p.stream, p,
         individual::limit_for(p.pulling), per_near);
}

void find_higher_derivatives(const PathSums& p, std::size_t bodies, double* derivatives) {
  launch(name, higher_derivatives, {.blocks = ceil_div(bodies, 128), .threads = 128}, p.stream, p, bodies,
         derivatives);
}

void add_pulls_of_paths(const PathSums& p) {
  if (p.count == 0 || p.first >= p.last) return;
  if (p.in_floats) launch_sums<InFloats>(p);
  else launch_sums<InDoubles>(p);
}

}  // namespace pleiad::cuda
