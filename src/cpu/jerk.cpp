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
/// always masked: runs of these schemes are small and often unsoftened. `derivatives`:
/// 0, 1 (jerks) or 2 (snaps, too); without jerks velocities are not read, nor accelerations without snaps.
template <bool periodic, bool with_low, int derivatives>
HWY_NOINLINE void pull_all(const MovingBodies& targets, const MovingBodies& sources, std::size_t first,
                           double eps2_, const Box<double>& box, std::span<Vec4<double>> acceleration,
                           std::span<Vec4<double>> jerk, std::span<Vec4<double>> snap) {
  constexpr bool with_jerk = derivatives > 0, with_snap = derivatives > 1;
  constexpr Tag<double> d;
  const std::size_t lanes = hn::Lanes(d), count = std::min(lanes, targets.x.size() - first);
  HWY_ALIGN double in[15 * hn::MaxLanes(d)] = {}, sums[9 * hn::MaxLanes(d)] = {};
  for (std::size_t l = 0; l < count; ++l) {
    const Mass<double> t = targets.x[first + l];
    const Vec4<double> u = with_jerk ? targets.v[first + l] : Vec4<double>{};
    const double of_target[] = {t.x, t.y, t.z, u.x, u.y, u.z};
    for (std::size_t c = 0; c < 6; ++c) {
      in[c * lanes + l] = of_target[c];
      if constexpr (with_low) in[(6 + c) * lanes + l] = targets.low[first + l][c];
    }
    if constexpr (with_snap) {
      const auto& own = targets.a[first + l];
      in[12 * lanes + l] = own.x, in[13 * lanes + l] = own.y, in[14 * lanes + l] = own.z;
    }
    const auto& a = acceleration[first + l];
    const auto b = with_jerk ? jerk[first + l] : Vec4<double>{},
               e = with_snap ? snap[first + l] : Vec4<double>{};
    const double so_far[] = {a.x, a.y, a.z, b.x, b.y, b.z, e.x, e.y, e.z};
    for (std::size_t c = 0; c < 9; ++c) sums[c * lanes + l] = so_far[c];
  }
  const auto load = [&](std::size_t c) HWY_ATTR { return hn::Load(d, in + c * lanes); };
  const auto tx = load(0), ty = load(1), tz = load(2), tu = load(3), tv = load(4), tw = load(5);
  const auto eps2 = hn::Set(d, eps2_), factor = hn::Set(d, cube_factor<double>), three = hn::Set(d, 3.0);
  const auto so_far = [&](std::size_t c) HWY_ATTR { return hn::Load(d, sums + c * lanes); };
  auto ax = so_far(0), ay = so_far(1), az = so_far(2), jx = so_far(3), jy = so_far(4), jz = so_far(5);
  auto sx = so_far(6), sy = so_far(7), sz = so_far(8);
  const auto x = sources.x;
  const auto v = sources.v;
  for (std::size_t j = 0; j < x.size(); ++j) {
    auto dx = hn::Sub(hn::Set(d, x[j].x), tx), dy = hn::Sub(hn::Set(d, x[j].y), ty),
         dz = hn::Sub(hn::Set(d, x[j].z), tz);
    wrap<periodic, double>(dx, dy, dz, box);
    const auto add_low = [&](auto& difference, std::size_t c) HWY_ATTR {
      if constexpr (with_low)
        difference = hn::Add(difference, hn::Sub(hn::Set(d, sources.low[j][c]), load(6 + c)));
    };
    add_low(dx, 0), add_low(dy, 1), add_low(dz, 2);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto f = hn::Mul(times_inverse_cube<Mode::careful, double>(hn::Set(d, x[j].m), r2), factor);
    ax = hn::MulAdd(dx, f, ax), ay = hn::MulAdd(dy, f, ay), az = hn::MulAdd(dz, f, az);
    if constexpr (with_jerk) {
      auto du = hn::Sub(hn::Set(d, v[j].x), tu), dv = hn::Sub(hn::Set(d, v[j].y), tv),
           dw = hn::Sub(hn::Set(d, v[j].z), tw);
      add_low(du, 3), add_low(dv, 4), add_low(dw, 5);
      const auto along = hn::MulAdd(dz, dw, hn::MulAdd(dy, dv, hn::Mul(dx, du)));
      const auto y = refined<double>(r2, masked_rsqrt<Mode::careful, double>(r2));
      const auto rate = hn::Mul(hn::Mul(three, along), hn::Mul(y, y));
      const auto of_x = hn::NegMulAdd(rate, dx, du), of_y = hn::NegMulAdd(rate, dy, dv),
                 of_z = hn::NegMulAdd(rate, dz, dw);
      jx = hn::MulAdd(of_x, f, jx), jy = hn::MulAdd(of_y, f, jy), jz = hn::MulAdd(of_z, f, jz);
      if constexpr (with_snap) {
        const auto& a = sources.a[j];
        const auto ex = hn::Sub(hn::Set(d, a.x), load(12)), ey = hn::Sub(hn::Set(d, a.y), load(13)),
                   ez = hn::Sub(hn::Set(d, a.z), load(14));
        const auto squared = hn::MulAdd(dw, dw, hn::MulAdd(dv, dv, hn::Mul(du, du)));
        const auto pulled = hn::MulAdd(dz, ez, hn::MulAdd(dy, ey, hn::MulAdd(dx, ex, squared)));
        // 3 beta, of which rate^2 / 3 = 3 alpha^2 is a part; twice the rate is 6 alpha.
        const auto beta = hn::MulAdd(hn::Mul(rate, rate), hn::Set(d, 1.0 / 3),
                                     hn::Mul(hn::Mul(three, pulled), hn::Mul(y, y)));
        const auto twice = hn::Add(rate, rate);
        const auto change = [&](auto e, auto of_jerk, auto r)
                                HWY_ATTR { return hn::NegMulAdd(beta, r, hn::NegMulAdd(twice, of_jerk, e)); };
        sx = hn::MulAdd(change(ex, of_x, dx), f, sx);
        sy = hn::MulAdd(change(ey, of_y, dy), f, sy);
        sz = hn::MulAdd(change(ez, of_z, dz), f, sz);
      }
    }
  }
  std::size_t c = 0;
  for (const auto sum : {ax, ay, az, jx, jy, jz, sx, sy, sz}) hn::Store(sum, d, sums + c++ * lanes);
  for (std::size_t l = 0; l < count; ++l) {
    acceleration[first + l] = {sums[l], sums[lanes + l], sums[2 * lanes + l], 0};
    if constexpr (with_jerk)
      jerk[first + l] = {sums[3 * lanes + l], sums[4 * lanes + l], sums[5 * lanes + l], 0};
    if constexpr (with_snap)
      snap[first + l] = {sums[6 * lanes + l], sums[7 * lanes + l], sums[8 * lanes + l], 0};
  }
}

