/// M2L and L2L on the device: those of a cell's lists, a warp per cell, a lane per source; then from
/// parents to children.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/async_copy.hpp"
#include "cuda/tree/images.hpp"
#include "cuda/tree/operators.hpp"
#include "cuda/tree/reader.hpp"

namespace pleiad::cuda::tree {

constexpr unsigned m2l_warps = 4;  // of a block; 1 was slower by 6 %

/// Stride of 32 records in shared memory: an odd number of fours apart, so that lanes have no bank conflicts.
template <int p>
constexpr int record_stride = Sizes<p>::record / 4 % 2 == 1 ? Sizes<p>::record : Sizes<p>::record + 4;
template <int p>
constexpr unsigned m2l_bytes = m2l_warps * 2 * 32 * record_stride<p> * sizeof(float);

/// Begins to copy the record of each lane's source: several lanes copy one together. Places are counted in
/// fours, in 32 bits: there is no memory for more. Few instructions, since a field of order 4 takes only four
/// times as many.
template <int p>
__device__ __forceinline__ void stage(const float* __restrict__ records, std::uint32_t source,
                                      float* __restrict__ to) {
  constexpr int fours = Sizes<p>::record / 4, together = fours <= 4 ? 4 : fours <= 8 ? 8 : 16;
  const int lane = lane_id(), part = lane % together;
  const std::uint32_t place = source * unsigned(fours);
  const float* const from = records + 4 * part;
  float* const first = to + lane / together * record_stride<p> + 4 * part;
#pragma unroll
  for (int i = 0; i < together; ++i) {
    constexpr int step = 32 / together;
    const std::uint32_t at = __shfl_sync(~0u, place, lane / together + i * step);
    if (part < fours) begin_copy16(first + i * step * record_stride<p>, from + std::size_t{at} * 4);
  }
  end_group();
}

/// The place of the source of a record.
__device__ __forceinline__ Place place_of_record(const float* record) {
  return {record[0], record[1], record[2], 0, record[4], record[5], record[6], record[7]};
}

/// Blocks of a processor: with 5 at order 5 registers are spilled, and fields take 1.3 times as long.
template <int p>
constexpr int m2l_blocks = p == 4 ? 6 : 9 - p;

template <int p, bool in_box>
__global__ void __launch_bounds__(32 * m2l_warps, m2l_blocks<p>)
    add_m2l(Cells cells, Lists lists, Images images, const Frame* __restrict__ frame, std::uint32_t count) {
  using S = Sizes<p>;
  const std::uint32_t c = blockIdx.x * m2l_warps + threadIdx.x / 32;
  if (c >= count || !cells.takes(c)) return;
  constexpr int stride = record_stride<p>;
  float* const staged = dynamic_shared<float>() + threadIdx.x / 32 * (2 * 32 * stride);
  const Place target = cells.places[c];
  const float eps = float(frame->eps), eps2 = eps * eps;
  float L[S::folded_locals];
#pragma unroll
  for (int k = 0; k < S::folded_locals; ++k) L[k] = 0;
  Reader sources(lists, lists.m2l[c]);
  std::uint32_t source = 0;
  bool more = sources.read(source), mine = false;
  if (more) stage<p>(cells.records, cell_of<in_box>(source, images), staged);
  for (int turn = 0; more; turn ^= 1) {
    mine = sources.mine();
    const std::uint32_t entry = source;
    more = sources.read(source);
    if (more) {
      stage<p>(cells.records, cell_of<in_box>(source, images), staged + (turn ^ 1) * 32 * stride);
      wait_for_groups<1>();
    } else {
      wait_for_groups<0>();
    }
    __syncwarp();
    if (mine) {
      float record[S::record], F[S::folded_moments];
      load<S::record>(staged + (turn * 32 + lane_id()) * stride, record);
      F[0] = record[3];
#pragma unroll
      for (int k = 1; k < S::folded_moments; ++k) F[k] = record[7 + k];
      const auto d = separation<in_box>(target, place_of_record(record), entry, images);
      m2l(Order<p>{}, F, record[7], d.x, d.y, d.z, eps2, target.unit, L);
    }
    __syncwarp();
  }
  write_sums<S::folded_locals>(L, cells.folded + std::size_t{c} * S::folded);
}

template <int p, bool in_box>
__global__ void __launch_bounds__(32 * m2l_warps)
    add_softened_m2l(Cells cells, Lists lists, Images images, const Frame* __restrict__ frame,
                     std::uint32_t count) {
  using S = Sizes<p>;
  const std::uint32_t c = blockIdx.x * m2l_warps + threadIdx.x / 32;
  if (c >= count || !cells.takes(c) || lists.softened_m2l[c].count == 0) return;
  const Place target = cells.places[c];
  const float eps = float(frame->eps);
  float L[S::locals];
#pragma unroll
  for (int k = 0; k < S::locals; ++k) L[k] = 0;
  Reader sources(lists, lists.softened_m2l[c]);
  for (std::uint32_t entry = 0; sources.read(entry);) {
    if (!sources.mine()) continue;
    const std::uint32_t source = cell_of<in_box>(entry, images);
    float record[8], M[S::moments];
    load<8>(cells.records + std::size_t{source} * S::record, record);
    load<S::moments>(cells.moments + std::size_t{source} * S::full, M);
    const auto d = separation<in_box>(target, place_of_record(record), entry, images);
    m2l_soft(Order<p>{}, M, record[7], d.x, d.y, d.z, eps * eps, target.unit, L);
  }
  write_sums<S::locals>(L, cells.softened + std::size_t{c} * S::local);
}

/// Completes the field of the cells of a level: contributions of their lists and, below the first level, of
/// their parents.
template <int p>
__global__ void __launch_bounds__(64) add_l2l(Cells cells, Lists lists, std::uint32_t first,
                                              std::uint32_t count, bool from_parent, bool softened_m2l) {
  using S = Sizes<p>;
  const std::uint32_t c = first + blockIdx.x * 64 + threadIdx.x;
  if (c >= first + count || !cells.takes(c)) return;
  float L[S::locals];
#pragma unroll
  for (int k = 0; k < S::locals; ++k) L[k] = 0;
  if (from_parent) {
    const std::uint32_t parent = cells.parents[c];
    const Place here = cells.places[c], above = cells.places[parent];
    const float per = 1 / above.unit, ratio = here.unit * per;
    float Q[S::locals];
    load<S::locals>(cells.locals + std::size_t{parent} * S::local, Q);
    l2l(Order<p>{}, Q, ((here.x - above.x) + (here.lx - above.lx)) * per,
        ((here.y - above.y) + (here.ly - above.ly)) * per, ((here.z - above.z) + (here.lz - above.lz)) * per,
        L);
    float power = 1;
#pragma unroll
    for (int n = 1; n <= p; ++n) {
      power *= ratio;
#pragma unroll
      for (int k = 0; k < S::locals; ++k)
        if (k >= below(n) && k < below(n + 1)) L[k] *= power;
    }
  }
  float F[S::folded_locals];
  load<S::folded_locals>(cells.folded + std::size_t{c} * S::folded, F);
  unfold(Order<p>{}, F, L);
  if (softened_m2l && lists.softened_m2l[c].count > 0) {
    float Q[S::locals];
    load<S::locals>(cells.softened + std::size_t{c} * S::local, Q);
#pragma unroll
    for (int k = 0; k < S::locals; ++k) L[k] += Q[k];
  }
  store<S::locals>(L, cells.locals + std::size_t{c} * S::local);
}

}  // namespace pleiad::cuda::tree
