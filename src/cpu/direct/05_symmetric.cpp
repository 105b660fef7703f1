/// Rung 5, symmetric: each pair is computed once and pulls both ways. A few targets are broadcast against
/// vectors of sources whose own sums wait in L1; blocks of bodies meet in a tournament (tournament.hpp), so
/// no two threads ever add to the same body.
///
/// Forces are summed, not accelerations: one product m_i m_j r^-3 serves both sums. Cost per pair, fp32 on
/// AVX-512, operations on multiply-add ports: 3 (r^2) + 1 + 1 + 1 (as rung 3) + 4 (m_i m_j y^3) + 6 (sums) =
/// 16, so 8 an interaction; fp64: 18 a pair. Forming F = f d once and adding it on the add ports saves 3 of
/// the 16 and was no faster (22 instead of 19 operations in all). Massless bodies (or masses too small to
/// multiply) need accelerations: as many operations, but more registers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct/05_symmetric.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/direct/pair-inl.h"
#include "cpu/direct/symmetric.hpp"

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

/// Targets per sweep over a vector of sources: their sums stay in registers.
constexpr int targets_per_sweep = rows_in_registers;
/// Bodies within which a block meets itself one way: whole vectors and whole sweeps.
template <class M>
std::size_t cell_size() {
  return std::max(std::size_t(targets_per_sweep), hn::Lanes(Tag<M>()));
}

/// Bodies in the frame, ready to be loaded as vectors, and the sums that they collect as sources.
template <class M>
struct Block {
  alignas(64) M x[most_in_block], y[most_in_block], z[most_in_block], m[most_in_block];
  alignas(64) M sum[3][most_in_block];
};

/// What a pull of a pair is made of, beside the bodies.
template <class M>
struct Law {
  M eps2;
  Box<M> box;
};

/// `K` targets against one vector of sources. `both`: the sources are pulled too.
template <Form form, Mode mode, bool periodic, bool both, int K, class M>
HWY_INLINE void meet(const Mass<M>* HWY_RESTRICT targets, Block<M>& sources, std::size_t j, const Law<M>& law,
                     V<M> (&sum)[3][K]) {
  constexpr Tag<M> d;
  const auto x = hn::Load(d, sources.x + j), y = hn::Load(d, sources.y + j), z = hn::Load(d, sources.z + j);
  const auto m = hn::Load(d, sources.m + j), eps2 = hn::Set(d, law.eps2);
  V<M> sx = x, sy = x, sz = x;
  if constexpr (both) {
    sx = hn::Load(d, sources.sum[0] + j), sy = hn::Load(d, sources.sum[1] + j),
    sz = hn::Load(d, sources.sum[2] + j);
  }
  for (int k = 0; k < K; ++k) {
    auto dx = hn::Sub(x, hn::Set(d, targets[k].x)), dy = hn::Sub(y, hn::Set(d, targets[k].y)),
         dz = hn::Sub(z, hn::Set(d, targets[k].z));
    wrap<periodic, M>(dx, dy, dz, law.box);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto target_mass = hn::Set(d, targets[k].m);
    V<M> f, g;  // what the sums of targets and of sources are multiplied by
    if constexpr (form == Form::force) {
      f = g = times_inverse_cube<mode, M>(hn::Mul(m, target_mass), r2);
    } else {
      const auto cube = times_inverse_cube<mode, M>(hn::Set(d, M(1)), r2);
      f = hn::Mul(m, cube);
      g = hn::Mul(target_mass, cube);
    }
    sum[0][k] = hn::MulAdd(dx, f, sum[0][k]);
    sum[1][k] = hn::MulAdd(dy, f, sum[1][k]);
    sum[2][k] = hn::MulAdd(dz, f, sum[2][k]);
    if constexpr (both) {
      sx = hn::NegMulAdd(dx, g, sx);
      sy = hn::NegMulAdd(dy, g, sy);
      sz = hn::NegMulAdd(dz, g, sz);
    }
  }
  if constexpr (both) {
    hn::Store(sx, d, sources.sum[0] + j), hn::Store(sy, d, sources.sum[1] + j),
        hn::Store(sz, d, sources.sum[2] + j);
  }
}

/// The sums of the lanes of K vectors, as K numbers: neighbours are interleaved and added, so that K sums
/// share each shuffle.
#if HWY_TARGET == HWY_SCALAR
template <int K, class M>
HWY_INLINE void store_sums(const V<M> (&v)[K], M* HWY_RESTRICT out) {
  for (int k = 0; k < K; ++k) out[k] = hn::GetLane(v[k]);
}
#else
/// The upper half of a vector onto the lower one, down to 16 bytes.
template <class D>
HWY_INLINE auto folded(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(d) * sizeof(hn::TFromD<D>) > 16) {
    const hn::Half<D> half;
    return folded(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return v;
  }
}
template <int K, class M>
HWY_INLINE void store_sums(const V<M> (&v)[K], M* HWY_RESTRICT out) {
  constexpr Tag<M> d;
  const hn::CappedTag<M, 16 / sizeof(M)> block;
  const auto both = [&](V<M> a, V<M> b) HWY_ATTR {
    return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  };
  if constexpr (K == 4 && sizeof(M) == 4) {
    hn::StoreU(folded(d, both(both(v[0], v[2]), both(v[1], v[3]))), block, out);
  } else {
    HWY_ALIGN M pair[16 / sizeof(M)];
    for (int k = 0; k < K; k += 2) {
      hn::Store(folded(d, both(v[k], v[k + 1])), block, pair);
      for (int i = 0; i < 2; ++i)
        out[k + i] = sizeof(M) == 8 ? pair[i] : pair[i] + pair[16 / sizeof(M) - 2 + i];
    }
  }
}
#endif

