#include "reference/ewald.hpp"

#include "reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace pleiad::reference {
namespace {
using Real = long double;
constexpr Real pi = std::numbers::pi_v<Real>;
constexpr Real farthest = 6.6L, fastest = 6.8L;

/// Integral over [0, inf), by w = exp(pi/2 sinh t) and the trapezium rule, whose error falls off
/// exponentially with 1 / step (H. Takahasi and M. Mori 1974).
template <class Function>
Real integral_to_infinity(const Function& f) {
  constexpr Real step = 1 / 32.0L;
  Real sum = 0;
  for (int i = -150; i <= 150; ++i) {
    const Real t = i * step, w = std::exp(pi / 2 * std::sinh(t));
    sum += f(w) * w * pi / 2 * std::cosh(t);
  }
  return sum * step;
}
}  // namespace

EwaldSums::EwaldSums(std::span<const Mass<double>> sources, const Softening& softening,
                     const Vec3<double>& length, Real splitting)
    : sources_(sources),
      length_{length.x, length.y, length.z},
      eps2_(Real(softening.eps) * softening.eps),
      alpha_(splitting / std::min({length_.x, length_.y, length_.z})),
      volume_(length_.x * length_.y * length_.z) {
  make_waves();
  for (const auto& s : sources) {
    const auto x = turns(s.x, length_.x, most_[0]), y = turns(s.y, length_.y, most_[1]),
               z = turns(s.z, length_.z, most_[2]);
    mass_ += s.m;
    for (auto& w : waves_)
      w.sum += Real(s.m) * (x[std::size_t(w.a + most_[0])] * y[std::size_t(w.b + most_[1])] *
                            z[std::size_t(w.c + most_[2])]);
  }
}

/// exp(2 pi i n x / length) for n from -most to most.
EwaldSums::Turns EwaldSums::turns(Real x, Real length, int most) const {
  Turns all;
  for (int n = -most; n <= most; ++n) all.push_back(std::polar(Real(1), 2 * pi * n * (x / length)));
  return all;
}

/// Half of all: with k also -k, doubled.
void EwaldSums::make_waves() {
  const Real x = alpha_ * alpha_ * eps2_, greatest = 2 * alpha_ * fastest;
  // v = 1 / (1 + w), so that the integral of A_0 is one to infinity too.
  mean_ =
      pi / (volume_ * alpha_ * alpha_) *
      (x == 0 ? 1 : integral_to_infinity([&](Real w) { return std::exp(-x * (1 + w)) / (1 + w) / (1 + w); }));
  std::map<Real, Real> known;
  const Vec3<Real> unit{2 * pi / length_.x, 2 * pi / length_.y, 2 * pi / length_.z};
  most_[0] = int(greatest / unit.x), most_[1] = int(greatest / unit.y), most_[2] = int(greatest / unit.z);
  for (int a = 0; a <= most_[0]; ++a)
    for (int b = a == 0 ? 0 : -most_[1]; b <= most_[1]; ++b)
      for (int c = a == 0 && b == 0 ? 1 : -most_[2]; c <= most_[2]; ++c) {
        const Vec3<Real> k{a * unit.x, b * unit.y, c * unit.z};
        const Real k2 = dot(k, k);
        if (k2 > greatest * greatest) continue;
        const auto [at, is_new] = known.try_emplace(k2);
        if (is_new)
          at->second = 8 * pi / (volume_ * k2) * std::exp(-k2 / (4 * alpha_ * alpha_)) *
                       (eps2_ == 0 ? 1 : integral_to_infinity([&](Real w) {
                         return std::exp(-w - eps2_ / (1 / (alpha_ * alpha_) + 4 * w / k2));
                       }));
        waves_.push_back({a, b, c, k, at->second, {}});
      }
}

/// Adds the images of one source at separation d that matter.
void EwaldSums::add_images(Vec3<Real> d, Real m, bool without_nearest, Vec4<Real>& sum) const {
  d = {d.x - length_.x * std::rint(d.x / length_.x), d.y - length_.y * std::rint(d.y / length_.y),
       d.z - length_.z * std::rint(d.z / length_.z)};
  const auto images = [&](Real length) { return int(std::ceil(farthest / (alpha_ * length) + 0.5L)); };
  const int nx = images(length_.x), ny = images(length_.y), nz = images(length_.z);
  for (int a = -nx; a <= nx; ++a)
    for (int b = -ny; b <= ny; ++b)
      for (int c = -nz; c <= nz; ++c) {
        const Vec3<Real> e{d.x + a * length_.x, d.y + b * length_.y, d.z + c * length_.z};
        const Real s2 = dot(e, e) + eps2_, s = std::sqrt(s2), peak = 2 * alpha_ / std::sqrt(pi);
        if (alpha_ * s > farthest && !(without_nearest && a == 0 && b == 0 && c == 0)) continue;
        if (a == 0 && b == 0 && c == 0 && (without_nearest || s == 0)) {
          sum.w += m * (s == 0 ? peak : std::erf(alpha_ * s) / s);  // part of it that the waves include
          continue;
        }
        const Real part = std::erfc(alpha_ * s) / s,
                   slope = (part + peak * std::exp(-alpha_ * alpha_ * s2)) / s2;
        sum.x += m * e.x * slope, sum.y += m * e.y * slope, sum.z += m * e.z * slope;
        sum.w -= m * part;
      }
}

Vec4<Real> EwaldSums::at(const Mass<double>& target, std::ptrdiff_t self) const {
  Vec4<Real> sum;
  for (std::size_t j = 0; j < sources_.size(); ++j) {
    const auto& s = sources_[j];
    const Vec3<Real> d{Real(s.x) - target.x, Real(s.y) - target.y, Real(s.z) - target.z};
    add_images(d, s.m, std::ptrdiff_t(j) == self, sum);
  }
  const auto x = turns(target.x, length_.x, most_[0]), y = turns(target.y, length_.y, most_[1]),
             z = turns(target.z, length_.z, most_[2]);
  for (const auto& w : waves_) {
    const auto there =
        x[std::size_t(w.a + most_[0])] * y[std::size_t(w.b + most_[1])] * z[std::size_t(w.c + most_[2])];
    const auto wave = w.amplitude * w.sum * std::conj(there);
    sum.x += w.k.x * wave.imag(), sum.y += w.k.y * wave.imag(), sum.z += w.k.z * wave.imag();
    sum.w -= wave.real();
  }
  sum.w += mass_ * mean_;
  return sum;
}

std::vector<Vec4<long double>> pulls_of_all_images(std::span<const Mass<double>> targets,
                                                   std::span<const Mass<double>> sources,
                                                   const Softening& softening, const Vec3<double>& length,
                                                   std::ptrdiff_t self, long double splitting) {
  const EwaldSums ewald(sources, softening, length, splitting);
  std::vector<Vec4<Real>> sums(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    sums[i] = ewald.at(targets[i], self == none ? none : self + std::ptrdiff_t(i));
  return sums;
}

}  // namespace pleiad::reference
