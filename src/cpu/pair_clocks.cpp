#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pair_clocks.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "core/threads.hpp"
#include "cpu/direct/pair-inl.h"
#include "cpu/pair_clocks.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

/// One vector of bodies against all: a lane is a body, its partner is broadcast. Clocks are compared by
/// approximations, of 14 bits on some processors: those of a pair are computed afterwards.
template <bool periodic>
HWY_NOINLINE void find_partners_of(std::span<const PairMember> all, std::size_t first, const Gravity& gravity,
                                   bool massive, const Box<double>& box, std::span<std::uint32_t> partners) {
  constexpr Tag<double> d;
  const auto number = [](double x) HWY_ATTR { return hn::Set(Tag<double>(), x); };
  const std::size_t lanes = hn::Lanes(d), count = std::min(lanes, partners.size());
  HWY_ALIGN double in[8 * hn::MaxLanes(d)] = {}, found[hn::MaxLanes(d)];
  for (std::size_t l = 0; l < count; ++l) {
    const auto& b = all[first + l];
    const double of_body[] = {b.x.x, b.x.y, b.x.z, b.v.x, b.v.y, b.v.z, b.m, double(first + l)};
    for (std::size_t c = 0; c < 8; ++c) in[c * lanes + l] = of_body[c];
  }
  const auto load = [&](std::size_t c) HWY_ATTR { return hn::Load(d, in + c * lanes); };
  const auto x = load(0), y = load(1), z = load(2), u = load(3), v = load(4), w = load(5), m = load(6),
             own = load(7);
  const auto eps2 = number(gravity.softening.eps2()), G = number(gravity.G), zero = number(0);
  auto largest = zero, partner = number(-1);
  for (std::size_t j = 0; j < all.size(); ++j) {
    const auto& other = all[j];
    if (massive && other.m == 0) continue;
    auto dx = hn::Sub(number(other.x.x), x), dy = hn::Sub(number(other.x.y), y),
         dz = hn::Sub(number(other.x.z), z);
    wrap<periodic, double>(dx, dy, dz, box);
    const auto du = hn::Sub(number(other.v.x), u), dv = hn::Sub(number(other.v.y), v),
               dw = hn::Sub(number(other.v.z), w);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto v2 = hn::MulAdd(dw, dw, hn::MulAdd(dv, dv, hn::Mul(du, du)));
    const auto per_r = masked_rsqrt<Mode::careful, double>(r2), per_r2 = hn::Mul(per_r, per_r);
    const auto mass = hn::Add(number(other.m), m);
    const auto clock = hn::Mul(per_r2, hn::Max(hn::Mul(hn::Mul(G, mass), per_r), v2));
    const auto index = number(double(j));
    const auto pair = hn::And(hn::Ne(own, index), hn::Gt(mass, zero));
    const auto faster = hn::And(pair, hn::Gt(clock, largest));
    largest = hn::IfThenElse(faster, clock, largest);
    partner = hn::IfThenElse(faster, index, partner);
  }
  hn::Store(partner, d, found);
  for (std::size_t l = 0; l < count; ++l)
    partners[l] = found[l] < 0 ? no_partner : static_cast<std::uint32_t>(found[l]);
}

void find_partners_here(std::span<const PairMember> all, std::size_t first, const Gravity& gravity,
                        bool massive, std::span<std::uint32_t> partners) {
  const std::size_t lanes = hn::Lanes(Tag<double>()), vectors = (partners.size() + lanes - 1) / lanes;
  const Box<double> box(gravity.boundary);
  const auto function = gravity.boundary.periodic ? find_partners_of<true> : find_partners_of<false>;
  const auto some = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      function(all, first + k * lanes, gravity, massive, box, partners.subspan(k * lanes));
  };
  // As in jerk.cpp.
  constexpr std::size_t worth_a_thread = 256 * 256;
  if (partners.size() * all.size() < worth_a_thread) some(0, vectors);
  else for_blocks(vectors, some, std::max<std::size_t>(1, 256 / all.size()));
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(find_partners_here);

void find_partners(std::span<const PairMember> all, std::size_t first, const Gravity& gravity, bool massive,
                   std::span<std::uint32_t> partners) {
  HWY_DYNAMIC_DISPATCH(find_partners_here)(all, first, gravity, massive, partners);
}

double rate_of_pair(const PairMember& i, const PairMember& j, const Gravity& gravity, double eta) {
  const auto& box = gravity.boundary;
  const auto nearest = [&](double d, double length) {
    return box.periodic && length > 0 ? d - length * std::nearbyint(d / length) : d;
  };
  const Vec3<double> d{nearest(j.x.x - i.x.x, box.length.x), nearest(j.x.y - i.x.y, box.length.y),
                       nearest(j.x.z - i.x.z, box.length.z)};
  const auto v = j.v - i.v;
  const double r2 = dot(d, d) + gravity.softening.eps2(), v2 = dot(v, v);
  const double growth = dot(d, v) / r2;  // of R, relative to R
  const double fall2 = gravity.G * (i.m + j.m) / (r2 * std::sqrt(r2));
  const double fall = std::sqrt(fall2) / eta, pass = std::sqrt(v2 / r2) / eta;
  const double falling = std::max(fall - 0.75 * growth, 0.5 * fall);
  if (!(v2 > 0)) return falling;
  return std::max(falling, std::max(pass - 0.5 * growth * (1 + fall2 * (r2 / v2)), 0.5 * pass));
}

}  // namespace pleiad::cpu
#endif
