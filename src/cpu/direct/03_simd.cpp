/// Rung 3, simd: each lane of a vector is one target. A source is broadcast to all lanes and applied to
/// several vectors of targets. Cost per interaction, fp32 on AVX-512, operations on multiply-add ports: 3
/// (r^2) + 1 (reciprocal square root) + 1 (y^2) + 1 (correction) + 3 (m y^3) + 3 (sums) = 12; the 3
/// subtractions use the add ports. fp64: the series is longer, 14.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct/03_simd.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/direct/pair-inl.h"
#include "cpu/direct/rows.hpp"

#ifndef PLEIAD_CPU_ROWS
#define PLEIAD_CPU_ROWS
namespace pleiad::cpu {
/// The functions of rows.hpp for one instruction set.
template <class P>
struct Rows {
  void (*all)(const PairProblem<P>&, const Scale&, std::size_t, std::size_t);
  void (*add)(const PairProblem<P>&, const Scale&, std::size_t, std::size_t, std::ptrdiff_t, RowTotals&);
  void (*finish)(const PairProblem<P>&, const Scale&, std::size_t, std::size_t, const RowTotals&,
                 std::vector<std::size_t>&);
};
}  // namespace pleiad::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

/// Index of target 0 among the sources of a tile that does not contain it.
constexpr std::ptrdiff_t nowhere = -std::ptrdiff_t(2 * most_rows);

/// A tile of sources, and where the targets are among them.
template <class M>
struct Sources {
  const Mass<M>*bodies, *rests;  ///< rests: of pairs of floats
  std::ptrdiff_t count;
  std::ptrdiff_t first_target;  ///< target 0 of the rows is this source, for Mode::potential
};

/// Constants of the pull of a pair.
template <class M>
struct Law {
  M eps2;
  Box<M> box;
  Vec3<M> rest;  ///< of the box's lengths
};
/// Targets, and the remainders of their positions as floats.
template <class M>
struct Targets {
  const Mass<M>*bodies, *rests;
};

/// `K` vectors of targets against a tile: adds to totals[component][target]. Of pairs of floats the last
/// component counts the sources that are too near for them.
template <Mode mode, bool periodic, bool pairs, int K, class M>
HWY_INLINE void pull_rows(Targets<M> targets, const Sources<M>& sources, const Law<M>& law,
                          double* HWY_RESTRICT totals) {
  constexpr Tag<M> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr bool counts = pairs && mode != Mode::plain;
  constexpr int potential = 3, count = mode == Mode::potential ? 4 : 3, components = count + counts;
  V<M> x[K], y[K], z[K], rx[K], ry[K], rz[K], sum[components][K], unused;
  const auto load = [&](const Mass<M>* bodies, int k, V<M>& a, V<M>& b, V<M>& c) HWY_ATTR {
    hn::LoadInterleaved4(d, reinterpret_cast<const M*>(bodies + std::size_t(k) * lanes), a, b, c, unused);
  };
  for (int k = 0; k < K; ++k) {
    load(targets.bodies, k, x[k], y[k], z[k]);
    if constexpr (pairs) load(targets.rests, k, rx[k], ry[k], rz[k]);
    for (auto& s : sum) s[k] = hn::Zero(d);
  }
  const auto& box = law.box;
  const auto eps2 = hn::Set(d, law.eps2);
  for (std::ptrdiff_t j = 0; j < sources.count; ++j) {
    const Mass<M>& s = sources.bodies[j];
    const auto sx = hn::Set(d, s.x), sy = hn::Set(d, s.y), sz = hn::Set(d, s.z);
    auto m = hn::Set(d, s.m);
    for (int k = 0; k < K; ++k) {
      auto dx = hn::Sub(sx, x[k]), dy = hn::Sub(sy, y[k]), dz = hn::Sub(sz, z[k]);
      if constexpr (pairs) {
        const Mass<M>& r = sources.rests[j];
        dx = joined<periodic>(dx, hn::Sub(hn::Set(d, r.x), rx[k]), box.length.x, law.rest.x, box.inverse.x,
                              box.half.x);
        dy = joined<periodic>(dy, hn::Sub(hn::Set(d, r.y), ry[k]), box.length.y, law.rest.y, box.inverse.y,
                              box.half.y);
        dz = joined<periodic>(dz, hn::Sub(hn::Set(d, r.z), rz[k]), box.length.z, law.rest.z, box.inverse.z,
                              box.half.z);
      } else {
        wrap<periodic, M>(dx, dy, dz, box);
      }
      const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
      if constexpr (mode == Mode::potential) {
        const auto own = hn::Set(d, M(j - sources.first_target - k * std::ptrdiff_t(lanes)));
        m = hn::IfThenZeroElse(hn::Eq(own, hn::Iota(d, M(0))), hn::Set(d, s.m));
        sum[potential][k] = hn::NegMulAdd(m, refined<M>(r2, masked_rsqrt<mode, M>(r2)), sum[potential][k]);
      }
      if constexpr (counts) sum[count][k] = count_close(r2, sum[count][k]);
      const auto f = times_inverse_cube<mode, M>(m, r2);
      sum[0][k] = hn::MulAdd(dx, f, sum[0][k]);
      sum[1][k] = hn::MulAdd(dy, f, sum[1][k]);
      sum[2][k] = hn::MulAdd(dz, f, sum[2][k]);
    }
  }
  HWY_ALIGN M part[hn::MaxLanes(d)];
  for (int c = 0; c < components; ++c)
    for (int k = 0; k < K; ++k) {
      hn::Store(sum[c][k], d, part);
      const std::size_t component = counts && c == count ? 4 : std::size_t(c);
      double* total = totals + component * most_rows + std::size_t(k) * lanes;
      for (std::size_t l = 0; l < lanes; ++l) total[l] += double(part[l]);
    }
}

