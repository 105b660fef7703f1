#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/softened.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "core/threads.hpp"
#include "cpu/direct/spline-inl.h"
#include "cpu/softened.hpp"

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {
using W = V<double>;

HWY_INLINE W number(double x) { return hn::Set(Tag<double>(), x); }

/// pull() in vectors.
template <bool with_jerk>
HWY_INLINE PairFactors<double> plummer(W r2, W eps2) {
  const W s = hn::Add(r2, eps2), y = refined<double>(s, masked_rsqrt<Mode::careful, double>(s));
  const W y2 = hn::Mul(y, y);
  return {hn::Mul(y2, y), y, with_jerk ? hn::Mul(number(-3), hn::Mul(hn::Mul(y2, y2), y)) : y};
}

/// One vector of targets against all sources: a lane is a target, a source is broadcast.
template <SofteningKernel kernel, bool periodic, bool with_low, bool with_jerk>
HWY_NOINLINE void pull_all(const SoftenedBodies& targets, const SoftenedBodies& sources, std::size_t first,
                           SofteningRule rule, const Box<double>& box, std::span<Vec4<double>> pulls,
                           std::span<Vec4<double>> jerks) {
  constexpr Tag<double> d;
  const std::size_t lanes = hn::Lanes(d), count = std::min(lanes, targets.x.size() - first);
  // positions, eps^2 and number; velocities; low parts
  HWY_ALIGN double in[14 * hn::MaxLanes(d)] = {}, sums[7 * hn::MaxLanes(d)] = {};
  for (std::size_t l = 0; l < count; ++l) {
    const auto& t = targets.x[first + l];
    const double of_target[] = {t.x.x, t.x.y, t.x.z, t.eps * t.eps, t.number};
    for (std::size_t c = 0; c < 5; ++c) in[c * lanes + l] = of_target[c];
    if constexpr (with_jerk) {
      const auto& v = targets.v[first + l];
      in[5 * lanes + l] = v.x, in[6 * lanes + l] = v.y, in[7 * lanes + l] = v.z;
    }
    if constexpr (with_low)
      for (std::size_t c = 0; c < 6; ++c) in[(8 + c) * lanes + l] = targets.low[first + l][c];
    const auto& p = pulls[first + l];
    const auto j = with_jerk ? jerks[first + l] : Vec4<double>{};
    const double so_far[] = {p.x, p.y, p.z, p.w, j.x, j.y, j.z};
    for (std::size_t c = 0; c < 7; ++c) sums[c * lanes + l] = so_far[c];
  }
  const auto load = [&](std::size_t c) HWY_ATTR { return hn::Load(d, in + c * lanes); };
  const auto tx = load(0), ty = load(1), tz = load(2), te2 = load(3), own = load(4);
  const auto tu = load(5), tv = load(6), tw = load(7);
  const auto so_far = [&](std::size_t c) HWY_ATTR { return hn::Load(d, sums + c * lanes); };
  auto ax = so_far(0), ay = so_far(1), az = so_far(2), aw = so_far(3);
  auto jx = so_far(4), jy = so_far(5), jz = so_far(6);
  for (std::size_t j = 0; j < sources.x.size(); ++j) {
    const auto& source = sources.x[j];
    auto dx = hn::Sub(number(source.x.x), tx), dy = hn::Sub(number(source.x.y), ty),
         dz = hn::Sub(number(source.x.z), tz);
    wrap<periodic, double>(dx, dy, dz, box);
    const auto add_low = [&](auto& difference, std::size_t c) HWY_ATTR {
      if constexpr (with_low)
        difference = hn::Add(difference, hn::Sub(number(sources.low[j][c]), load(8 + c)));
    };
    add_low(dx, 0), add_low(dy, 1), add_low(dz, 2);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    const auto se2 = number(source.eps * source.eps);
    const auto eps2 = rule == SofteningRule::max ? hn::Max(te2, se2) : hn::Add(te2, se2);
    PairFactors<double> f;
    if constexpr (kernel == SofteningKernel::plummer) f = plummer<with_jerk>(r2, eps2);
    else
      f = spline_factors<double, with_jerk>(r2, refined<double>(r2, masked_rsqrt<Mode::careful, double>(r2)),
                                            hn::Mul(eps2, number(spline_radius * spline_radius)));
    const auto m = number(source.x.m);
    const auto p = hn::Mul(m, f.pull);
    ax = hn::MulAdd(dx, p, ax), ay = hn::MulAdd(dy, p, ay), az = hn::MulAdd(dz, p, az);
    aw = hn::NegMulAdd(m, hn::IfThenZeroElse(hn::Eq(own, number(source.number)), f.potential), aw);
    if constexpr (with_jerk) {
      const auto& v = sources.v[j];
      auto du = hn::Sub(number(v.x), tu), dv = hn::Sub(number(v.y), tv), dw = hn::Sub(number(v.z), tw);
      add_low(du, 3), add_low(dv, 4), add_low(dw, 5);
      const auto along = hn::MulAdd(dz, dw, hn::MulAdd(dy, dv, hn::Mul(dx, du)));
      const auto change = hn::Mul(hn::Mul(m, f.change), along);
      jx = hn::MulAdd(du, p, hn::MulAdd(dx, change, jx));
      jy = hn::MulAdd(dv, p, hn::MulAdd(dy, change, jy));
      jz = hn::MulAdd(dw, p, hn::MulAdd(dz, change, jz));
    }
  }
  std::size_t c = 0;
  for (const auto sum : {ax, ay, az, aw, jx, jy, jz}) hn::Store(sum, d, sums + c++ * lanes);
  for (std::size_t l = 0; l < count; ++l) {
    pulls[first + l] = {sums[l], sums[lanes + l], sums[2 * lanes + l], sums[3 * lanes + l]};
    if constexpr (with_jerk)
      jerks[first + l] = {sums[4 * lanes + l], sums[5 * lanes + l], sums[6 * lanes + l], 0};
  }
}

template <SofteningKernel kernel, bool with_jerk>
auto* function_for(bool periodic, bool low) {
  return periodic
             ? (low ? pull_all<kernel, true, true, with_jerk> : pull_all<kernel, true, false, with_jerk>)
             : (low ? pull_all<kernel, false, true, with_jerk> : pull_all<kernel, false, false, with_jerk>);
}

template <bool with_jerk>
void add(const SoftenedBodies& targets, const SoftenedBodies& sources, std::span<Vec4<double>> pulls,
         std::span<Vec4<double>> jerks, const Softening& softening, const Boundary& boundary) {
  const std::size_t lanes = hn::Lanes(Tag<double>()), vectors = (targets.x.size() + lanes - 1) / lanes;
  const Box<double> box(boundary);
  const bool low = !sources.low.empty();
  const auto function = softening.kernel == SofteningKernel::plummer
                            ? function_for<SofteningKernel::plummer, with_jerk>(boundary.periodic, low)
                            : function_for<SofteningKernel::spline, with_jerk>(boundary.periodic, low);
  const auto some = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      function(targets, sources, k * lanes, softening.rule, box, pulls, jerks);
  };
  // As in jerk.cpp.
  constexpr std::size_t worth_a_thread = 256 * 256;
  if (targets.x.size() * sources.x.size() < worth_a_thread) some(0, vectors);
  else for_blocks(vectors, some, std::max<std::size_t>(1, 256 / sources.x.size()));
}

