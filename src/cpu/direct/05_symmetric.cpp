/// Rung 5, symmetric: each pair is computed once and added to both bodies. A few targets are broadcast
/// against vectors of sources whose sums stay in L1. A tournament schedules the pairs of blocks
/// (tournament.hpp), so that no two threads ever add to the same body.
///
/// It sums forces instead of accelerations, because one product m_i m_j r^-3 serves both sums. Cost per pair,
/// fp32 on AVX-512, operations on multiply-add ports: 3 (r^2) + 1 + 1 + 1 (as rung 3) + 4 (m_i m_j y^3) + 6
/// (sums) = 16, so 8 an interaction; fp64: 18 a pair. Forming F = f d once and adding it on the add ports
/// saves 3 of the 16, but was no faster (22 instead of 19 operations in all). Where all masses are the same,
/// none is multiplied by before the end: 14 operations a pair, fp64 16. Massless bodies (or masses too small
/// to multiply) need accelerations: as many operations as forces, but more registers. With the potential,
/// m_i m_j / r is computed before its cube and added to both sums: 20 operations instead of 16. This is a
/// separate instance for softened systems in open space with positive masses; others use one-sided sums.
///
/// AVX2 differs: it has sixteen registers, a reciprocal root of 12 bits and no masks, and AMD processors have
/// two ports for multiply-adds and two for additions. There the product F = f d pays off: along two axes it
/// leaves 13 operations on the former and 7 on the latter (11 and 7 with equal masses) for eight pairs.
/// Latencies limit the loop: some 45 clocks from a position to a sum, and schedulers that hold about three
/// pairs. Four pairs at a time, stage by stage, take 9 clocks, one at a time 12. Doubles begin with the root
/// of a float and a series with one more term, eight pairs at a time, with products along all axes: 14 and 11
/// operations (12 and 11) and two conversions; division and root of doubles alone took 14 clocks.
///
/// Mixed precision stores positions as pairs of floats relative to the middle of the bodies: 48 bits, with 9
/// additions a pair instead of 3, on ports that the multiply-adds leave free. The error does not depend on
/// the order of the bodies or on distant bodies. Without softening, pairs that are too close for 48 bits are
/// counted, and their bodies are summed again in double precision.
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

/// Targets per sweep over a vector of sources: their sums stay in registers. AVX2 has sixteen of them, and
/// latencies limit its loop: more pairs at once are worth sums and targets in L1, where an operation reads
/// them at no cost.
template <class M>
constexpr int targets_per_sweep = HWY_TARGET != HWY_AVX2 ? rows_in_registers
                                  : sizeof(M) == 4       ? 4
                                                         : 8;
/// Number of axes along which a pull is one product that is added to both sums, instead of two multiply-adds.
template <class M, bool pairs>
constexpr int axes_by_products = HWY_TARGET != HWY_AVX2 ? 0
                                 : sizeof(M) == 8       ? 3
                                 : pairs                ? 1
                                                        : 2;

/// Bodies within which a block meets itself one way: whole vectors and whole sweeps.
template <class M>
std::size_t cell_size() {
  return std::max(std::size_t(targets_per_sweep<M>), hn::Lanes(Tag<M>()));
}

/// Bodies in the frame, ready to be loaded as vectors, and the sums that they collect as sources; the last
/// one counts the targets that are too near for pairs of floats.
template <class M>
struct Block {
  alignas(64) M x[most_in_block], y[most_in_block], z[most_in_block], m[most_in_block];
  alignas(64) M rest[3][most_in_block];
  alignas(64) M sum[4][most_in_block];
};
/// Bodies in the frame one by one, and the remainders of their positions as floats.
template <class M>
struct Targets {
  const Mass<M>*bodies, *rests;
};

/// Constants of the pull of a pair.
template <class M>
struct Law {
  M eps2;
  Box<M> box;
  Vec3<M> rest;  ///< of the box's lengths
};

