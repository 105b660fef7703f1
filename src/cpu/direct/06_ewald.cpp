/// Rung 6, ewald: Ewald summation in a periodic box. Pairs of nearest images give the short-range part, waves
/// the long-range part: first the sum of the masses for each wave, then the field at each body.
///
/// Cost of a pair: as in rung 3, plus a polynomial of degree 16 in single, 27 in double precision for the
/// pair's part of the waves: 36 and 49 operations on multiply-add ports. 2600 waves in single and 9600 in
/// double precision, in a cube, cost 6 multiply-adds each per body: as much as 2000 pairs.
///
/// Accuracy: the truncation error is below 3e-7 in single and 3e-11 in double precision of the pull at half
/// the shortest side.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct/06_ewald.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/direct/ewald.hpp"
#include "cpu/direct/ewald_parts.hpp"
#include "cpu/direct/ewald_waves-inl.h"
#include "cpu/direct/pair-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

constexpr std::size_t tile = 256;  ///< as in rung 3
constexpr std::ptrdiff_t nowhere = -std::ptrdiff_t(2 * ewald_rows);

template <class M>
struct Sources {
  const Mass<M>* bodies;
  std::ptrdiff_t count, first_target;
};

/// Constants of the splitting for pairs, in the units of the frame.
template <class M>
struct Short {
  Box<M> box;
  M eps2{}, cut2{}, per_u{};                            ///< u = per_u s^2 - 1
  M pull[degree<M> + 1]{}, potential[degree<M> + 1]{};  ///< the waves' part
};

template <class M>
Short<M> short_of(const Box<M>& box, double eps, const Ewald& ewald) {
  const double cut = ewald.cut, alpha = ewald.narrow / cut;
  static const auto pull = smooth_polynomial(1, narrow<M>, degree<M>);
  static const auto potential = smooth_polynomial(0, narrow<M>, degree<M>);
  Short<M> s{.box = box, .eps2 = M(eps * eps), .cut2 = M(cut * cut), .per_u = M(2 / (cut * cut))};
  for (std::size_t k = 0; k < pull.size(); ++k) {
    s.pull[k] = M(alpha * alpha * alpha * pull[k] / cube_factor<M>);
    s.potential[k] = M(alpha * potential[k]);
  }
  return s;
}

template <class M>
HWY_INLINE V<M> nearest(V<M> separation, M length, M inverse) {
  constexpr Tag<M> d;
  return hn::NegMulAdd(hn::Round(hn::Mul(separation, hn::Set(d, inverse))), hn::Set(d, length), separation);
}

template <class M>
HWY_INLINE V<M> polynomial(const M* coefficients, V<M> u) {
  constexpr Tag<M> d;
  auto value = hn::Set(d, coefficients[degree<M>]);
  for (int k = degree<M> - 1; k >= 0; --k) value = hn::MulAdd(value, u, hn::Set(d, coefficients[k]));
  return value;
}

/// `K` vectors of targets against a tile: adds to totals[component][target].
template <bool potential, int K, class M>
HWY_INLINE void pull_rows(const Mass<M>* HWY_RESTRICT targets, const Sources<M>& sources, const Short<M>& law,
                          double* HWY_RESTRICT totals) {
  constexpr Tag<M> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr int components = potential ? 4 : 3;
  V<M> x[K], y[K], z[K], sum[components][K], unused;
  for (int k = 0; k < K; ++k) {
    hn::LoadInterleaved4(d, reinterpret_cast<const M*>(targets + std::size_t(k) * lanes), x[k], y[k], z[k],
                         unused);
    for (auto& s : sum) s[k] = hn::Zero(d);
  }
  const auto eps2 = hn::Set(d, law.eps2), cut2 = hn::Set(d, law.cut2);
  for (std::ptrdiff_t j = 0; j < sources.count; ++j) {
    const Mass<M>& s = sources.bodies[j];
    for (int k = 0; k < K; ++k) {
      const auto dx = nearest<M>(hn::Sub(hn::Set(d, s.x), x[k]), law.box.length.x, law.box.inverse.x);
      const auto dy = nearest<M>(hn::Sub(hn::Set(d, s.y), y[k]), law.box.length.y, law.box.inverse.y);
      const auto dz = nearest<M>(hn::Sub(hn::Set(d, s.z), z[k]), law.box.length.z, law.box.inverse.z);
      const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
      const auto u = hn::MulSub(r2, hn::Set(d, law.per_u), hn::Set(d, M(1)));
      const auto near = hn::Lt(r2, cut2);
      auto m = hn::IfThenElseZero(near, hn::Set(d, s.m));
      if constexpr (potential) {
        const auto own = hn::Set(d, M(j - sources.first_target - k * std::ptrdiff_t(lanes)));
        m = hn::IfThenZeroElse(hn::Eq(own, hn::Iota(d, M(0))), m);
        const auto inverse = refined<M>(r2, masked_rsqrt<Mode::careful, M>(r2));
        sum[3][k] = hn::NegMulAdd(m, hn::Sub(inverse, polynomial<M>(law.potential, u)), sum[3][k]);
      }
      const auto one = hn::Set(d, M(1));
      const auto f =
          hn::Mul(m, hn::Sub(times_inverse_cube<Mode::careful, M>(one, r2), polynomial<M>(law.pull, u)));
      sum[0][k] = hn::MulAdd(dx, f, sum[0][k]);
      sum[1][k] = hn::MulAdd(dy, f, sum[1][k]);
      sum[2][k] = hn::MulAdd(dz, f, sum[2][k]);
    }
  }
  HWY_ALIGN M part[hn::MaxLanes(d)];
  for (int c = 0; c < components; ++c)
    for (int k = 0; k < K; ++k) {
      hn::Store(sum[c][k], d, part);
      double* total = totals + std::size_t(c) * ewald_rows + std::size_t(k) * lanes;
      const double factor = c < 3 ? cube_factor<M> : 1;
      for (std::size_t l = 0; l < lanes; ++l) total[l] += factor * double(part[l]);
    }
}