/// `K` targets against the sources [first, last): one way up to `symmetric_from`, both ways from there on.
template <Form form, Mode mode, bool periodic, class M>
HWY_NOINLINE void sweep(const Mass<M>* HWY_RESTRICT targets, Block<M>& sources, std::size_t first,
                        std::size_t symmetric_from, std::size_t last, const Law<M>& law,
                        M* HWY_RESTRICT pulled) {
  constexpr Tag<M> d;
  constexpr int K = targets_per_sweep;
  V<M> sum[3][K];
  for (auto& component : sum)
    for (auto& s : component) s = hn::Zero(d);
  std::size_t j = first;
  for (; j < symmetric_from; j += hn::Lanes(d))
    meet<form, mode, periodic, false, K, M>(targets, sources, j, law, sum);
  for (; j < last; j += hn::Lanes(d)) meet<form, mode, periodic, true, K, M>(targets, sources, j, law, sum);
  for (std::size_t c = 0; c < 3; ++c) store_sums<K, M>(sum[c], pulled + c * most_in_block);
}

template <class M>
using Sweep = void(const Mass<M>*, Block<M>&, std::size_t, std::size_t, std::size_t, const Law<M>&, M*);
template <class M>
Sweep<M>* sweep_for(Form form, bool careful, bool periodic) {
  if (periodic) return sweep<Form::acceleration, Mode::careful, true, M>;
  if (careful) return sweep<Form::acceleration, Mode::careful, false, M>;
  return form == Form::force ? sweep<Form::force, Mode::plain, false, M>
                             : sweep<Form::acceleration, Mode::plain, false, M>;
}

/// Bodies as the frame's structures and, padded to whole cells by massless bodies, as arrays.
template <class P, class M = typename P::Math>
std::size_t fill(const PairProblem<P>& p, std::size_t first, std::size_t count,
                 const Frame<typename P::Position>& frame, Mass<M>* bodies, Block<M>& block) {
  constexpr Tag<M> d;
  const std::size_t cell = cell_size<M>(), padded = (count + cell - 1) / cell * cell;
  to_frame(p.sources.data() + first, count, frame, bodies);
  std::fill(bodies + count, bodies + padded, Mass<M>{});
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    V<M> x, y, z, m;
    hn::LoadInterleaved4(d, reinterpret_cast<const M*>(bodies + i), x, y, z, m);
    hn::Store(x, d, block.x + i), hn::Store(y, d, block.y + i), hn::Store(z, d, block.z + i),
        hn::Store(m, d, block.m + i);
    for (auto& sum : block.sum) hn::Store(hn::Zero(d), d, sum + i);
  }
  return padded;
}

template <class P>
void meet_blocks_of(const Evaluation<P>& e, std::size_t a, std::size_t b) {
  using M = typename P::Math;
  const PairProblem<P>& p = e.p;
  const std::size_t n = p.sources.size(), count_a = std::min(e.block, n - a),
                    count_b = std::min(e.block, n - b);
  const auto frame = frame_of<P>(p.sources.subspan(a, count_a), p.boundary, e.scale);
  const Law<M> law{scaled_eps2(p, e.scale), scaled_box<M>(p.boundary, e.scale)};
  Sweep<M>* const sweep = sweep_for<M>(e.form, e.careful, p.boundary.periodic);

  alignas(64) Mass<M> bodies[2][most_in_block];
  alignas(64) M pulled[3 * most_in_block];
  Block<M> sources;
  const std::size_t padded_b = fill(p, b, count_b, frame, bodies[1], sources);
  const Mass<M>* targets = bodies[1];
  if (a != b) {
    to_frame(p.sources.data() + a, count_a, frame, bodies[0]);
    std::fill_n(bodies[0] + count_a, (targets_per_sweep - count_a % targets_per_sweep) % targets_per_sweep,
                Mass<M>{});
    targets = bodies[0];
  }
  const std::size_t cell = cell_size<M>();
  for (std::size_t i = 0; i < count_a; i += targets_per_sweep) {
    const std::size_t own =
        i / cell * cell;  // within a block: the own cell one way, the cells after it both ways
    if (a == b) sweep(targets + i, sources, own, own + cell, padded_b, law, pulled + i);
    else sweep(targets + i, sources, 0, 0, padded_b, law, pulled + i);
  }
  for (int c = 0; c < 3; ++c) {
    double *HWY_RESTRICT to_a = e.totals[c] + a, *HWY_RESTRICT to_b = e.totals[c] + b;
    for (std::size_t i = 0; i < count_a; ++i) to_a[i] += double(pulled[std::size_t(c) * most_in_block + i]);
    for (std::size_t i = 0; i < count_b; ++i) to_b[i] += double(sources.sum[c][i]);
  }
}

