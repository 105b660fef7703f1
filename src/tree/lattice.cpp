#include "tree/lattice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/lattice.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
constexpr int degree = Lattice::degree;

/// Coordinates of up to a vector of bodies; beyond `n` those of the last one.
struct Places {
  hn::Vec<D> x, y, z;
};
HWY_INLINE Places places(const Tree& tree, const Lattice::Map& map, std::size_t i, std::size_t n) {
  constexpr D d;
  HWY_ALIGN double at[3][hn::MaxLanes(d)];
  for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
    const std::size_t j = i + std::min(l, n - 1);
    at[0][l] = tree.x[j], at[1][l] = tree.y[j], at[2][l] = tree.z[j];
  }
  const auto mapped = [&](const double* from, double scale, double offset) HWY_ATTR {
    return hn::MulAdd(hn::Load(d, from), hn::Set(d, scale), hn::Set(d, offset));
  };
  return {mapped(at[0], map.scale.x, map.offset.x), mapped(at[1], map.scale.y, map.offset.y),
          mapped(at[2], map.scale.z, map.offset.z)};
}

/// Adds sum m x^a y^b z^c of bodies [begin, end).
void add_moments(const Tree& tree, const Lattice::Map& map, std::size_t begin, std::size_t end,
                 Lattice::Terms& sums) {
  constexpr D d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN double lane_sums[Lattice::terms * hn::MaxLanes(d)] = {};
  HWY_ALIGN double masses[hn::MaxLanes(d)];
  for (std::size_t i = begin; i < end; i += lanes) {
    const std::size_t n = std::min(lanes, end - i);
    const auto at = places(tree, map, i, n);
    for (std::size_t l = 0; l < lanes; ++l) masses[l] = l < n ? tree.m[i + l] : 0;
    double* to = lane_sums;
    auto mx = hn::Load(d, masses);
    for (int a = 0; a <= degree; ++a, mx = hn::Mul(mx, at.x)) {
      auto mxy = mx;
      for (int b = 0; a + b <= degree; ++b, mxy = hn::Mul(mxy, at.y)) {
        auto term = mxy;
        for (int c = 0; a + b + c <= degree; ++c, term = hn::Mul(term, at.z), to += lanes)
          hn::Store(hn::Add(hn::Load(d, to), term), d, to);
      }
    }
  }
  for (std::size_t k = 0; k < Lattice::terms; ++k)
    sums[k] += hn::GetLane(hn::SumOfLanes(d, hn::Load(d, lane_sums + k * lanes)));
}

/// A field by Horner's scheme along each axis in turn: the value and its derivatives.
struct Field {
  hn::Vec<D> value, x, y, z;
};
HWY_INLINE Field field_at(const Lattice::Terms& field, const Places& at) {
  constexpr D d;
  const auto zero = hn::Zero(d);
  const double* from = field.data() + Lattice::terms;
  Field f{zero, zero, zero, zero};
  for (int a = degree; a >= 0; --a) {
    auto value = zero, y = zero, z = zero;
    for (int b = degree - a; b >= 0; --b) {
      auto v = zero, slope = zero;
      for (int c = degree - a - b; c >= 0; --c) {
        slope = hn::MulAdd(slope, at.z, v);
        v = hn::MulAdd(v, at.z, hn::Set(d, *--from));
      }
      y = hn::MulAdd(y, at.y, value);
      value = hn::MulAdd(value, at.y, v), z = hn::MulAdd(z, at.y, slope);
    }
    f.x = hn::MulAdd(f.x, at.x, f.value);
    f.value = hn::MulAdd(f.value, at.x, value), f.y = hn::MulAdd(f.y, at.x, y),
    f.z = hn::MulAdd(f.z, at.x, z);
  }
  return f;
}

