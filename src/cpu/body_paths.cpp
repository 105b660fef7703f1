#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/body_paths.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "core/threads.hpp"
#include "cpu/body_paths.hpp"
#include "cpu/direct/jerk-inl.h"

#include <algorithm>
#include <array>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

using Fields = std::array<BodyPaths::Numbers, 3>;

void predict_here(BodyPaths& p, std::size_t begin, std::size_t end, double now) {
  constexpr Tag<double> d;
  const auto half = hn::Set(d, 0.5), third = hn::Set(d, 1.0 / 3), at = hn::Set(d, now),
             unit = hn::Set(d, p.unit);
  for (std::size_t k = begin; k < end; k += hn::Lanes(d)) {
    const auto h = hn::Mul(hn::Sub(at, hn::LoadU(d, p.from.data() + k)), unit);
    const auto h_2 = hn::Mul(h, half), h_3 = hn::Mul(h, third);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto of = [&](const Fields& field) HWY_ATTR { return hn::LoadU(d, field[c].data() + k); };
      const auto v = of(p.v), a = of(p.a), j = of(p.j);
      const auto mean = hn::MulAdd(h_2, hn::MulAdd(h_3, j, a), v);
      hn::StoreU(hn::MulAdd(h, mean, of(p.x)), d, p.x_now[c].data() + k);
      hn::StoreU(hn::MulAdd(h, hn::MulAdd(h_2, j, a), v), d, p.v_now[c].data() + k);
    }
  }
}

/// A lane is a source. Adds the sums over [begin, end) to `sums`.
HWY_NOINLINE void pull_one(const BodyPaths& p, std::size_t target, std::size_t begin, std::size_t end,
                           double eps2_, double* HWY_RESTRICT sums) {
  constexpr Tag<double> d;
  const auto of_target = [&](const Fields& field, std::size_t c)
                             HWY_ATTR { return hn::Set(d, field[c][target]); };
  const auto tx = of_target(p.x_now, 0), ty = of_target(p.x_now, 1), tz = of_target(p.x_now, 2),
             tu = of_target(p.v_now, 0), tv = of_target(p.v_now, 1), tw = of_target(p.v_now, 2);
  const double *x = p.x_now[0].data(), *y = p.x_now[1].data(), *z = p.x_now[2].data(), *u = p.v_now[0].data(),
               *v = p.v_now[1].data(), *w = p.v_now[2].data(), *m = p.mass.data();
  const auto eps2 = hn::Set(d, eps2_);
  PullAndJerk s = no_pull();
  for (std::size_t k = begin; k < end; k += hn::Lanes(d)) {
    const auto dx = hn::Sub(hn::LoadU(d, x + k), tx), dy = hn::Sub(hn::LoadU(d, y + k), ty),
               dz = hn::Sub(hn::LoadU(d, z + k), tz);
    const auto du = hn::Sub(hn::LoadU(d, u + k), tu), dv = hn::Sub(hn::LoadU(d, v + k), tv),
               dw = hn::Sub(hn::LoadU(d, w + k), tw);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto along = hn::MulAdd(dz, dw, hn::MulAdd(dy, dv, hn::Mul(dx, du)));
    add_pull(s, inverse_powers(hn::LoadU(d, m + k), r2), along, dx, dy, dz, du, dv, dw);
  }
  add_sums(s, sums);
}

void pull_here(const BodyPaths& p, const std::uint32_t* targets, std::size_t count, std::size_t begin,
               std::size_t end, double eps2, std::array<double, 6>* sums) {
  for (std::size_t t = 0; t < count; ++t) pull_one(p, targets[t], begin, end, eps2, sums[t].data());
}

/// One body; a lane is a source.
void snap_and_crackle_here(const BodyPaths& p, std::size_t target, double eps2_, Vec4<double>& snap,
                           Vec4<double>& crackle) {
  constexpr Tag<double> d;
  using Three = std::array<V<double>, 3>;
  const auto number = [&](double x) HWY_ATTR { return hn::Set(d, x); };
  const auto dot = [](const Three& a, const Three& b) HWY_ATTR {
    return hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0])));
  };
  Three s{hn::Zero(d), hn::Zero(d), hn::Zero(d)}, c = s;
  for (std::size_t k = 0; k < BodyPaths::padded(p.pulling); k += hn::Lanes(d)) {
    const auto difference = [&](const Fields& field) HWY_ATTR {
      Three found;
      for (std::size_t i = 0; i < 3; ++i)
        found[i] = hn::Sub(hn::LoadU(d, field[i].data() + k), number(field[i][target]));
      return found;
    };
    const Three r = difference(p.x), v = difference(p.v), a = difference(p.a), j = difference(p.j);
    const auto f = inverse_powers(hn::LoadU(d, p.mass.data() + k), hn::Add(dot(r, r), number(eps2_)));
    const auto alpha = hn::Mul(dot(r, v), f.square), alpha2 = hn::Mul(alpha, alpha);
    const auto beta = hn::MulAdd(hn::Add(dot(v, v), dot(r, a)), f.square, alpha2);
    const auto gamma = hn::MulAdd(hn::MulAdd(number(3), dot(v, a), dot(r, j)), f.square,
                                  hn::Mul(alpha, hn::NegMulAdd(number(4), alpha2, hn::Mul(number(3), beta))));
    const auto alpha_6 = hn::Mul(number(6), alpha), alpha_9 = hn::Mul(number(9), alpha),
               beta_3 = hn::Mul(number(3), beta), beta_9 = hn::Mul(number(9), beta),
               gamma_3 = hn::Mul(number(3), gamma), alpha_3 = hn::Mul(number(3), alpha);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto pull = hn::Mul(f.cube, r[i]);
      const auto jerk = hn::NegMulAdd(alpha_3, pull, hn::Mul(f.cube, v[i]));
      const auto second = hn::NegMulAdd(beta_3, pull, hn::NegMulAdd(alpha_6, jerk, hn::Mul(f.cube, a[i])));
      s[i] = hn::Add(s[i], second);
      c[i] = hn::Add(
          c[i],
          hn::NegMulAdd(gamma_3, pull,
                        hn::NegMulAdd(beta_9, jerk, hn::NegMulAdd(alpha_9, second, hn::Mul(f.cube, j[i])))));
    }
  }
  snap = {sum_of(s[0]), sum_of(s[1]), sum_of(s[2]), 0};
  crackle = {sum_of(c[0]), sum_of(c[1]), sum_of(c[2]), 0};
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(predict_here);
HWY_EXPORT(pull_here);
HWY_EXPORT(snap_and_crackle_here);