void add_softened_pulls_here(const SoftenedBodies& targets, const SoftenedBodies& sources,
                             std::span<Vec4<double>> sums, const Softening& softening,
                             const Boundary& boundary) {
  add<false>(targets, sources, sums, {}, softening, boundary);
}
void add_softened_pulls_and_jerks_here(const SoftenedBodies& targets, const SoftenedBodies& sources,
                                       std::span<Vec4<double>> sums, std::span<Vec4<double>> jerks,
                                       const Softening& softening, const Boundary& boundary) {
  add<true>(targets, sources, sums, jerks, softening, boundary);
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(add_softened_pulls_here);
HWY_EXPORT(add_softened_pulls_and_jerks_here);
namespace {
void need_pairs(const Boundary& boundary) {
  if (boundary.all_images())
    throw UsageError("splines and softenings of bodies have no sums over all images; take nearest ones");
}
}  // namespace

void add_softened_pulls(const SoftenedBodies& targets, const SoftenedBodies& sources,
                        std::span<Vec4<double>> sums, const Softening& softening, const Boundary& boundary) {
  need_pairs(boundary);
  HWY_DYNAMIC_DISPATCH(add_softened_pulls_here)(targets, sources, sums, softening, boundary);
}
void add_softened_pulls_and_jerks(const SoftenedBodies& targets, const SoftenedBodies& sources,
                                  std::span<Vec4<double>> sums, std::span<Vec4<double>> jerks,
                                  const Softening& softening, const Boundary& boundary) {
  need_pairs(boundary);
  HWY_DYNAMIC_DISPATCH(add_softened_pulls_and_jerks_here)
  (targets, sources, sums, jerks, softening, boundary);
}
}  // namespace pleiad::cpu
#endif
