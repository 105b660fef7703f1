#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbits/many.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "orbits/kepler.hpp"
#include "orbits/many.hpp"
#include "orbits/stumpff.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::orbits::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Lanes = hn::Vec<Tag>;

HWY_INLINE Lanes constant(double value) { return hn::Set(Tag(), value); }

struct Functions {
  Lanes g0, g1, g2, g3;
};

/// stumpff_series() for each lane.
HWY_INLINE Functions functions(Lanes b, Lanes s) {
  const auto one = constant(1), s2 = hn::Mul(s, s), z = hn::Mul(b, s2);
  const auto less = [&](Lanes rest, double denominator)
                        HWY_ATTR { return hn::NegMulAdd(hn::Mul(z, constant(1 / denominator)), rest, one); };
  auto odd = less(one, 18 * 19), even = less(one, 17 * 18);
  odd = less(odd, 16 * 17), even = less(even, 15 * 16);
  odd = less(odd, 14 * 15), even = less(even, 13 * 14);
  odd = less(odd, 12 * 13), even = less(even, 11 * 12);
  odd = less(odd, 10 * 11), even = less(even, 9 * 10);
  odd = less(odd, 8 * 9), even = less(even, 7 * 8);
  // The terms that matter most are divided: a factor's own rounding would be the same in each step, and the
  // energy would drift.
  const auto exactly = [&](Lanes rest, double denominator)
                           HWY_ATTR { return hn::NegMulAdd(hn::Div(z, constant(denominator)), rest, one); };
  odd = exactly(odd, 6 * 7), even = exactly(even, 5 * 6);
  odd = exactly(odd, 4 * 5), even = exactly(even, 3 * 4);
  const auto g2 = hn::Mul(hn::Mul(s2, constant(0.5)), even);
  const auto g3 = hn::Mul(hn::Div(hn::Mul(s, s2), constant(6)), odd);
  return {hn::NegMulAdd(b, g2, one), hn::NegMulAdd(b, g3, s), g2, g3};
}

/// Two steps of Halley's method from a guess of third order. Returns which lanes have settled (see
/// settled_step), and have arguments of the series.
HWY_INLINE hn::Mask<Tag> changes(Lanes mu, const std::array<Lanes, 3>& x, const std::array<Lanes, 3>& v,
                                 Lanes dt, std::array<Lanes, 3>& dx, std::array<Lanes, 3>& dv) {
  const auto dot = [](const std::array<Lanes, 3>& a, const std::array<Lanes, 3>& c) HWY_ATTR {
    return hn::MulAdd(a[2], c[2], hn::MulAdd(a[1], c[1], hn::Mul(a[0], c[0])));
  };
  const auto r = hn::Sqrt(dot(x, x)), per_r = hn::Div(constant(1), r), eta = dot(x, v);
  const auto b = hn::Sub(hn::Mul(hn::Add(mu, mu), per_r), dot(v, v)), zeta = hn::NegMulAdd(b, r, mu);
  // t = r s + eta s^2 / 2 + zeta s^3 / 6 + ..., solved for s.
  const auto first = hn::Mul(dt, per_r), c = hn::Mul(hn::Mul(eta, per_r), constant(0.5));
  const auto second = hn::MulAdd(hn::Add(c, c), c, hn::Neg(hn::Mul(hn::Mul(zeta, per_r), constant(1.0 / 6))));
  auto s = hn::Mul(first, hn::MulAdd(first, hn::MulAdd(first, second, hn::Neg(c)), constant(1)));
  Functions g{};
  Lanes step = constant(0), miss = step, distance = step, before = s;
  for (int k = 0; k < 2; ++k) {
    before = s;
    g = functions(b, s);
    miss = hn::MulAdd(r, s, hn::MulAdd(eta, g.g2, hn::MulSub(zeta, g.g3, dt)));
    distance = hn::MulAdd(eta, g.g1, hn::MulAdd(zeta, g.g2, r));
    const auto slope = hn::MulAdd(eta, g.g0, hn::Mul(zeta, g.g1));
    // miss / (r - miss r' / (2 r)) = 2 miss r / (2 r^2 - miss r')
    const auto twice = hn::Add(distance, distance);
    step = hn::Div(hn::Mul(miss, twice), hn::NegMulAdd(miss, slope, hn::Mul(twice, distance)));
    s = hn::Sub(s, step);
  }
  const auto near = hn::Mul(constant(settled_step), hn::Abs(before));
  const auto near_root =
      hn::And(hn::Le(hn::Abs(miss), hn::Mul(near, hn::Abs(distance))), hn::Le(hn::Abs(step), near));
  // The functions at s, from those before the last step, which was short: Taylor's series.
  const auto half = hn::Mul(step, constant(0.5));
  const auto g3 = hn::NegMulAdd(step, hn::NegMulAdd(half, g.g1, g.g2), g.g3);
  const auto g2 = hn::NegMulAdd(step, hn::NegMulAdd(half, g.g0, g.g1), g.g2);
  const auto g1 = hn::NegMulAdd(b, g3, s);
  distance = hn::MulAdd(eta, g1, hn::MulAdd(zeta, g2, r));
  const auto per_distance = hn::Div(constant(1), distance);
  const auto mu_g2 = hn::Mul(mu, g2);
  const auto f = hn::Neg(hn::Mul(mu_g2, per_r)), time = hn::NegMulAdd(mu, g3, dt);
  const auto df = hn::Neg(hn::Mul(hn::Mul(hn::Mul(mu, g1), per_r), per_distance)),
             dg = hn::Neg(hn::Mul(mu_g2, per_distance));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    dx[axis] = hn::MulAdd(f, x[axis], hn::Mul(time, v[axis]));
    dv[axis] = hn::MulAdd(df, x[axis], hn::Mul(dg, v[axis]));
  }
  const auto z = hn::Abs(hn::Mul(b, hn::Mul(s, s)));
  return hn::And(hn::Le(z, constant(largest_series_argument)),
                 hn::And(near_root, hn::Gt(distance, constant(0))));
}