/// Compile-time properties of a loop. `pairs`: positions are pairs of floats; `potential`: summed in addition
/// to forces.
template <Form form_, Mode mode_, bool periodic_, bool pairs_, class M, bool potential_ = false>
struct Kind {
  static constexpr Form form = form_;
  static constexpr Mode mode = mode_;
  static constexpr bool periodic = periodic_, pairs = pairs_, counts = pairs && mode != Mode::plain,
                        potential = potential_;
  static_assert(!potential || (form == Form::force && mode == Mode::plain));
  static constexpr int components = counts || potential ? 4 : 3;
  /// Targets at once: with an exact root or nearest images the divider and the longer loop take more time
  /// than latencies.
  static constexpr int targets =
      sizeof(M) == 8 && mode != Mode::plain ? std::min(2, targets_per_sweep<M>) : targets_per_sweep<M>;
  using Math = M;
};

/// One component of the pull of pairs on their targets, and of `both` on their sources. By a `product`: one
/// operation less on multiply-add ports, two more on add ports, for a pull that is the same for both.
template <bool both, bool product, class V>
HWY_INLINE void pull(V separation, V f, V g, V& target, V& source) {
  if constexpr (product) {
    const auto force = hn::Mul(separation, f);
    target = hn::Add(target, force);
    source = hn::Sub(source, force);
  } else {
    target = hn::MulAdd(separation, f, target);
    if constexpr (both) source = hn::NegMulAdd(separation, g, source);
  }
}

/// The numbers of K targets as vectors: x, y, z, m, then the rests of x, y, z. Where no operand is broadcast
/// from memory, they are made once for a sweep.
template <class Kind, int K, class M = typename Kind::Math>
class Broadcast {
 public:
  HWY_INLINE explicit Broadcast(const Targets<M>& targets) : targets_(targets) {
    if constexpr (made) {
      HWY_UNROLL(8)
      for (int k = 0; k < K; ++k)
        for (int c = 0; c < numbers; ++c) at_[c][k] = hn::Set(Tag<M>(), number(c, k));
    }
  }
  HWY_INLINE V<M> operator()(int c, int k) const {
    if constexpr (made) return at_[c][k];
    else return hn::Set(Tag<M>(), number(c, k));
  }

 private:
  static constexpr bool made = HWY_TARGET == HWY_AVX2;
  static constexpr int numbers = Kind::pairs ? 7 : 4;
  HWY_INLINE M number(int c, int k) const {
    return c < 4 ? (&targets_.bodies[k].x)[c] : (&targets_.rests[k].x)[c - 4];
  }
  const Targets<M>& targets_;
  V<M> at_[made ? numbers : 1][K];
};