namespace {
void predict_range(BodyPaths& p, std::size_t begin, std::size_t end, double now) {
  HWY_DYNAMIC_DISPATCH(predict_here)(p, begin, end, now);
}
/// Predicts vectors with chosen bodies, which are in ascending order, from body `first` on.
void predict_beyond(BodyPaths& p, std::size_t first, double now, std::span<const std::uint32_t> chosen) {
  for (const std::size_t k : chosen)
    if (k >= first) {
      const std::size_t begin = k / BodyPaths::lanes * BodyPaths::lanes;
      first = begin + BodyPaths::lanes;
      predict_range(p, begin, first, now);
    }
}
using Sums = std::array<double, 6>;
void pull(const BodyPaths& p, std::span<const std::uint32_t> targets, std::size_t begin, std::size_t end,
          double eps2, Sums* sums) {
  HWY_DYNAMIC_DISPATCH(pull_here)(p, targets.data(), targets.size(), begin, end, eps2, sums);
}

void find_higher(const BodyPaths& p, std::size_t i, double eps2, Vec4<double>& snap, Vec4<double>& crackle) {
  HWY_DYNAMIC_DISPATCH(snap_and_crackle_here)(p, i, eps2, snap, crackle);
}

/// Sources of a partial sum, which stay in a cache while targets take turns. The parts of a sum are added in
/// their order.
constexpr std::size_t chunk = 2048;
/// Pairs below which another thread costs more than it saves: some 20 microseconds of work.
constexpr std::size_t worth_a_thread = 16384;
}  // namespace

void predict(BodyPaths& p, double now, std::span<const std::uint32_t> chosen) {
  const std::size_t pulling = BodyPaths::padded(p.pulling);
  constexpr std::size_t block = 8192;
  if (pulling <= block) predict_range(p, 0, pulling, now);
  else
    for_blocks(
        pulling, [&](std::size_t begin, std::size_t end) { predict_range(p, begin, end, now); }, block);
  predict_beyond(p, pulling, now, chosen);
}

void predict_chosen(BodyPaths& p, double now, std::span<const std::uint32_t> chosen) {
  predict_beyond(p, 0, now, chosen);
}

void predict_vectors(BodyPaths& p, double now, std::span<const std::uint32_t> firsts) {
  for (const std::size_t first : firsts) predict_range(p, first, first + BodyPaths::lanes, now);
}

void pulls_on(const BodyPaths& p, std::span<const std::uint32_t> chosen, double eps2,
              std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks) {
  const std::size_t sources = BodyPaths::padded(p.pulling), n = chosen.size(),
                    chunks = (sources + chunk - 1) / chunk;
  const auto end_of = [&](std::size_t c) { return std::min(sources, (c + 1) * chunk); };
  const auto keep = [&](std::size_t t, const Sums& s) {
    accelerations[t] = {s[0], s[1], s[2], 0}, jerks[t] = {s[3], s[4], s[5], 0};
  };
  const auto by_targets = [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t at_once = 64;
    for (std::size_t t = begin; t < end; t += at_once) {
      std::array<Sums, at_once> sums{};
      const std::size_t count = std::min(at_once, end - t);
      for (std::size_t c = 0; c < chunks; ++c)
        pull(p, chosen.subspan(t, count), c * chunk, end_of(c), eps2, sums.data());
      for (std::size_t k = 0; k < count; ++k) keep(t + k, sums[k]);
    }
  };
  if (n * sources < 2 * worth_a_thread) return by_targets(0, n);
  // A piece of work is some targets; of few targets one part of the sources.
  const std::size_t block = std::clamp<std::size_t>(worth_a_thread / sources, 1, 64);
  if (n >= 16 || chunks == 1) return for_blocks(n, by_targets, block);
  std::vector<Sums> parts(n * chunks);
  parallel_for(chunks,
               [&](std::size_t c) { pull(p, chosen, c * chunk, end_of(c), eps2, parts.data() + c * n); });
  for (std::size_t t = 0; t < n; ++t) {
    Sums sum{};
    for (std::size_t c = 0; c < chunks; ++c)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += parts[c * n + t][i];
    keep(t, sum);
  }
}

void snaps_and_crackles(const BodyPaths& p, double eps2, std::span<Vec4<double>> snaps,
                        std::span<Vec4<double>> crackles) {
  const std::size_t at_once = std::max<std::size_t>(1, worth_a_thread / std::max<std::size_t>(1, p.pulling));
  for_each_index(
      p.bodies, [&](std::size_t i) { find_higher(p, i, eps2, snaps[i], crackles[i]); }, at_once);
}

}  // namespace pleiad::cpu
#endif