void kepler_changes_here(std::size_t n, const std::vector<double>& mu, const Columns& x, const Columns& v,
                         double dt, Columns& change_of_x, Columns& change_of_v) {
  constexpr Tag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < n; i += lanes) {
    std::array<Lanes, 3> px, pv, dx, dv;
    for (std::size_t axis = 0; axis < 3; ++axis)
      px[axis] = hn::LoadU(d, x[axis].data() + i), pv[axis] = hn::LoadU(d, v[axis].data() + i);
    const auto settled = changes(hn::LoadU(d, mu.data() + i), px, pv, hn::Set(d, dt), dx, dv);
    for (std::size_t axis = 0; axis < 3; ++axis)
      hn::StoreU(dx[axis], d, change_of_x[axis].data() + i),
          hn::StoreU(dv[axis], d, change_of_v[axis].data() + i);
    if (hn::AllTrue(d, settled)) continue;
    double ones[most_lanes] = {};
    hn::StoreU(hn::IfThenElseZero(settled, hn::Set(d, 1.0)), d, ones);
    for (std::size_t k = i; k < std::min(i + lanes, n); ++k) {
      if (ones[k - i] != 0) continue;
      const auto change =
          kepler_change(mu[k], {{x[0][k], x[1][k], x[2][k]}, {v[0][k], v[1][k], v[2][k]}}, dt);
      change_of_x[0][k] = change.x.x, change_of_x[1][k] = change.x.y, change_of_x[2][k] = change.x.z;
      change_of_v[0][k] = change.v.x, change_of_v[1][k] = change.v.y, change_of_v[2][k] = change.v.z;
    }
  }
}

void pulls_here(const Columns& targets, std::span<const Source> sources, Columns& accelerations) {
  constexpr Tag d;
  const auto zero = hn::Zero(d);
  for (std::size_t i = 0; i < targets[0].size(); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, targets[0].data() + i), y = hn::LoadU(d, targets[1].data() + i),
               z = hn::LoadU(d, targets[2].data() + i);
    auto ax = zero, ay = zero, az = zero;
    for (const auto& source : sources) {
      const auto dx = hn::Sub(hn::Set(d, source.x), x), dy = hn::Sub(hn::Set(d, source.y), y),
                 dz = hn::Sub(hn::Set(d, source.z), z);
      const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      const auto cube = hn::Mul(r2, hn::Sqrt(r2));
      const auto f = hn::IfThenElseZero(hn::Gt(r2, zero), hn::Div(hn::Set(d, source.Gm), cube));
      ax = hn::MulAdd(f, dx, ax), ay = hn::MulAdd(f, dy, ay), az = hn::MulAdd(f, dz, az);
    }
    hn::StoreU(ax, d, accelerations[0].data() + i), hn::StoreU(ay, d, accelerations[1].data() + i);
    hn::StoreU(az, d, accelerations[2].data() + i);
  }
}

}  // namespace
}  // namespace pleiad::orbits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::orbits {
HWY_EXPORT(kepler_changes_here);
HWY_EXPORT(pulls_here);
void kepler_changes(std::size_t n, const std::vector<double>& mu, const Columns& x, const Columns& v,
                    double dt, Columns& change_of_x, Columns& change_of_v) {
  HWY_DYNAMIC_DISPATCH(kepler_changes_here)(n, mu, x, v, dt, change_of_x, change_of_v);
}
void pulls(const Columns& targets, std::span<const Source> sources, Columns& accelerations) {
  HWY_DYNAMIC_DISPATCH(pulls_here)(targets, sources, accelerations);
}
}  // namespace pleiad::orbits
#endif