template <int derivatives>
void add(const MovingBodies& targets, const MovingBodies& sources, std::span<Vec4<double>> acceleration,
         std::span<Vec4<double>> jerk, std::span<Vec4<double>> snap, const Softening& softening,
         const Boundary& boundary) {
  const std::size_t lanes = hn::Lanes(Tag<double>()), vectors = (targets.x.size() + lanes - 1) / lanes;
  const Box<double> box(boundary);
  const bool low = !sources.low.empty();
  const auto kernel = boundary.periodic
                          ? (low ? pull_all<true, true, derivatives> : pull_all<true, false, derivatives>)
                          : (low ? pull_all<false, true, derivatives> : pull_all<false, false, derivatives>);
  const auto some = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      kernel(targets, sources, k * lanes, softening.eps2(), box, acceleration, jerk, snap);
  };
  // Below some 20 microseconds of work another thread costs more than it saves. A piece of work has at least
  // as many pairs as a vector of targets has with 256 sources.
  constexpr std::size_t worth_a_thread = 256 * 256;
  if (targets.x.size() * sources.x.size() < worth_a_thread) some(0, vectors);
  else for_blocks(vectors, some, std::max<std::size_t>(1, 256 / sources.x.size()));
}

void add_acceleration_and_jerk_here(const MovingBodies& targets, const MovingBodies& sources,
                                    std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                                    const Softening& softening, const Boundary& boundary) {
  add<1>(targets, sources, acceleration, jerk, {}, softening, boundary);
}
void add_acceleration_jerk_and_snap_here(const MovingBodies& targets, const MovingBodies& sources,
                                         std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                                         std::span<Vec4<double>> snap, const Softening& softening,
                                         const Boundary& boundary) {
  add<2>(targets, sources, acceleration, jerk, snap, softening, boundary);
}
void add_acceleration_here(const MovingBodies& targets, const MovingBodies& sources,
                           std::span<Vec4<double>> acceleration, const Softening& softening,
                           const Boundary& boundary) {
  add<0>(targets, sources, acceleration, {}, {}, softening, boundary);
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(add_acceleration_and_jerk_here);
HWY_EXPORT(add_acceleration_jerk_and_snap_here);
HWY_EXPORT(add_acceleration_here);
void add_acceleration_and_jerk(const MovingBodies& targets, const MovingBodies& sources,
                               std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                               const Softening& softening, const Boundary& boundary) {
  if (boundary.all_images()) throw UsageError("there are no jerks of all images; take nearest ones");
  HWY_DYNAMIC_DISPATCH(add_acceleration_and_jerk_here)
  (targets, sources, acceleration, jerk, softening, boundary);
}
void add_acceleration_jerk_and_snap(const MovingBodies& targets, const MovingBodies& sources,
                                    std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                                    std::span<Vec4<double>> snap, const Softening& softening,
                                    const Boundary& boundary) {
  if (boundary.all_images()) throw UsageError("there are no snaps of all images; take nearest ones");
  HWY_DYNAMIC_DISPATCH(add_acceleration_jerk_and_snap_here)
  (targets, sources, acceleration, jerk, snap, softening, boundary);
}
void add_acceleration(const MovingBodies& targets, const MovingBodies& sources,
                      std::span<Vec4<double>> acceleration, const Softening& softening,
                      const Boundary& boundary) {
  if (boundary.all_images()) throw UsageError("these sums are not over all images; take nearest ones");
  HWY_DYNAMIC_DISPATCH(add_acceleration_here)(targets, sources, acceleration, softening, boundary);
}
}  // namespace pleiad::cpu
#endif
