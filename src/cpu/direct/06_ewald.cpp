/// Rung 6, ewald: all images of a periodic box. Pairs of nearest images pull by what falls off fast, and
/// waves carry the rest: first the masses' sums for each wave, then the field of all waves at each body.
///
/// Cost of a pair as in rung 3, and a polynomial of degree 16 in single, 27 in double precision for what the
/// waves have of it: 36 and 49 operations on multiply-add ports. Waves, 2600 in single and 9600 in
/// double precision in a cube, cost 6 multiply-adds each and a body: as much as 2000 pairs, once.
///
/// Accuracy: what is left out is below 3e-7 in single and 3e-11 in double precision of the pull at half the
/// shortest side.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct/06_ewald.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/direct/ewald.hpp"
#include "cpu/direct/pair-inl.h"

#include <cmath>
#include <numbers>

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

/// What pairs need to know of the splitting, in the units of the frame.
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

/// exp(i k x) of a body along an axis in units of the box, as far as waves go: part[step], real and
/// imaginary.
struct Turns {
  std::array<std::vector<double>, 2> part;
  explicit Turns(int most) : part{std::vector<double>(std::size_t(most) + 1), {}} { part[1] = part[0]; }
  void take(double x, double per_length) {
    const double turns = x * per_length, angle = 2 * std::numbers::pi * (turns - std::rint(turns));
    const double re = std::cos(angle), im = std::sin(angle);
    double a = 1, b = 0;
    for (std::size_t k = 0; k < part[0].size(); ++k) {
      part[0][k] = a, part[1][k] = b;
      const double next = a * re - b * im;
      b = a * im + b * re, a = next;
    }
  }
};

/// The masses' sums for all waves of sources [begin, end): of the four products of real and imaginary parts
/// along x and y with those along z, place by place.
template <class P>
void sum_waves(const EwaldProblem<P>& e, std::size_t begin, std::size_t end, double* sums) {
  using M = typename P::Math;
  const hn::CappedTag<M, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto& waves = e.ewald->waves;
  const std::size_t places = waves.amplitude.size(), across = (std::size_t(waves.most[2]) + 8) / 8 * 8;
  constexpr std::size_t together = 4;
  Turns x(waves.most[0]), y(waves.most[1]), z(waves.most[2]);
  std::vector<M> along(2 * together * across), part(4 * places);
  std::vector<double> plane(2 * together * waves.rows.size());
  std::size_t taken = 0;
  const auto flush = [&] {
    for (std::size_t k = 0; k < 4 * places; ++k) sums[k] += double(part[k]), part[k] = 0;
    taken = 0;
  };
  for (std::size_t j = begin; j < end; j += together) {
    for (std::size_t t = 0; t < together; ++t) {
      const bool is = j + t < end;
      const auto& body = e.p.sources[is ? j + t : j];
      const double m = is ? double(body.m) * e.scale.mass : 0;
      x.take(double(body.x), e.per_length.x), y.take(double(body.y), e.per_length.y);
      z.take(double(body.z), e.per_length.z);
      for (std::size_t c = 0; c <= std::size_t(waves.most[2]); ++c)
        along[2 * t * across + c] = M(z.part[0][c]), along[(2 * t + 1) * across + c] = M(z.part[1][c]);
      for (std::size_t r = 0; r < waves.rows.size(); ++r) {
        const auto a = std::size_t(waves.rows[r].a), b = std::size_t(std::abs(waves.rows[r].b));
        const double re = y.part[0][b], im = waves.rows[r].b < 0 ? -y.part[1][b] : y.part[1][b];
        plane[2 * (together * r + t)] = m * (x.part[0][a] * re - x.part[1][a] * im);
        plane[2 * (together * r + t) + 1] = m * (x.part[0][a] * im + x.part[1][a] * re);
      }
    }
    for (std::size_t r = 0; r < waves.rows.size(); ++r) {
      const auto& row = waves.rows[r];
      const double* w = &plane[2 * together * r];
      for (std::size_t c = 0; c <= std::size_t(row.last); c += lanes) {
        M* const to = &part[4 * (row.at + c / 8 * 8) + c % 8];
        hn::Vec<decltype(d)> sum[4];
        for (std::size_t q = 0; q < 4; ++q) sum[q] = hn::LoadU(d, to + 8 * q);
        for (std::size_t t = 0; t < together; ++t) {
          const auto re = hn::LoadU(d, &along[2 * t * across + c]);
          const auto im = hn::LoadU(d, &along[(2 * t + 1) * across + c]);
          const auto wr = hn::Set(d, M(w[2 * t])), wi = hn::Set(d, M(w[2 * t + 1]));
          sum[0] = hn::MulAdd(wr, re, sum[0]), sum[1] = hn::MulAdd(wi, im, sum[1]);
          sum[2] = hn::MulAdd(wr, im, sum[2]), sum[3] = hn::MulAdd(wi, re, sum[3]);
        }
        for (std::size_t q = 0; q < 4; ++q) hn::StoreU(sum[q], d, to + 8 * q);
      }
    }
    if ((taken += together) >= tile) flush();
  }
  flush();
}