template <class P>
void hand_over_to(const Evaluation<P>& e) {
  using S = typename P::Sum;
  const double factor = e.scale.force() * cube_factor<typename P::Math>;
  for (std::size_t i = 0; i < e.p.sources.size(); ++i) {
    const double f = e.form == Form::force ? factor / (double(e.p.sources[i].m) * e.scale.mass) : factor;
    e.p.sums[i] = {S(e.totals[0][i] * f), S(e.totals[1][i] * f), S(e.totals[2][i] * f), S(0)};
  }
}
void meet_f32(const Evaluation<F32>& e, std::size_t a, std::size_t b) { meet_blocks_of(e, a, b); }
void meet_f64(const Evaluation<F64>& e, std::size_t a, std::size_t b) { meet_blocks_of(e, a, b); }
void meet_mixed(const Evaluation<Mixed>& e, std::size_t a, std::size_t b) { meet_blocks_of(e, a, b); }
void hand_f32(const Evaluation<F32>& e) { hand_over_to(e); }
void hand_f64(const Evaluation<F64>& e) { hand_over_to(e); }
void hand_mixed(const Evaluation<Mixed>& e) { hand_over_to(e); }

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/direct/tournament.hpp"

#include <pleiad/error.hpp>

namespace pleiad {
extern const DirectKernel direct_threads;

namespace cpu {
HWY_EXPORT(meet_f32);
HWY_EXPORT(meet_f64);
HWY_EXPORT(meet_mixed);
HWY_EXPORT(hand_f32);
HWY_EXPORT(hand_f64);
HWY_EXPORT(hand_mixed);
namespace {
void meet(const Evaluation<F32>& e, std::size_t a, std::size_t b) { HWY_DYNAMIC_DISPATCH(meet_f32)(e, a, b); }
void meet(const Evaluation<F64>& e, std::size_t a, std::size_t b) { HWY_DYNAMIC_DISPATCH(meet_f64)(e, a, b); }
void meet(const Evaluation<Mixed>& e, std::size_t a, std::size_t b) {
  HWY_DYNAMIC_DISPATCH(meet_mixed)(e, a, b);
}
void hand_over(const Evaluation<F32>& e) { HWY_DYNAMIC_DISPATCH(hand_f32)(e); }
void hand_over(const Evaluation<F64>& e) { HWY_DYNAMIC_DISPATCH(hand_f64)(e); }
void hand_over(const Evaluation<Mixed>& e) { HWY_DYNAMIC_DISPATCH(hand_mixed)(e); }

/// No mass is so small beside the largest (2^-48) that a product of two could underflow in single precision.
template <class T>
bool masses_multiply(std::span<const Mass<T>> bodies) {
  const Bounds<T> bounds = bounds_of(bodies);
  const T low = bounds.low.m, high = bounds.high.m;
  return low > 0 && double(low) >= std::ldexp(double(high), -48) && high < std::ldexp(1.0, 300);
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  refuse_all_images(p.boundary, "cpu/symmetric");
  const std::size_t n = p.sources.size();
  if (p.targets.data() != p.sources.data() || p.targets.size() != n || p.self != 0)
    throw UsageError(
        "'cpu/symmetric': its targets are its sources; choose a kernel listed with separate targets");
  if (n == 0) return;
  if (p.potential)
    return (*direct_threads.run<P>())(p, shape);  // asked for rarely: not worth twice the instances
  thread_local std::vector<double> sums;
  sums.assign(3 * n, 0.0);
  const Scale scale = scale_of(p);
  const bool careful = is_careful(p, scale);
  const bool forces =
      !careful && !p.boundary.periodic && masses_multiply(p.sources);  // the rarer cases share few instances
  const Evaluation<P> e{.p = p,
                        .scale = scale,
                        .careful = careful,
                        .form = forces ? Form::force : Form::acceleration,
                        .block = bodies_in_block(n),
                        .totals = {&sums[0], &sums[n], &sums[2 * n]}};
  // Below some 25 microseconds of work waking another thread costs more than it saves.
  const std::size_t workers = n < 640 ? 1 : static_cast<std::size_t>(threads());
  tournament((n + e.block - 1) / e.block, workers, [&](std::size_t a) { meet(e, a * e.block, a * e.block); },
             [&](std::size_t a, std::size_t b) { meet(e, a * e.block, b * e.block); });
  hand_over(e);
}
}  // namespace
}  // namespace cpu

extern constinit const DirectKernel direct_symmetric{
    .name = "cpu/symmetric",
    .rung = 5,
    .idea = "each pair is computed once and pulls both ways; blocks meet in a tournament",
    .traits = {.threaded = true, .simd = true, .separate_targets = false},
    .fma_port_operations = {.f32 = 8, .f64 = 9, .mixed = 8},
    .f32 = cpu::run<F32>,
    .f64 = cpu::run<F64>,
    .mixed = cpu::run<Mixed>};
}  // namespace pleiad
#endif