/// `K` targets against one vector of sources, stage by stage. `both`: the sources are pulled too; else the
/// targets are among them, from `self` on.
template <class Kind, bool both, int K, class M = typename Kind::Math>
HWY_INLINE void meet(const Broadcast<Kind, K>& target, Block<M>& sources, std::size_t j, const Law<M>& law,
                     [[maybe_unused]] std::size_t self, V<M> (&sum)[Kind::components][K]) {
  constexpr Tag<M> d;
  constexpr Mode mode = Kind::mode;
  const auto x = hn::Load(d, sources.x + j), y = hn::Load(d, sources.y + j), z = hn::Load(d, sources.z + j);
  const auto m = hn::Load(d, sources.m + j), eps2 = hn::Set(d, law.eps2);
  V<M> sx = x, sy = x, sz = x, near = x, rx = x, ry = x, rz = x;
  if constexpr (Kind::pairs) {
    rx = hn::Load(d, sources.rest[0] + j), ry = hn::Load(d, sources.rest[1] + j),
    rz = hn::Load(d, sources.rest[2] + j);
  }
  if constexpr (both) {
    sx = hn::Load(d, sources.sum[0] + j), sy = hn::Load(d, sources.sum[1] + j),
    sz = hn::Load(d, sources.sum[2] + j);
    if constexpr (Kind::components == 4) near = hn::Load(d, sources.sum[3] + j);
  }
  V<M> dx[K], dy[K], dz[K], r2[K], f[K],
      g[K];  // f, g: factors of the sums of targets and of sources
  HWY_UNROLL(8)
  for (int k = 0; k < K; ++k) {
    dx[k] = hn::Sub(x, target(0, k)), dy[k] = hn::Sub(y, target(1, k)), dz[k] = hn::Sub(z, target(2, k));
    if constexpr (Kind::pairs) {
      const auto& box = law.box;
      dx[k] = joined<Kind::periodic>(dx[k], hn::Sub(rx, target(4, k)), box.length.x, law.rest.x,
                                     box.inverse.x, box.half.x);
      dy[k] = joined<Kind::periodic>(dy[k], hn::Sub(ry, target(5, k)), box.length.y, law.rest.y,
                                     box.inverse.y, box.half.y);
      dz[k] = joined<Kind::periodic>(dz[k], hn::Sub(rz, target(6, k)), box.length.z, law.rest.z,
                                     box.inverse.z, box.half.z);
    } else {
      wrap<Kind::periodic, M>(dx[k], dy[k], dz[k], law.box);
    }
    r2[k] = hn::MulAdd(dz[k], dz[k], hn::MulAdd(dy[k], dy[k], hn::MulAdd(dx[k], dx[k], eps2)));
  }
  HWY_UNROLL(8)
  for (int k = 0; k < K; ++k) {
    if constexpr (Kind::counts) {
      sum[3][k] = count_close(r2[k], sum[3][k]);
      if constexpr (both) near = count_close(r2[k], near);
    }
    if constexpr (Kind::potential) {
      const auto w = inverse_distance<M>(r2[k]), potential = hn::Mul(hn::Mul(m, target(3, k)), w);
      f[k] = g[k] = hn::Mul(potential, hn::Mul(w, w));
      if constexpr (both) {
        sum[3][k] = hn::Add(sum[3][k], potential);
        near = hn::Add(near, potential);
      } else {
        const auto to_self = hn::Iota(d, M(std::ptrdiff_t(j) - std::ptrdiff_t(self) - k));
        sum[3][k] = hn::Add(sum[3][k], hn::IfThenZeroElse(hn::Eq(to_self, hn::Zero(d)), potential));
      }
    } else if constexpr (Kind::form == Form::force) {
      f[k] = g[k] = times_inverse_cube<mode, M>(hn::Mul(m, target(3, k)), r2[k]);
    } else {
      f[k] = g[k] = times_inverse_cube<mode, M>(hn::Set(d, M(1)), r2[k]);
      if constexpr (Kind::form == Form::acceleration)
        f[k] = hn::Mul(m, f[k]), g[k] = hn::Mul(target(3, k), g[k]);
    }
  }
  constexpr int products = both && Kind::form != Form::acceleration ? axes_by_products<M, Kind::pairs> : 0;
  HWY_UNROLL(8)
  for (int k = 0; k < K; ++k) {
    pull<both, (products > 0)>(dx[k], f[k], g[k], sum[0][k], sx);
    pull<both, (products > 1)>(dy[k], f[k], g[k], sum[1][k], sy);
    pull<both, (products > 2)>(dz[k], f[k], g[k], sum[2][k], sz);
  }
  if constexpr (both) {
    hn::Store(sx, d, sources.sum[0] + j), hn::Store(sy, d, sources.sum[1] + j),
        hn::Store(sz, d, sources.sum[2] + j);
    if constexpr (Kind::components == 4) hn::Store(near, d, sources.sum[3] + j);
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

/// The targets of a sweep against the sources [first, last): one way up to `symmetric_from`, where they are
/// sources too, from `self` on; both ways from there on.
template <class Kind, class M = typename Kind::Math>
HWY_NOINLINE void sweep(Targets<M> targets, Block<M>& sources, std::size_t first, std::size_t symmetric_from,
                        std::size_t last, const Law<M>& law, std::size_t self, M* HWY_RESTRICT pulled) {
  constexpr Tag<M> d;
  constexpr int K = Kind::targets;
  for (int i = 0; i < targets_per_sweep<M>;
       i += K, self += K, targets.bodies += K, targets.rests += K, pulled += K) {
    V<M> sum[Kind::components][K];
    for (auto& component : sum)
      for (auto& s : component) s = hn::Zero(d);
    const Broadcast<Kind, K> target(targets);
    std::size_t j = first;
    for (; j < symmetric_from; j += hn::Lanes(d)) meet<Kind, false, K>(target, sources, j, law, self, sum);
    for (; j < last; j += hn::Lanes(d)) meet<Kind, true, K>(target, sources, j, law, self, sum);
    for (std::size_t c = 0; c < Kind::components; ++c) store_sums<K, M>(sum[c], pulled + c * most_in_block);
  }
}

template <class M>
using Sweep = void(Targets<M>, Block<M>&, std::size_t, std::size_t, std::size_t, const Law<M>&, std::size_t,
                   M*);
template <class M, bool pairs>
Sweep<M>* sweep_for(Form form, bool careful, bool periodic, bool potential) {
  if (potential) return sweep<Kind<Form::force, Mode::plain, false, pairs, M, true>>;
  if (periodic) return sweep<Kind<Form::acceleration, Mode::careful, true, pairs, M>>;
  if (careful) return sweep<Kind<Form::acceleration, Mode::careful, false, pairs, M>>;
  if (form == Form::without_mass) return sweep<Kind<Form::without_mass, Mode::plain, false, pairs, M>>;
  return form == Form::force ? sweep<Kind<Form::force, Mode::plain, false, pairs, M>>
                             : sweep<Kind<Form::acceleration, Mode::plain, false, pairs, M>>;
}

template <class P, class M = typename P::Math>
Targets<M> targets_of(const Evaluation<P>& e, std::size_t i) {
  return {e.bodies + i, e.rests + (has_rests<P> ? i : 0)};
}

/// The bodies of a block as arrays.
template <class P, class M = typename P::Math>
void set(Block<M>& block, const Evaluation<P>& e, std::size_t first, std::size_t padded) {
  constexpr Tag<M> d;
  const auto from = targets_of(e, first);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    V<M> x, y, z, m;
    hn::LoadInterleaved4(d, reinterpret_cast<const M*>(from.bodies + i), x, y, z, m);
    hn::Store(x, d, block.x + i), hn::Store(y, d, block.y + i), hn::Store(z, d, block.z + i),
        hn::Store(m, d, block.m + i);
    if constexpr (has_rests<P>) {
      hn::LoadInterleaved4(d, reinterpret_cast<const M*>(from.rests + i), x, y, z, m);
      hn::Store(x, d, block.rest[0] + i), hn::Store(y, d, block.rest[1] + i),
          hn::Store(z, d, block.rest[2] + i);
    }
    for (auto& sum : block.sum) hn::Store(hn::Zero(d), d, sum + i);
  }
}

/// Block `a` of bodies into the frame.
template <class P>
void place_block_of(const Evaluation<P>& e, std::size_t a) {
  const std::size_t count = std::min(e.block, e.p.sources.size() - a), rests_at = has_rests<P> ? a : 0;
  to_frame<has_rests<P>>(e.p.sources.data() + a, count, e.frame, e.bodies + a, e.rests + rests_at);
}

template <class P>
Law<typename P::Math> law_of(const Evaluation<P>& e) {
  using M = typename P::Math;
  Law<M> law{scaled_eps2(e.p, e.scale), scaled_box<M>(e.p.boundary, e.scale), {}};
  if constexpr (has_rests<P>) {
    law.box = box_of_pairs(e.p.boundary, e.scale);
    law.rest = rest_of_box(e.p.boundary, e.scale, law.box);
  }
  return law;
}

/// The pulls of the bodies from a on and of those from b on upon each other.
template <class P, class M = typename P::Math>
void meet_blocks_of(const Evaluation<P>& e, std::size_t a, std::size_t b, Sums<M>& to_a, Sums<M>& to_b) {
  const PairProblem<P>& p = e.p;
  const std::size_t n = p.sources.size(), count_a = std::min(e.block, n - a),
                    count_b = std::min(e.block, n - b);
  const auto law = law_of(e);
  Sweep<M>* const sweep = sweep_for<M, has_rests<P>>(e.form, e.careful, p.boundary.periodic, p.potential);

  const std::size_t cell = cell_size<M>(), padded_b = (count_b + cell - 1) / cell * cell;
  Block<M> sources;
  set(sources, e, b, padded_b);
  for (std::size_t i = 0; i < count_a; i += targets_per_sweep<M>) {
    const std::size_t own =
        i / cell * cell;  // within a block: the own cell one way, the cells after it both ways
    const auto targets = targets_of(e, a + i);
    if (a == b) sweep(targets, sources, own, own + cell, padded_b, law, i, to_a.of[0] + i);
    else sweep(targets, sources, 0, 0, padded_b, law, i, to_a.of[0] + i);
  }
  for (int c = 0; c < components_of(e); ++c) std::copy_n(sources.sum[c], count_b, to_b.of[c]);
}

/// Adds sums to the totals of the bodies from a on.
template <class P, class M = typename P::Math>
void add_to(const Evaluation<P>& e, std::size_t a, const Sums<M>& sums) {
  const std::size_t count = std::min(e.block, e.p.sources.size() - a);
  for (int c = 0; c < components_of(e); ++c) {
    double* HWY_RESTRICT total = e.totals[c] + a;
    for (std::size_t i = 0; i < count; ++i) total[i] += double(sums.of[c][i]);
  }
}

template <class P>
void hand_over_to(const Evaluation<P>& e, std::size_t begin, std::size_t end) {
  using S = typename P::Sum;
  const bool potential = e.p.potential;
  const double factor = e.scale.force() * (potential ? 1 : cube_factor<typename P::Math>);
  for (std::size_t i = begin; i < end; ++i) {
    const double mass = e.form == Form::acceleration ? 1 : double(e.p.sources[i].m) * e.scale.mass,
                 f = e.form == Form::without_mass ? factor * mass : factor / mass;
    e.p.sums[i] = {S(e.totals[0][i] * f), S(e.totals[1][i] * f), S(e.totals[2][i] * f),
                   potential ? S(-e.totals[3][i] * e.scale.potential() / mass) : S(0)};
  }
}
Scale scale_f64(const PairProblem<F64>& p) { return scale_here(p); }
bool careful_f64(const PairProblem<F64>& p, const Scale& scale) { return careful_here(p, scale); }
void place_f32(const Evaluation<F32>& e, std::size_t a) { place_block_of(e, a); }
void place_f64(const Evaluation<F64>& e, std::size_t a) { place_block_of(e, a); }
void place_mixed(const Evaluation<Mixed>& e, std::size_t a) { place_block_of(e, a); }
void meet_f32(const Evaluation<F32>& e, std::size_t a, std::size_t b, Sums<float>& to_a, Sums<float>& to_b) {
  meet_blocks_of(e, a, b, to_a, to_b);
}
void add_f32(const Evaluation<F32>& e, std::size_t a, const Sums<float>& sums) { add_to(e, a, sums); }
void meet_f64(const Evaluation<F64>& e, std::size_t a, std::size_t b, Sums<double>& to_a,
              Sums<double>& to_b) {
  meet_blocks_of(e, a, b, to_a, to_b);
}
void add_f64(const Evaluation<F64>& e, std::size_t a, const Sums<double>& sums) { add_to(e, a, sums); }
void meet_mixed(const Evaluation<Mixed>& e, std::size_t a, std::size_t b, Sums<float>& to_a,
                Sums<float>& to_b) {
  meet_blocks_of(e, a, b, to_a, to_b);
}
void add_mixed(const Evaluation<Mixed>& e, std::size_t a, const Sums<float>& sums) { add_to(e, a, sums); }
void hand_f32(const Evaluation<F32>& e, std::size_t begin, std::size_t end) { hand_over_to(e, begin, end); }
void hand_f64(const Evaluation<F64>& e, std::size_t begin, std::size_t end) { hand_over_to(e, begin, end); }
void hand_mixed(const Evaluation<Mixed>& e, std::size_t begin, std::size_t end) {
  hand_over_to(e, begin, end);
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/direct/rows.hpp"
#include "cpu/direct/tournament.hpp"

#include <pleiad/error.hpp>

namespace pleiad {
extern const DirectKernel direct_threads;

namespace cpu {
HWY_EXPORT(scale_f64);
HWY_EXPORT(careful_f64);
HWY_EXPORT(place_f32);
HWY_EXPORT(place_f64);
HWY_EXPORT(place_mixed);
HWY_EXPORT(meet_f32);
HWY_EXPORT(add_f32);
HWY_EXPORT(meet_f64);
HWY_EXPORT(add_f64);
HWY_EXPORT(meet_mixed);
HWY_EXPORT(add_mixed);
HWY_EXPORT(hand_f32);
HWY_EXPORT(hand_f64);
HWY_EXPORT(hand_mixed);
namespace {
/// The units of doubles, and their minimum softening, depend on the instruction set.
template <class P>
Scale scale_for(const PairProblem<P>& p) {
  if constexpr (std::is_same_v<P, F64>) return HWY_DYNAMIC_DISPATCH(scale_f64)(p);
  else return scale_of(p);
}
template <class P>
bool careful_for(const PairProblem<P>& p, const Scale& scale) {
  if constexpr (std::is_same_v<P, F64>) return HWY_DYNAMIC_DISPATCH(careful_f64)(p, scale);
  else return is_careful(p, scale);
}

void place(const Evaluation<F32>& e, std::size_t a) { HWY_DYNAMIC_DISPATCH(place_f32)(e, a); }
void place(const Evaluation<F64>& e, std::size_t a) { HWY_DYNAMIC_DISPATCH(place_f64)(e, a); }
void place(const Evaluation<Mixed>& e, std::size_t a) { HWY_DYNAMIC_DISPATCH(place_mixed)(e, a); }
void meet(const Evaluation<F32>& e, std::size_t a, std::size_t b, Sums<float>& to_a, Sums<float>& to_b) {
  HWY_DYNAMIC_DISPATCH(meet_f32)(e, a, b, to_a, to_b);
}
void meet(const Evaluation<F64>& e, std::size_t a, std::size_t b, Sums<double>& to_a, Sums<double>& to_b) {
  HWY_DYNAMIC_DISPATCH(meet_f64)(e, a, b, to_a, to_b);
}
void meet(const Evaluation<Mixed>& e, std::size_t a, std::size_t b, Sums<float>& to_a, Sums<float>& to_b) {
  HWY_DYNAMIC_DISPATCH(meet_mixed)(e, a, b, to_a, to_b);
}
void add(const Evaluation<F32>& e, std::size_t a, const Sums<float>& sums) {
  HWY_DYNAMIC_DISPATCH(add_f32)(e, a, sums);
}
void add(const Evaluation<F64>& e, std::size_t a, const Sums<double>& sums) {
  HWY_DYNAMIC_DISPATCH(add_f64)(e, a, sums);
}
void add(const Evaluation<Mixed>& e, std::size_t a, const Sums<float>& sums) {
  HWY_DYNAMIC_DISPATCH(add_mixed)(e, a, sums);
}
void hand_over(const Evaluation<F32>& e, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(hand_f32)(e, begin, end);
}
void hand_over(const Evaluation<F64>& e, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(hand_f64)(e, begin, end);
}
void hand_over(const Evaluation<Mixed>& e, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(hand_mixed)(e, begin, end);
}

/// Selects the sum for pairs that do not coincide. Forces: no mass may be so small compared with the largest
/// (2^-48) that a product of two could underflow in single precision. Potentials are summed with forces.
template <class T>
Form form_for(std::span<const Mass<T>> bodies, bool potential) {
  const Bounds<T> bounds = bounds_of(bodies);
  const T low = bounds.low.m, high = bounds.high.m;
  if (!(low > 0 && double(low) >= std::ldexp(double(high), -48) && high < std::ldexp(1.0, 300)))
    return Form::acceleration;
  return low == high && !potential ? Form::without_mass : Form::force;
}

/// Distance at which a body exerts no force on others even without a factor of its mass: r^-3 underflows to
/// 0, and r^2 does not overflow.
template <class M>
constexpr M far_away = M(sizeof(M) == 4 ? 1e18 : 1e150);

/// The rarer cases share few instances.
template <class P>
Form form_of(const PairProblem<P>& p, bool careful) {
  return careful || p.boundary.periodic ? Form::acceleration : form_for(p.sources, p.potential);
}

/// The evaluation of `p`, in memory that has room for whole blocks.
template <class P>
Evaluation<P> begun(const PairProblem<P>& p, SymmetricMemory<P>& memory) {
  using M = typename P::Math;
  const std::size_t n = p.sources.size(), block = bodies_in_block(n), whole = (n + block - 1) / block * block;
  const Scale scale = scale_for(p);
  const bool careful = careful_for(p, scale);
  const Form form = form_of(p, careful);
  auto& [totals, bodies, rests] = memory;
  totals.assign(4 * n, 0.0);
  bodies.resize(whole);
  rests.resize(std::is_same_v<P, Mixed> ? whole : 1);
  std::fill(bodies.begin() + std::ptrdiff_t(n), bodies.end(),
            form == Form::without_mass ? Mass<M>{far_away<M>, far_away<M>, far_away<M>, 0} : Mass<M>{});
  if (rests.size() > n) std::fill(rests.begin() + std::ptrdiff_t(n), rests.end(), Mass<M>{});
  return {.p = p,
          .scale = scale,
          .careful = careful,
          .form = form,
          .block = block,
          .frame = frame_of<P>(p.sources, p.boundary, scale),
          .bodies = bodies.data(),
          .rests = rests.data(),
          .totals = {&totals[0], &totals[n], &totals[2 * n], &totals[3 * n]}};
}
}  // namespace

template <class P>
bool by_pairs(const PairProblem<P>& p) {
  return !p.potential || form_of(p, careful_for(p, scale_for(p))) == Form::force;
}

template <class P>
SymmetricEvaluation<P>::SymmetricEvaluation(const PairProblem<P>& p, SymmetricMemory<P>& memory)
    : e_(begun(p, memory)) {
  blocks_ = (p.sources.size() + e_.block - 1) / e_.block;
  for (std::size_t b = 0; b < blocks_; ++b) place(e_, b * e_.block);
}
template <class P>
int SymmetricEvaluation<P>::components() const {
  return components_of(e_);
}
template <class P>
void SymmetricEvaluation<P>::meet(std::size_t a, std::size_t b, Sums<M>& to_a, Sums<M>& to_b) const {
  cpu::meet(e_, a * e_.block, b * e_.block, to_a, to_b);
}
template <class P>
void SymmetricEvaluation<P>::add(std::size_t a, const Sums<M>& found) const {
  cpu::add(e_, a * e_.block, found);
}
template <class P>
void SymmetricEvaluation<P>::finish(std::size_t begin, std::size_t end) const {
  hand_over(e_, begin, end);
  if constexpr (std::is_same_v<P, Mixed>) {
    if (!e_.careful) return;
    std::vector<std::size_t> close;
    for (std::size_t i = begin; i < end; ++i)
      if (e_.totals[3][i] > 1) close.push_back(i);  // each body meets itself
    parallel_for((close.size() + most_rows - 1) / most_rows, [&](std::size_t b) {
      sum_again(e_.p, std::span<const std::size_t>(close)
                          .subspan(b * most_rows)
                          .first(std::min(most_rows, close.size() - b * most_rows)));
    });
  }
}

namespace {
template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  refuse_all_images(p.boundary, "cpu/symmetric");
  const std::size_t n = p.sources.size();
  if (p.targets.data() != p.sources.data() || p.targets.size() != n || p.self != 0)
    throw UsageError(
        "'cpu/symmetric': its targets are its sources; choose a kernel listed with separate targets");
  if (n == 0) return;
  if (!by_pairs(p)) return (*direct_threads.run<P>())(p, shape);
  using M = typename P::Math;
  thread_local SymmetricMemory<P> memory;
  const SymmetricEvaluation<P> evaluation(p, memory);
  // Below some 25 microseconds of work waking another thread costs more than it saves.
  const std::size_t workers = n < 640 ? 1 : static_cast<std::size_t>(threads());
  tournament<Sums<M>>(
      evaluation.blocks(), workers,
      [&](std::size_t a, std::size_t b, Sums<M>& to_a, Sums<M>& to_b) { evaluation.meet(a, b, to_a, to_b); },
      [&](std::size_t a, const Sums<M>& found) { evaluation.add(a, found); });
  evaluation.finish(0, n);
}
}  // namespace

#define PLEIAD_SYMMETRIC(P)                      \
  template bool by_pairs(const PairProblem<P>&); \
  template class SymmetricEvaluation<P>;
PLEIAD_SYMMETRIC(F32)
PLEIAD_SYMMETRIC(F64)
PLEIAD_SYMMETRIC(Mixed)
#undef PLEIAD_SYMMETRIC
}  // namespace cpu

extern constinit const DirectKernel direct_symmetric{
    .name = "cpu/symmetric",
    .rung = 5,
    .idea = "each pair is computed once and added to both bodies; a tournament schedules the blocks",
    .traits = {.threaded = true, .simd = true, .separate_targets = false},
    .fma_port_operations = {.f32 = 7, .f64 = 8, .mixed = 7},
    .f32 = cpu::run<F32>,
    .f64 = cpu::run<F64>,
    .mixed = cpu::run<Mixed>};
}  // namespace pleiad
#endif