/// Adds the field to the sums of bodies [begin, end), the first of which is that of body `first`.
void add_field(const Tree& tree, const Lattice::Map& map, const Lattice::Terms& field, std::size_t begin,
               std::size_t end, std::size_t first, std::span<Vec4<double>> sums) {
  constexpr D d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN double part[4][hn::MaxLanes(d)];
  for (std::size_t i = begin; i < end; i += lanes) {
    const std::size_t n = std::min(lanes, end - i);
    const auto f = field_at(field, places(tree, map, i, n));
    hn::Store(hn::Mul(f.x, hn::Set(d, map.scale.x)), d, part[0]);
    hn::Store(hn::Mul(f.y, hn::Set(d, map.scale.y)), d, part[1]);
    hn::Store(hn::Mul(f.z, hn::Set(d, map.scale.z)), d, part[2]);
    hn::Store(f.value, d, part[3]);
    for (std::size_t l = 0; l < n; ++l) {
      auto& s = sums[i + l - first];
      s.x += part[0][l], s.y += part[1][l], s.z += part[2][l], s.w += part[3][l];
    }
  }
}

}  // namespace
}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/threads.hpp"
#include "cpu/ewald.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::tree {
HWY_EXPORT(add_moments);
HWY_EXPORT(add_field);
namespace {

constexpr int degree = Lattice::degree;

/// The potential (positive) of all images of a unit mass but those up to `reach` boxes away.
class FurtherImages {
 public:
  FurtherImages(const Vec3<double>& length, double eps, const std::array<int, 3>& reach)
      : length_(length),
        eps2_(eps * eps),
        alpha_(2 / std::min({length.x, length.y, length.z})),
        reach_(reach),
        split_(length, eps, alpha_) {
    constexpr double fastest = 6.2;  // exp(-fastest^2) = 2e-17
    const double greatest = 2 * alpha_ * fastest, turn = 2 * std::numbers::pi;
    const auto most = [&](double l) { return int(greatest * l / turn); };
    for (int a = -most(length.x); a <= most(length.x); ++a)
      for (int b = -most(length.y); b <= most(length.y); ++b)
        for (int c = -most(length.z); c <= most(length.z); ++c) {
          const Vec3<double> k{turn * a / length.x, turn * b / length.y, turn * c / length.z};
          const double k2 = dot(k, k);
          if (k2 > 0 && k2 <= greatest * greatest) waves_.push_back({k, split_.amplitude(k2)});
        }
  }
  double operator()(const Vec3<double>& d) {
    double sum = -split_.mean();
    for (const auto& [k, amplitude] : waves_) sum += amplitude * std::cos(dot(k, d));
    const auto boxes = [&](double l, int near) {
      return std::max(near, int(std::ceil(6.2 / (alpha_ * l))) + 1);
    };
    const int nx = boxes(length_.x, reach_[0]), ny = boxes(length_.y, reach_[1]),
              nz = boxes(length_.z, reach_[2]);
    for (int a = -nx; a <= nx; ++a)
      for (int b = -ny; b <= ny; ++b)
        for (int c = -nz; c <= nz; ++c) {
          const Vec3<double> e{d.x + a * length_.x, d.y + b * length_.y, d.z + c * length_.z};
          const double s2 = dot(e, e) + eps2_, s = std::sqrt(s2);
          const bool near = std::abs(a) <= reach_[0] && std::abs(b) <= reach_[1] && std::abs(c) <= reach_[2];
          if (near) sum -= split_.smooth(s2);
          else if (alpha_ * s < 6.2) sum += std::erfc(alpha_ * s) / s;
        }
    return sum;
  }

 private:
  struct Wave {
    Vec3<double> k;
    double amplitude;
  };
  Vec3<double> length_;
  double eps2_, alpha_;
  std::array<int, 3> reach_;
  cpu::EwaldSplit split_;
  std::vector<Wave> waves_;
};

}  // namespace

void Lattice::set(const Boundary& boundary, double eps) {
  if (boundary.length == length_ && eps == eps_) return;
  cpu::need_box_for_all_images(boundary);
  const auto& l = boundary.length;
  const double longest = std::max({l.x, l.y, l.z});
  if (longest > 2 * std::min({l.x, l.y, l.z}))
    throw UsageError(fmt::format(
        "trees: the sides {} x {} x {} of the periodic box differ by more than a factor of 2; take "
        "solver.method = \"direct\"",
        l.x, l.y, l.z));
  // The remaining images are then at least twice the longest side away from anything in the box.
  const auto boxes = [&](double side) { return int(std::ceil(2 * longest / side)); };
  reach_ = {boxes(l.x), boxes(l.y), boxes(l.z)};
  fit(boundary, eps);
  length_ = l, eps_ = eps;
}