/// Adds the field of the waves at targets [begin, begin + count), each in a lane.
template <class P>
void add_waves(const EwaldProblem<P>& e, std::size_t begin, std::size_t count, double* totals) {
  using M = typename P::Math;
  constexpr Tag<M> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto& waves = e.ewald->waves;
  const std::size_t nx = std::size_t(waves.most[0]) + 1, ny = std::size_t(waves.most[1]) + 1,
                    nz = std::size_t(waves.most[2]) + 1;
  Turns x(waves.most[0]), y(waves.most[1]), z(waves.most[2]);
  // Real and imaginary parts along each axis, and c times those along z.
  std::vector<M> room(lanes * (2 * nx + 2 * ny + 4 * nz));
  M *const in_x = room.data(), *const in_y = in_x + 2 * nx * lanes, *const in_z = in_y + 2 * ny * lanes;
  for (std::size_t i = 0; i < count; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const auto& body = e.p.targets[begin + std::min(i + l, count - 1)];
      x.take(double(body.x), e.per_length.x), y.take(double(body.y), e.per_length.y);
      z.take(double(body.z), e.per_length.z);
      for (std::size_t q = 0; q < 2; ++q) {
        for (std::size_t k = 0; k < nx; ++k) in_x[(2 * k + q) * lanes + l] = M(x.part[q][k]);
        for (std::size_t k = 0; k < ny; ++k) in_y[(2 * k + q) * lanes + l] = M(y.part[q][k]);
        for (std::size_t k = 0; k < nz; ++k) {
          in_z[(4 * k + q) * lanes + l] = M(z.part[q][k]);
          in_z[(4 * k + 2 + q) * lanes + l] = M(double(k) * z.part[q][k]);
        }
      }
    }
    auto ax = hn::Zero(d), ay = ax, az = ax, phi = ax;
    for (const auto& row : waves.rows) {
      auto ur = hn::Zero(d), ui = ur, vr = ur, vi = ur;
      const M* HWY_RESTRICT at = in_z;
      const M* HWY_RESTRICT from = static_cast<const M*>(e.field) + 4 * row.at;
      for (int c = 0; c <= row.last; ++c, at += 4 * lanes, from += 4) {
        const auto re = hn::LoadU(d, at), im = hn::LoadU(d, at + lanes);
        const auto cre = hn::LoadU(d, at + 2 * lanes), cim = hn::LoadU(d, at + 3 * lanes);
        const auto pr = hn::Set(d, from[0]), pi = hn::Set(d, from[1]);
        const auto mr = hn::Set(d, from[2]), mi = hn::Set(d, from[3]);
        ur = hn::MulAdd(pr, re, hn::MulAdd(mi, im, ur)), ui = hn::MulAdd(pi, re, hn::NegMulAdd(mr, im, ui));
        vr = hn::MulAdd(mr, cre, hn::MulAdd(pi, cim, vr));
        vi = hn::MulAdd(mi, cre, hn::NegMulAdd(pr, cim, vi));
      }
      const std::size_t a = std::size_t(row.a), b = std::size_t(std::abs(row.b));
      const auto xr = hn::LoadU(d, in_x + 2 * a * lanes), xi = hn::LoadU(d, in_x + (2 * a + 1) * lanes);
      const auto yr = hn::LoadU(d, in_y + 2 * b * lanes);
      auto yi = hn::LoadU(d, in_y + (2 * b + 1) * lanes);
      if (row.b < 0) yi = hn::Neg(yi);
      const auto wr = hn::NegMulAdd(xi, yi, hn::Mul(xr, yr)), wi = hn::MulAdd(xr, yi, hn::Mul(xi, yr));
      const auto im = hn::NegMulAdd(wi, ur, hn::Mul(wr, ui));
      ax = hn::MulAdd(hn::Set(d, M(row.a)), im, ax), ay = hn::MulAdd(hn::Set(d, M(row.b)), im, ay);
      az = hn::Add(az, hn::NegMulAdd(wi, vr, hn::Mul(wr, vi)));
      phi = hn::Add(phi, hn::MulAdd(wr, ur, hn::Mul(wi, ui)));
    }
    HWY_ALIGN M part[4][hn::MaxLanes(d)];
    hn::Store(ax, d, part[0]), hn::Store(ay, d, part[1]), hn::Store(az, d, part[2]);
    hn::Store(phi, d, part[3]);
    const double unit[4] = {e.unit.x, e.unit.y, e.unit.z, -1};
    for (std::size_t l = 0; l < lanes && i + l < count; ++l)
      for (std::size_t c = 0; c < 4; ++c) totals[c * ewald_rows + i + l] += unit[c] * double(part[c][l]);
  }
}

template <class P>
void rows_of(const EwaldProblem<P>& e, std::size_t begin, std::size_t count) {
  alignas(64) double totals[4 * ewald_rows] = {};
  add_pairs(e, begin, count, totals);
  add_waves(e, begin, count, totals);
  using S = typename P::Sum;
  const auto& p = e.p;
  const double force = e.scale.force(), potential = p.potential ? e.scale.potential() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double* t = totals + i;
    // The background, and what the waves have of the body's own pull.
    const double own = p.self == p.none ? 0 : double(p.targets[begin + i].m) * e.scale.mass;
    const double w = t[3 * ewald_rows] + e.mass * e.ewald->mean + own * e.ewald->own;
    p.sums[begin + i] = {S(t[0] * force), S(t[ewald_rows] * force), S(t[2 * ewald_rows] * force),
                         S(w * potential)};
  }
}