/// All rows of a block against a tile. Whole groups of K vectors first, single vectors for the rest.
template <Mode mode, bool periodic, bool pairs, class M>
HWY_NOINLINE void pull_block(Targets<M> targets, std::size_t count, Sources<M> sources, const Law<M>& law,
                             double* totals) {
  constexpr int K = rows_in_registers;
  const std::size_t lanes = hn::Lanes(Tag<M>());
  const auto group = [&]<int k>(std::integral_constant<int, k>, std::size_t i) {
    Sources<M> shifted = sources;
    shifted.first_target += std::ptrdiff_t(i);
    pull_rows<mode, periodic, pairs, k, M>({targets.bodies + i, targets.rests + i}, shifted, law, totals + i);
  };
  std::size_t i = 0;
  for (; i + (K - 1) * lanes < count; i += K * lanes) group(std::integral_constant<int, K>{}, i);
  for (; i < count; i += lanes) group(std::integral_constant<int, 1>{}, i);
}

template <class M>
using PullBlock = void(Targets<M>, std::size_t, Sources<M>, const Law<M>&, double*);
template <class M, bool pairs>
PullBlock<M>* pull_block_for(Mode mode, bool periodic) {
  switch (mode) {
    case Mode::plain:
      return periodic ? pull_block<Mode::plain, true, pairs, M> : pull_block<Mode::plain, false, pairs, M>;
    case Mode::careful:
      return periodic ? pull_block<Mode::careful, true, pairs, M>
                      : pull_block<Mode::careful, false, pairs, M>;
    default:
      return periodic ? pull_block<Mode::potential, true, pairs, M>
                      : pull_block<Mode::potential, false, pairs, M>;
  }
}

template <class P>
void add_pulls(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
               std::ptrdiff_t own, RowTotals& totals) {
  using T = typename P::Position;
  using M = typename P::Math;
  constexpr bool pairs = has_rests<P>;
  constexpr std::size_t rests_of = pairs ? 1 : 0;
  const Mode mode = p.potential ? Mode::potential : careful_here(p, scale) ? Mode::careful : Mode::plain;
  const Frame<T> frame = frame_of<P>(p.targets.subspan(begin, count), p.boundary, scale);
  Law<M> law{scaled_eps2(p, scale), scaled_box<M>(p.boundary, scale), {}};
  if constexpr (pairs) {
    law.box = box_of_pairs(p.boundary, scale);
    law.rest = rest_of_box(p.boundary, scale, law.box);
  }
  const std::size_t lanes = hn::Lanes(Tag<M>()), padded = (count + lanes - 1) / lanes * lanes;

  alignas(64) Mass<M> targets[most_rows], converted[source_tile];
  alignas(64) Mass<M> target_rests[rests_of * most_rows + 1], rests[rests_of * source_tile + 1];
  to_frame<pairs>(p.targets.data() + begin, count, frame, targets, target_rests);
  std::fill(targets + count, targets + padded, Mass<M>{});
  if (pairs) std::fill(target_rests + count, target_rests + padded, Mass<M>{});

  PullBlock<M>* const pull_block = pull_block_for<M, pairs>(mode, p.boundary.periodic);
  for (std::size_t j = 0; j < p.sources.size(); j += source_tile) {
    const std::size_t n = std::min(source_tile, p.sources.size() - j);
    const Mass<M>* bodies = converted;
    if constexpr (std::is_same_v<P, F64> && !roots_of_floats<M>) bodies = p.sources.data() + j;
    else to_frame<pairs>(p.sources.data() + j, n, frame, converted, rests);
    pull_block({targets, target_rests}, count,
               {bodies, rests, std::ptrdiff_t(n), own == nowhere ? nowhere : own - std::ptrdiff_t(j)}, law,
               totals.of[0]);
  }
}

template <class P>
void sums_of_totals(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                    const RowTotals& totals, std::vector<std::size_t>& close) {
  using S = typename P::Sum;
  using M = typename P::Math;
  const double force = scale.force() * cube_factor<M>, potential = p.potential ? scale.potential() : 0;
  const auto& t = totals.of;
  for (std::size_t i = 0; i < count; ++i)
    p.sums[begin + i] = {S(t[0][i] * force), S(t[1][i] * force), S(t[2][i] * force), S(t[3][i] * potential)};
  if constexpr (has_rests<P>) {
    // A body always meets itself, if it is there.
    const double alone = p.self == p.none ? 0 : 1;
    const bool careful = careful_here(p, scale);
    for (std::size_t i = 0; careful && i < count; ++i)
      if (t[4][i] > alone) close.push_back(begin + i);
  }
}

