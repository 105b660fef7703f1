/// The waves of Ewald's sums: their amplitudes from the bodies, and their field at bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_CPU_EWALD_WAVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_CPU_EWALD_WAVES_INL_H_
#undef PLEIAD_CPU_EWALD_WAVES_INL_H_
#else
#define PLEIAD_CPU_EWALD_WAVES_INL_H_
#endif

#include "cpu/direct/ewald.hpp"
#include "cpu/direct/pair-inl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

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
  constexpr std::size_t together = 4, at_once = 256;  // at a time; in sums of the pairs' precision
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
    if ((taken += together) >= at_once) flush();
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

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