template <bool potential, class M>
HWY_NOINLINE void pull_block(const Mass<M>* targets, std::size_t count, Sources<M> sources,
                             const Short<M>& law, double* totals) {
  constexpr int K = rows_in_registers;
  const std::size_t lanes = hn::Lanes(Tag<M>());
  const auto group = [&]<int k>(std::integral_constant<int, k>, std::size_t i) {
    Sources<M> shifted = sources;
    shifted.first_target += std::ptrdiff_t(i);
    pull_rows<potential, k>(targets + i, shifted, law, totals + i);
  };
  std::size_t i = 0;
  for (; i + (K - 1) * lanes < count; i += K * lanes) group(std::integral_constant<int, K>{}, i);
  for (; i < count; i += lanes) group(std::integral_constant<int, 1>{}, i);
}

/// Adds the nearest images' pulls on targets [begin, begin + count).
template <class P>
void add_pairs(const EwaldProblem<P>& e, std::size_t begin, std::size_t count, double* totals) {
  using T = typename P::Position;
  using M = typename P::Math;
  const auto& p = e.p;
  const Frame<T> frame = frame_of<P>(p.targets.subspan(begin, count), p.boundary, e.scale);
  const auto law =
      short_of<M>(scaled_box<M>(p.boundary, e.scale), p.softening.eps * e.scale.length, *e.ewald);
  const std::size_t lanes = hn::Lanes(Tag<M>()), padded = (count + lanes - 1) / lanes * lanes;
  alignas(64) Mass<M> targets[ewald_rows], converted[tile];
  to_frame(p.targets.data() + begin, count, frame, targets);
  std::fill(targets + count, targets + padded, Mass<M>{});
  for (std::size_t j = 0; j < p.sources.size(); j += tile) {
    const std::size_t n = std::min(tile, p.sources.size() - j);
    const std::ptrdiff_t own =
        p.self == p.none ? nowhere : p.self + std::ptrdiff_t(begin) - std::ptrdiff_t(j);
    to_frame(p.sources.data() + j, n, frame, converted);
    const Sources<M> sources{converted, std::ptrdiff_t(n), own};
    if (p.potential) pull_block<true, M>(targets, count, sources, law, totals);
    else pull_block<false, M>(targets, count, sources, law, totals);
  }
}

/// Adds the waves, and hands over the sums.
template <class P>
void finish_rows(const EwaldProblem<P>& e, std::size_t begin, std::size_t count, double* totals) {
  add_waves(e, begin, count, totals);
  using S = typename P::Sum;
  const auto& p = e.p;
  const double force = e.scale.force(), potential = p.potential ? e.scale.potential() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double* t = totals + i;
    // The background, and the part of the body's own pull in the waves.
    const double own = p.self == p.none ? 0 : double(p.targets[begin + i].m) * e.scale.mass;
    const double w = t[3 * ewald_rows] + e.mass * e.ewald->mean + own * e.ewald->own;
    p.sums[begin + i] = {S(t[0] * force), S(t[ewald_rows] * force), S(t[2 * ewald_rows] * force),
                         S(w * potential)};
  }
}

