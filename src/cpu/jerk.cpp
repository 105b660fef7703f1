#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/jerk.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "core/threads.hpp"
#include "cpu/direct/pair-inl.h"
#include "cpu/jerk.hpp"

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {
using Low = std::array<double, 6>;

/// One vector of targets against all sources: a lane is a target, a source is broadcast. Coincident pairs are
/// always masked: Hermite runs are small and often unsoftened.
template <bool periodic, bool with_low>
HWY_NOINLINE void pull_and_jerk(const MovingBodies& targets, const MovingBodies& sources, std::size_t first,
                                double eps2_, const Box<double>& box, std::span<Vec4<double>> acceleration,
                                std::span<Vec4<double>> jerk) {
  constexpr Tag<double> d;
  const std::size_t lanes = hn::Lanes(d), count = std::min(lanes, targets.x.size() - first);
  HWY_ALIGN double in[12 * hn::MaxLanes(d)] = {}, sums[6 * hn::MaxLanes(d)] = {};
  for (std::size_t l = 0; l < count; ++l) {
    const Mass<double> t = targets.x[first + l];
    const Vec4<double> u = targets.v[first + l];
    const double of_target[] = {t.x, t.y, t.z, u.x, u.y, u.z};
    for (std::size_t c = 0; c < 6; ++c) {
      in[c * lanes + l] = of_target[c];
      if constexpr (with_low) in[(6 + c) * lanes + l] = targets.low[first + l][c];
    }
    const auto &a = acceleration[first + l], &b = jerk[first + l];
    const double so_far[] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (std::size_t c = 0; c < 6; ++c) sums[c * lanes + l] = so_far[c];
  }
  const auto load = [&](std::size_t c) HWY_ATTR { return hn::Load(d, in + c * lanes); };
  const auto tx = load(0), ty = load(1), tz = load(2), tu = load(3), tv = load(4), tw = load(5);
  const auto eps2 = hn::Set(d, eps2_), factor = hn::Set(d, cube_factor<double>), three = hn::Set(d, 3.0);
  const auto so_far = [&](std::size_t c) HWY_ATTR { return hn::Load(d, sums + c * lanes); };
  auto ax = so_far(0), ay = so_far(1), az = so_far(2), jx = so_far(3), jy = so_far(4), jz = so_far(5);
  const auto x = sources.x;
  const auto v = sources.v;
  for (std::size_t j = 0; j < x.size(); ++j) {
    auto dx = hn::Sub(hn::Set(d, x[j].x), tx), dy = hn::Sub(hn::Set(d, x[j].y), ty),
         dz = hn::Sub(hn::Set(d, x[j].z), tz);
    wrap<periodic, double>(dx, dy, dz, box);
    auto du = hn::Sub(hn::Set(d, v[j].x), tu), dv = hn::Sub(hn::Set(d, v[j].y), tv),
         dw = hn::Sub(hn::Set(d, v[j].z), tw);
    if constexpr (with_low) {
      const Low& s = sources.low[j];
      const auto add = [&](auto& difference, std::size_t c) HWY_ATTR {
        difference = hn::Add(difference, hn::Sub(hn::Set(d, s[c]), load(6 + c)));
      };
      add(dx, 0), add(dy, 1), add(dz, 2), add(du, 3), add(dv, 4), add(dw, 5);
    }
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto f = hn::Mul(times_inverse_cube<Mode::careful, double>(hn::Set(d, x[j].m), r2), factor);
    const auto along = hn::MulAdd(dz, dw, hn::MulAdd(dy, dv, hn::Mul(dx, du)));
    const auto y = refined<double>(r2, masked_rsqrt<Mode::careful, double>(r2));
    const auto rate = hn::Mul(hn::Mul(three, along), hn::Mul(y, y));
    ax = hn::MulAdd(dx, f, ax), ay = hn::MulAdd(dy, f, ay), az = hn::MulAdd(dz, f, az);
    jx = hn::MulAdd(hn::NegMulAdd(rate, dx, du), f, jx);
    jy = hn::MulAdd(hn::NegMulAdd(rate, dy, dv), f, jy);
    jz = hn::MulAdd(hn::NegMulAdd(rate, dz, dw), f, jz);
  }
  std::size_t c = 0;
  for (const auto sum : {ax, ay, az, jx, jy, jz}) hn::Store(sum, d, sums + c++ * lanes);
  for (std::size_t l = 0; l < count; ++l) {
    acceleration[first + l] = {sums[l], sums[lanes + l], sums[2 * lanes + l], 0};
    jerk[first + l] = {sums[3 * lanes + l], sums[4 * lanes + l], sums[5 * lanes + l], 0};
  }
}

void add_acceleration_and_jerk_here(const MovingBodies& targets, const MovingBodies& sources,
                                    std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                                    const Softening& softening, const Boundary& boundary) {
  const std::size_t lanes = hn::Lanes(Tag<double>()), vectors = (targets.x.size() + lanes - 1) / lanes;
  const Box<double> box(boundary);
  const auto kernel = boundary.periodic
                          ? (sources.low.empty() ? pull_and_jerk<true, false> : pull_and_jerk<true, true>)
                          : (sources.low.empty() ? pull_and_jerk<false, false> : pull_and_jerk<false, true>);
  const auto one = [&](std::size_t k) {
    kernel(targets, sources, k * lanes, softening.eps2(), box, acceleration, jerk);
  };
  // Below some 20 microseconds of work another thread costs more than it saves.
  if (sources.x.size() >= 256) parallel_for(vectors, one);
  else
    for (std::size_t k = 0; k < vectors; ++k) one(k);
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(add_acceleration_and_jerk_here);
void add_acceleration_and_jerk(const MovingBodies& targets, const MovingBodies& sources,
                               std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                               const Softening& softening, const Boundary& boundary) {
  if (boundary.all_images()) throw UsageError("there are no jerks of all images; take nearest ones");
  HWY_DYNAMIC_DISPATCH(add_acceleration_and_jerk_here)
  (targets, sources, acceleration, jerk, softening, boundary);
}
}  // namespace pleiad::cpu
#endif