void rows_f32(const EwaldProblem<F32>& e, std::size_t begin, std::size_t n) { rows_of(e, begin, n); }
void rows_f64(const EwaldProblem<F64>& e, std::size_t begin, std::size_t n) { rows_of(e, begin, n); }
void rows_mixed(const EwaldProblem<Mixed>& e, std::size_t begin, std::size_t n) { rows_of(e, begin, n); }
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
HWY_EXPORT(rows_f32);
HWY_EXPORT(rows_f64);
HWY_EXPORT(rows_mixed);
HWY_EXPORT(waves_f32);
HWY_EXPORT(waves_f64);
HWY_EXPORT(waves_mixed);
namespace {

void rows(const EwaldProblem<F32>& e, std::size_t at, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(rows_f32)(e, at, n);
}
void rows(const EwaldProblem<F64>& e, std::size_t at, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(rows_f64)(e, at, n);
}
void rows(const EwaldProblem<Mixed>& e, std::size_t at, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(rows_mixed)(e, at, n);
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

/// The field of each wave and its mirror image, ready to be evaluated: their sum and difference, real and
/// imaginary. In pieces of sources that do not depend on the threads, added in order.
template <class P>
std::vector<typename P::Math> field_of(EwaldProblem<P>& e) {
  const std::size_t n = e.p.sources.size(), places = e.ewald->waves.amplitude.size();
  constexpr std::size_t most_pieces = 32, least = 256;
  const std::size_t piece = std::max(least, (n + most_pieces - 1) / most_pieces),
                    pieces = (n + piece - 1) / piece;
  std::vector<std::vector<double>> parts(pieces);
  parallel_for(pieces, [&](std::size_t k) {
    parts[k].resize(4 * places);
    waves(e, k * piece, std::min(n, (k + 1) * piece), parts[k].data());
  });
  std::vector<typename P::Math> field(4 * places);
  for (const auto& row : e.ewald->waves.rows)
    for (std::size_t c = 0; c <= std::size_t(row.last); ++c) {
      const std::size_t place = row.at + c;
      double sum[4] = {};
      for (const auto& part : parts)
        for (std::size_t q = 0; q < 4; ++q) sum[q] += part[4 * (row.at + c / 8 * 8) + c % 8 + 8 * q];
      const double amplitude = e.ewald->waves.amplitude[place];
      const bool alone = c == 0 || (row.a == 0 && row.b == 0);  // without a mirror image
      const double re = sum[0] - sum[1], im = sum[2] + sum[3];
      const double mirror_re = alone ? 0 : sum[0] + sum[1], mirror_im = alone ? 0 : sum[3] - sum[2];
      const double values[4] = {re + mirror_re, im + mirror_im, re - mirror_re, im - mirror_im};
      for (std::size_t q = 0; q < 4; ++q) field[4 * place + q] = typename P::Math(amplitude * values[q]);
    }
  for (const auto& body : e.p.sources) e.mass += double(body.m) * e.scale.mass;
  return field;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  if (!p.boundary.all_images())
    throw UsageError(
        "'cpu/ewald': it is for all images of a periodic box; choose another kernel, or gravity.images = "
        "\"all\"");
  need_box_for_all_images(p.boundary);
  if (p.targets.empty()) return;
  const Scale scale = scale_of(p);
  const auto length = p.boundary.length * scale.length;
  const auto ewald = ewald_of(length, p.softening.eps * scale.length, narrow<typename P::Math>);
  const double turn = 2 * std::numbers::pi;
  EwaldProblem<P> e{.p = p,
                    .scale = scale,
                    .ewald = ewald.get(),
                    .per_length = {1 / p.boundary.length.x, 1 / p.boundary.length.y, 1 / p.boundary.length.z},
                    .unit = {turn / length.x, turn / length.y, turn / length.z}};
  const auto field = field_of(e);
  e.field = field.data();
  const std::size_t n = p.targets.size();
  parallel_for((n + ewald_rows - 1) / ewald_rows,
               [&](std::size_t b) { rows(e, b * ewald_rows, std::min(ewald_rows, n - b * ewald_rows)); });
}
}  // namespace
}  // namespace cpu

extern constinit const DirectKernel direct_ewald{
    .name = "cpu/ewald",
    .rung = 6,
    .idea = "all images of a periodic box: nearest images one by one, and waves for the rest, on all threads",
    .traits = {.threaded = true, .simd = true, .periodic = false, .open = false, .all_images = true},
    .fma_port_operations = {.f32 = 36, .f64 = 49, .mixed = 36},
    .f32 = cpu::run<F32>,
    .f64 = cpu::run<F64>,
    .mixed = cpu::run<Mixed>};
}  // namespace pleiad
#endif