template <class P>
void rows_of(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count) {
  RowTotals totals;
  for (auto& each : totals.of) std::fill_n(each, (count + 15) / 16 * 16, 0.0);
  add_pulls(p, scale, begin, count, p.self == p.none ? nowhere : p.self + std::ptrdiff_t(begin), totals);
  std::vector<std::size_t> close;
  sums_of_totals(p, scale, begin, count, totals, close);
  if constexpr (has_rests<P>) sum_again(p, close);
}

/// The rows of one precision, for this instruction set.
template <class P>
constexpr Rows<P> functions_of{rows_of<P>, add_pulls<P>, sums_of_totals<P>};
const Rows<F32>& rows_f32() { return functions_of<F32>; }
const Rows<F64>& rows_f64() { return functions_of<F64>; }
const Rows<Mixed>& rows_mixed() { return functions_of<Mixed>; }
Scale scale_f64(const PairProblem<F64>& p) { return scale_here(p); }

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(rows_f32);
HWY_EXPORT(rows_f64);
HWY_EXPORT(rows_mixed);
HWY_EXPORT(scale_f64);
namespace {
template <class P>
const Rows<P>& rows_here() {
  if constexpr (std::is_same_v<P, F32>) return HWY_DYNAMIC_DISPATCH(rows_f32)();
  else if constexpr (std::is_same_v<P, F64>) return HWY_DYNAMIC_DISPATCH(rows_f64)();
  else return HWY_DYNAMIC_DISPATCH(rows_mixed)();
}
}  // namespace

Scale scale_of_rows(const PairProblem<F64>& p) { return HWY_DYNAMIC_DISPATCH(scale_f64)(p); }

template <class P>
void rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count) {
  rows_here<P>().all(p, scale, begin, count);
}
template <class P>
void add_to_rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                 std::ptrdiff_t own, RowTotals& totals) {
  rows_here<P>().add(p, scale, begin, count, own, totals);
}
template <class P>
void finish_rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                 const RowTotals& totals, std::vector<std::size_t>& close) {
  rows_here<P>().finish(p, scale, begin, count, totals, close);
}
#define PLEIAD_ROWS(P)                                                                                       \
  template void rows(const PairProblem<P>&, const Scale&, std::size_t, std::size_t);                         \
  template void add_to_rows(const PairProblem<P>&, const Scale&, std::size_t, std::size_t, std::ptrdiff_t,   \
                            RowTotals&);                                                                     \
  template void finish_rows(const PairProblem<P>&, const Scale&, std::size_t, std::size_t, const RowTotals&, \
                            std::vector<std::size_t>&)
PLEIAD_ROWS(F32);
PLEIAD_ROWS(F64);
PLEIAD_ROWS(Mixed);
#undef PLEIAD_ROWS
void sum_again(const PairProblem<Mixed>& p, std::span<const std::size_t> chosen) {
  // With a potential one by one, so that each leaves itself out; the forces leave it out by its distance 0.
  const std::size_t most = p.potential ? 1 : most_rows;
  for (std::size_t k = 0; k < chosen.size(); k += most) {
    const auto some = chosen.subspan(k, std::min(most, chosen.size() - k));
    std::vector<Mass<double>> targets;
    for (const auto i : some) targets.push_back(p.targets[i]);
    std::vector<Vec4<double>> sums(some.size());
    const std::ptrdiff_t self = p.potential && p.self != p.none ? p.self + std::ptrdiff_t(some[0]) : p.none;
    const PairProblem<F64> again{.targets = targets,
                                 .sources = p.sources,
                                 .sums = sums,
                                 .softening = p.softening,
                                 .boundary = p.boundary,
                                 .self = self,
                                 .potential = p.potential};
    rows(again, scale_of_rows(again), 0, targets.size());
    for (std::size_t i = 0; i < some.size(); ++i) p.sums[some[i]] = sums[i];
  }
}

namespace {
template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  refuse_all_images(p.boundary, "cpu/simd");
  const std::size_t n = p.targets.size(), block = rows_at_once(n);
  const Scale scale = scale_of_rows(p);
  for (std::size_t i = 0; i < n; i += block) rows(p, scale, i, std::min(block, n - i));
}
}  // namespace
}  // namespace pleiad::cpu

namespace pleiad {
extern constinit const DirectKernel direct_simd{
    .name = "cpu/simd",
    .rung = 3,
    .idea = "each lane of a vector is one target; a source is broadcast to all lanes",
    .traits = {.simd = true},
    .fma_port_operations = {.f32 = 12, .f64 = 14, .mixed = 12},
    .f32 = cpu::run<F32>,
    .f64 = cpu::run<F64>,
    .mixed = cpu::run<Mixed>};
}
#endif