/// Interpolates at the positive zeros of Chebyshev's polynomial of degree 2 half along each axis, which is
/// exact for even polynomials of a lower degree, and drops terms beyond the total degree.
void Lattice::fit(const Boundary& boundary, double eps) {
  FurtherImages potential(boundary.length, eps, reach_);
  std::array<double, half> zeros{};
  for (std::size_t i = 0; i < half; ++i)
    zeros[i] = std::cos(std::numbers::pi * (double(i) + 0.5) / (2 * half));
  std::array<double, half * half * half> values{};
  const auto& l = boundary.length;
  for (std::size_t i = 0; i < half; ++i)
    for (std::size_t j = 0; j < half; ++j)
      for (std::size_t k = 0; k < half; ++k)
        values[(i * half + j) * half + k] = potential({zeros[i] * l.x, zeros[j] * l.y, zeros[k] * l.z});
  // chebyshev[a][i]: T_2a at a zero; monomial[a][q]: T_2a in powers of t^2, by T_2a(t) = T_a(2 t^2 - 1).
  std::array<std::array<double, half>, half> chebyshev{}, monomial{};
  for (std::size_t a = 0; a < half; ++a)
    for (std::size_t i = 0; i < half; ++i)
      chebyshev[a][i] = std::cos(double(2 * a) * std::acos(zeros[i])) * (a == 0 ? 1.0 : 2.0) / double(half);
  monomial[0][0] = 1, monomial[1][0] = -1, monomial[1][1] = 2;
  for (std::size_t a = 2; a < half; ++a)
    for (std::size_t q = 0; q < half; ++q)
      monomial[a][q] = (q > 0 ? 4 * monomial[a - 1][q - 1] : 0) - 2 * monomial[a - 1][q] - monomial[a - 2][q];
  even_ = {};
  for (std::size_t a = 0; a < half; ++a)
    for (std::size_t b = 0; a + b < half; ++b)
      for (std::size_t c = 0; a + b + c < half; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < half; ++i)
          for (std::size_t j = 0; j < half; ++j)
            for (std::size_t k = 0; k < half; ++k)
              sum += values[(i * half + j) * half + k] * chebyshev[a][i] * chebyshev[b][j] * chebyshev[c][k];
        for (std::size_t i = 0; i <= a; ++i)
          for (std::size_t j = 0; j <= b; ++j)
            for (std::size_t k = 0; k <= c; ++k)
              even_[(i * half + j) * half + k] += sum * monomial[a][i] * monomial[b][j] * monomial[c][k];
      }
}

void Lattice::take(const Tree& tree) {
  take_units(tree);
  Terms moments{};
  add_moments(tree, 0, tree.m.size(), moments);
  take_moments(moments);
}

void Lattice::take_units(const Tree& tree) {
  map_ = {.scale = {tree.length / length_.x, tree.length / length_.y, tree.length / length_.z},
          .offset = {tree.centre.x / length_.x - 0.5, tree.centre.y / length_.y - 0.5,
                     tree.centre.z / length_.z - 0.5}};
  per_length_ = tree.length;
  images_.clear();
  for (const auto& [a, b, c] : boxes_away())
    images_.push_back(
        {a * (length_.x / tree.length), b * (length_.y / tree.length), c * (length_.z / tree.length)});
}

std::vector<std::array<int, 3>> Lattice::boxes_away() const {
  std::vector<std::array<int, 3>> all{{0, 0, 0}};
  for (int a = -reach_[0]; a <= reach_[0]; ++a)
    for (int b = -reach_[1]; b <= reach_[1]; ++b)
      for (int c = -reach_[2]; c <= reach_[2]; ++c)
        if (a != 0 || b != 0 || c != 0) all.push_back({a, b, c});
  return all;
}

void Lattice::add_moments(const Tree& tree, std::size_t begin, std::size_t end, Terms& moments) const {
  std::vector<Terms> parts((end - begin + block - 1) / block);
  for_blocks(
      end - begin,
      [&](std::size_t from, std::size_t to) {
        HWY_DYNAMIC_DISPATCH(add_moments)(tree, map_, begin + from, begin + to, parts[from / block]);
      },
      block);
  for (const auto& part : parts)
    for (std::size_t k = 0; k < terms; ++k) moments[k] += part[k];
}

void Lattice::take_moments(const Terms& moments) {
  // (x - y)^a = sum_i binomial(a, i) x^i (-y)^(a - i), along each axis.
  field_ = {};
  for (int a = 0; a <= degree; a += 2)
    for (int b = 0; a + b <= degree; b += 2)
      for (int c = 0; a + b + c <= degree; c += 2) {
        const double p = even_[(std::size_t(a / 2) * half + std::size_t(b / 2)) * half + std::size_t(c / 2)];
        for (int i = 0; i <= a; ++i)
          for (int j = 0; j <= b; ++j)
            for (int k = 0; k <= c; ++k) {
              const double sign = (i + j + k) % 2 == 0 ? 1 : -1;  // a + b + c is even
              field_[std::size_t(lattice::place_of(i, j, k))] +=
                  sign * per_length_ * p * lattice::binomial(a, i) * lattice::binomial(b, j) *
                  lattice::binomial(c, k) * moments[std::size_t(lattice::place_of(a - i, b - j, c - k))];
            }
      }
}

Vec3<double> Lattice::acceleration_at(const Vec3<double>& place) const {
  Tree one;
  one.x = {place.x}, one.y = {place.y}, one.z = {place.z}, one.m = {0};
  std::array<Vec4<double>, 1> sum{};
  HWY_DYNAMIC_DISPATCH(add_field)(one, map_, field_, 0, 1, 0, sum);
  return sum[0].xyz();
}

void Lattice::add(const Tree& tree, std::span<Vec4<double>> sums) const {
  const std::size_t first = tree.share.first_target;
  for_blocks(sums.size(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(add_field)(tree, map_, field_, first + begin, first + end, first, sums);
  });
}

}  // namespace pleiad::tree
#endif