void pairs_f32(const EwaldProblem<F32>& e, std::size_t begin, std::size_t n, double* totals) {
  add_pairs(e, begin, n, totals);
}
void pairs_f64(const EwaldProblem<F64>& e, std::size_t begin, std::size_t n, double* totals) {
  add_pairs(e, begin, n, totals);
}
void pairs_mixed(const EwaldProblem<Mixed>& e, std::size_t begin, std::size_t n, double* totals) {
  add_pairs(e, begin, n, totals);
}
void finish_f32(const EwaldProblem<F32>& e, std::size_t begin, std::size_t n, double* totals) {
  finish_rows(e, begin, n, totals);
}
void finish_f64(const EwaldProblem<F64>& e, std::size_t begin, std::size_t n, double* totals) {
  finish_rows(e, begin, n, totals);
}
void finish_mixed(const EwaldProblem<Mixed>& e, std::size_t begin, std::size_t n, double* totals) {
  finish_rows(e, begin, n, totals);
}
void waves_f32(const EwaldProblem<F32>& e, std::size_t begin, std::size_t end, double* sums) {
  sum_waves(e, begin, end, sums);
}
void waves_f64(const EwaldProblem<F64>& e, std::size_t begin, std::size_t end, double* sums) {
  sum_waves(e, begin, end, sums);
}
void waves_mixed(const EwaldProblem<Mixed>& e, std::size_t begin, std::size_t end, double* sums) {
  sum_waves(e, begin, end, sums);
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/threads.hpp"

#include <pleiad/error.hpp>

namespace pleiad {
namespace cpu {
HWY_EXPORT(pairs_f32);
HWY_EXPORT(pairs_f64);
HWY_EXPORT(pairs_mixed);
HWY_EXPORT(finish_f32);
HWY_EXPORT(finish_f64);
HWY_EXPORT(finish_mixed);
HWY_EXPORT(waves_f32);
HWY_EXPORT(waves_f64);
HWY_EXPORT(waves_mixed);
namespace {

void pairs(const EwaldProblem<F32>& e, std::size_t at, std::size_t n, double* totals) {
  HWY_DYNAMIC_DISPATCH(pairs_f32)(e, at, n, totals);
}
void pairs(const EwaldProblem<F64>& e, std::size_t at, std::size_t n, double* totals) {
  HWY_DYNAMIC_DISPATCH(pairs_f64)(e, at, n, totals);
}
void pairs(const EwaldProblem<Mixed>& e, std::size_t at, std::size_t n, double* totals) {
  HWY_DYNAMIC_DISPATCH(pairs_mixed)(e, at, n, totals);
}
void finish(const EwaldProblem<F32>& e, std::size_t at, std::size_t n, double* totals) {
  HWY_DYNAMIC_DISPATCH(finish_f32)(e, at, n, totals);
}
void finish(const EwaldProblem<F64>& e, std::size_t at, std::size_t n, double* totals) {
  HWY_DYNAMIC_DISPATCH(finish_f64)(e, at, n, totals);
}
void finish(const EwaldProblem<Mixed>& e, std::size_t at, std::size_t n, double* totals) {
  HWY_DYNAMIC_DISPATCH(finish_mixed)(e, at, n, totals);
}
void waves(const EwaldProblem<F32>& e, std::size_t at, std::size_t end, double* sums) {
  HWY_DYNAMIC_DISPATCH(waves_f32)(e, at, end, sums);
}
void waves(const EwaldProblem<F64>& e, std::size_t at, std::size_t end, double* sums) {
  HWY_DYNAMIC_DISPATCH(waves_f64)(e, at, end, sums);
}
void waves(const EwaldProblem<Mixed>& e, std::size_t at, std::size_t end, double* sums) {
  HWY_DYNAMIC_DISPATCH(waves_mixed)(e, at, end, sums);
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  if (!p.boundary.all_images())
    throw UsageError(
        "'cpu/ewald': it is for all images of a periodic box; choose another kernel, or gravity.images = "
        "\"all\"");
  need_box_for_all_images(p.boundary);
  if (p.targets.empty()) return;
  EwaldParts<P> parts(p, scale_of(p));
  parts.set_waves(parts.waves_of(p.sources, EwaldParts<P>::piece(p.sources.size())));
  const std::size_t n = p.targets.size();
  parallel_for((n + ewald_rows - 1) / ewald_rows, [&](std::size_t b) {
    const std::size_t begin = b * ewald_rows, count = std::min(ewald_rows, n - begin);
    alignas(64) double totals[EwaldParts<P>::group_sums] = {};
    parts.add_pairs(p, begin, count, totals);
    parts.finish(p, begin, count, totals);
  });
}
}  // namespace

template <class P>
EwaldParts<P>::EwaldParts(const PairProblem<P>& p, const Scale& scale)
    : boundary_(p.boundary),
      scale_(scale),
      ewald_(ewald_of(p.boundary.length * scale.length, p.softening.eps * scale.length,
                      narrow<typename P::Math>)) {}

template <class P>
std::size_t EwaldParts<P>::piece(std::size_t sources) {
  constexpr std::size_t most_pieces = 32, least = 256;
  return std::max(least, (sources + most_pieces - 1) / most_pieces);
}

template <class P>
EwaldProblem<P> EwaldParts<P>::problem(const PairProblem<P>& p) const {
  const auto& box = p.boundary.length;
  const auto length = box * scale_.length;
  const double turn = 2 * std::numbers::pi;
  return {.p = p,
          .scale = scale_,
          .ewald = ewald_.get(),
          .per_length = {1 / box.x, 1 / box.y, 1 / box.z},
          .unit = {turn / length.x, turn / length.y, turn / length.z},
          .mass = mass_,
          .field = field_.data()};
}

template <class P>
std::vector<double> EwaldParts<P>::waves_of(std::span<const Mass<typename P::Position>> sources,
                                            std::size_t piece) const {
  const std::size_t n = sources.size(), pieces = (n + piece - 1) / piece, size = numbers();
  const PairProblem<P> p{
      .targets = {}, .sources = sources, .sums = {}, .softening = {}, .boundary = boundary_};
  const auto e = problem(p);
  std::vector<double> sums(pieces * size);
  parallel_for(pieces, [&](std::size_t k) {
    const std::size_t begin = k * piece, end = std::min(n, begin + piece);
    waves(e, begin, end, &sums[k * size]);
    double& mass = sums[k * size + size - 1];
    for (std::size_t j = begin; j < end; ++j) mass += double(sources[j].m) * scale_.mass;
  });
  return sums;
}

/// The field of each wave and its mirror image, ready to be evaluated: their sum and difference, real and
/// imaginary. Pieces are added in order.
template <class P>
void EwaldParts<P>::set_waves(std::span<const double> sums) {
  const auto& waves = ewald_->waves;
  const std::size_t size = numbers(), pieces = sums.size() / size;
  field_.assign(4 * waves.amplitude.size(), 0);
  for (const auto& row : waves.rows)
    for (std::size_t c = 0; c <= std::size_t(row.last); ++c) {
      const std::size_t place = row.at + c;
      double sum[4] = {};
      for (std::size_t k = 0; k < pieces; ++k)
        for (std::size_t q = 0; q < 4; ++q)
          sum[q] += sums[k * size + 4 * (row.at + c / 8 * 8) + c % 8 + 8 * q];
      const double amplitude = waves.amplitude[place];
      const bool alone = c == 0 || (row.a == 0 && row.b == 0);  // without a mirror image
      const double re = sum[0] - sum[1], im = sum[2] + sum[3];
      const double mirror_re = alone ? 0 : sum[0] + sum[1], mirror_im = alone ? 0 : sum[3] - sum[2];
      const double values[4] = {re + mirror_re, im + mirror_im, re - mirror_re, im - mirror_im};
      for (std::size_t q = 0; q < 4; ++q) field_[4 * place + q] = typename P::Math(amplitude * values[q]);
    }
  mass_ = 0;
  for (std::size_t k = 0; k < pieces; ++k) mass_ += sums[k * size + size - 1];
}

template <class P>
void EwaldParts<P>::add_pairs(const PairProblem<P>& p, std::size_t begin, std::size_t count,
                              double* totals) const {
  pairs(problem(p), begin, count, totals);
}

template <class P>
void EwaldParts<P>::finish(const PairProblem<P>& p, std::size_t begin, std::size_t count,
                           double* totals) const {
  cpu::finish(problem(p), begin, count, totals);
}

template class EwaldParts<F32>;
template class EwaldParts<F64>;
template class EwaldParts<Mixed>;
}  // namespace cpu

extern constinit const DirectKernel direct_ewald{
    .name = "cpu/ewald",
    .rung = 6,
    .idea = "Ewald summation: nearest images pair by pair, and waves for the rest, on all threads",
    .traits = {.threaded = true, .simd = true, .periodic = false, .open = false, .all_images = true},
    .fma_port_operations = {.f32 = 36, .f64 = 49, .mixed = 36},
    .f32 = cpu::run<F32>,
    .f64 = cpu::run<F64>,
    .mixed = cpu::run<Mixed>};
}  // namespace pleiad
#endif
