#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/neighbours.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "core/threads.hpp"
#include "cpu/body_paths.hpp"
#include "cpu/direct/jerk-inl.h"
#include "cpu/neighbours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {

using Fields = std::array<BodyPaths::Numbers, 3>;

/// A body, in all lanes.
struct Target {
  V<double> x, y, z, u, v, w;
};
HWY_INLINE Target target_of(const BodyPaths& p, std::size_t k) {
  [[maybe_unused]] constexpr Tag<double> d;
  const auto of = [&](const Fields& field, std::size_t c) HWY_ATTR { return hn::Set(d, field[c][k]); };
  return {of(p.x_now, 0), of(p.x_now, 1), of(p.x_now, 2), of(p.v_now, 0), of(p.v_now, 1), of(p.v_now, 2)};
}
/// Marks of near sources: a byte for each vector, a bit for each lane. A branch for each vector that has some
/// would take as long as its pulls.
struct Marks {
  static constexpr std::size_t most = 2048;  ///< sources
  alignas(8) std::array<std::uint8_t, most> bytes;
};

/// Appends the marked sources, but for the body itself and what is no source.
HWY_INLINE void append(const Marks& marks, std::size_t begin, std::size_t end, std::size_t target,
                       std::size_t pulling, NeighbourList& found) {
  const std::size_t lanes = hn::Lanes(Tag<double>()), vectors = (end - begin) / lanes;
  for (std::size_t first = 0; first < vectors; first += 8) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, marks.bytes.data() + first, std::min<std::size_t>(8, vectors - first));
    if constexpr (std::endian::native == std::endian::big) bits = __builtin_bswap64(bits);
    for (; bits != 0; bits &= bits - 1) {
      const auto bit = std::size_t(std::countr_zero(bits));
      const std::size_t k = begin + (first + bit / 8) * lanes + bit % 8;
      if (k != target && k < pulling) found.push_back(static_cast<std::uint32_t>(k));
    }
  }
}

/// A lane is a source. Adds the sums over [begin, end) to `sums`; without them it finds neighbours alone.
template <bool Sums>
HWY_INLINE void far_one(const BodyPaths& p, std::size_t target, std::size_t begin, std::size_t end,
                        const NeighbourReach& reach, double eps2_, NeighbourList& found,
                        double* HWY_RESTRICT sums) {
  constexpr Tag<double> d;
  const auto t = target_of(p, target);
  const double *x = p.x_now[0].data(), *y = p.x_now[1].data(), *z = p.x_now[2].data(), *u = p.v_now[0].data(),
               *v = p.v_now[1].data(), *w = p.v_now[2].data(), *m = p.mass.data();
  const auto eps2 = hn::Set(d, eps2_), within = hn::Set(d, reach.radius[target] * reach.radius[target]),
             twice_ahead = hn::Set(d, 2 * reach.ahead[target]), zero = hn::Zero(d);
  auto s = no_pull();
  Marks marks;
  auto* mark = marks.bytes.data();
  for (std::size_t k = begin; k < end; k += hn::Lanes(d)) {
    const auto dx = hn::Sub(hn::LoadU(d, x + k), t.x), dy = hn::Sub(hn::LoadU(d, y + k), t.y),
               dz = hn::Sub(hn::LoadU(d, z + k), t.z);
    const auto du = hn::Sub(hn::LoadU(d, u + k), t.u), dv = hn::Sub(hn::LoadU(d, v + k), t.v),
               dw = hn::Sub(hn::LoadU(d, w + k), t.w);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto along = hn::MulAdd(dz, dw, hn::MulAdd(dy, dv, hn::Mul(dx, du)));
    const auto near = hn::Lt(hn::MulAdd(twice_ahead, hn::Min(along, zero), r2),
                             hn::MulAdd(within, hn::LoadU(d, reach.weight.data() + k), eps2));
    hn::StoreMaskBits(d, near, mark++);
    if constexpr (Sums) {
      auto f = inverse_powers(hn::LoadU(d, m + k), r2);
      f.cube = hn::IfThenZeroElse(near, f.cube);
      add_pull(s, f, along, dx, dy, dz, du, dv, dw);
    }
  }
  append(marks, begin, end, target, p.pulling, found);
  if constexpr (Sums) add_sums(s, sums);
}

void far_here(const BodyPaths& p, const std::uint32_t* targets, std::size_t count, std::size_t begin,
              std::size_t end, const NeighbourReach& reach, double eps2, NeighbourList* found,
              std::array<double, 6>* sums) {
  for (std::size_t t = 0; t < count; ++t)
    if (sums != nullptr) far_one<true>(p, targets[t], begin, end, reach, eps2, found[t], sums[t].data());
    else far_one<false>(p, targets[t], begin, end, reach, eps2, found[t], nullptr);
}

/// A lane is a neighbour.
void near_here(const BodyPaths& p, std::size_t target, const std::uint32_t* list, std::size_t count,
               double eps2_, double* sums) {
  constexpr Tag<double> d;
  constexpr hn::Rebind<std::int32_t, Tag<double>> narrow;
  constexpr hn::RebindToSigned<Tag<double>> wide;
  const std::size_t lanes = hn::Lanes(d), whole = count / lanes * lanes;
  const auto t = target_of(p, target);
  const auto eps2 = hn::Set(d, eps2_);
  auto s = no_pull();
  const auto add = [&](const std::uint32_t* at) HWY_ATTR {
    const auto places =
        hn::PromoteTo(wide, hn::LoadU(narrow, reinterpret_cast<const std::int32_t*>(at)));  // below 2^31
    const auto of = [&](const BodyPaths::Numbers& field)
                        HWY_ATTR { return hn::GatherIndex(d, field.data(), places); };
    const auto dx = hn::Sub(of(p.x_now[0]), t.x), dy = hn::Sub(of(p.x_now[1]), t.y),
               dz = hn::Sub(of(p.x_now[2]), t.z);
    const auto du = hn::Sub(of(p.v_now[0]), t.u), dv = hn::Sub(of(p.v_now[1]), t.v),
               dw = hn::Sub(of(p.v_now[2]), t.w);
    const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
    const auto along = hn::MulAdd(dz, dw, hn::MulAdd(dy, dv, hn::Mul(dx, du)));
    add_pull(s, inverse_powers(of(p.mass), r2), along, dx, dy, dz, du, dv, dw);
  };
  for (std::size_t i = 0; i < whole; i += lanes) add(list + i);
  if (whole < count) {
    // The body itself pulls with zero.
    std::array<std::uint32_t, BodyPaths::lanes> last;
    last.fill(static_cast<std::uint32_t>(target));
    std::copy(list + whole, list + count, last.begin());
    add(last.data());
  }
  add_sums(s, sums);
}

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(far_here);
HWY_EXPORT(near_here);

namespace {
using Sums = std::array<double, 6>;
/// As in body_paths.cpp.
constexpr std::size_t chunk = 2048, worth_a_thread = 16384;

void keep(const Sums& s, Vec4<double>& acceleration, Vec4<double>& jerk) {
  acceleration = {s[0], s[1], s[2], 0}, jerk = {s[3], s[4], s[5], 0};
}

/// Calls use(first target, sums) for groups of targets; without `sums` neighbours are found alone.
void visit_sources(const BodyPaths& p, std::span<const std::uint32_t> chosen, const NeighbourReach& reach,
                   double eps2, std::span<NeighbourList> found, bool with_sums, auto use) {
  constexpr std::size_t at_once = 16, expected = 64;
  const std::size_t sources = BodyPaths::padded(p.pulling);
  const auto by_targets = [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; t += at_once) {
      std::array<Sums, at_once> sums{};
      const std::size_t count = std::min(at_once, end - t);
      for (std::size_t k = 0; k < count; ++k) found[t + k].clear(), found[t + k].reserve(expected);
      for (std::size_t c = 0; c < sources; c += chunk) HWY_DYNAMIC_DISPATCH(far_here)
      (p, chosen.data() + t, count, c, std::min(sources, c + chunk), reach, eps2, found.data() + t,
       with_sums ? sums.data() : nullptr);
      for (std::size_t k = 0; k < count; ++k) use(t + k, sums[k]);
    }
  };
  if (chosen.size() * sources < 2 * worth_a_thread) return by_targets(0, chosen.size());
  for_blocks(chosen.size(), by_targets, std::clamp<std::size_t>(worth_a_thread / sources, 1, 64));
}
}  // namespace

void far_pulls_on(const BodyPaths& p, std::span<const std::uint32_t> chosen, const NeighbourReach& reach,
                  double eps2, std::span<NeighbourList> found, std::span<Vec4<double>> a,
                  std::span<Vec4<double>> j) {
  visit_sources(p, chosen, reach, eps2, found, true,
                [&](std::size_t t, const Sums& sums) { keep(sums, a[t], j[t]); });
}

void find_neighbours(const BodyPaths& p, std::span<const std::uint32_t> chosen, const NeighbourReach& reach,
                     double eps2, std::span<NeighbourList> found) {
  visit_sources(p, chosen, reach, eps2, found, false, [](std::size_t, const Sums&) {});
}

void near_pulls_on(const BodyPaths& p, std::span<const std::uint32_t> chosen,
                   std::span<NeighbourList* const> lists, double eps2, std::span<Vec4<double>> a,
                   std::span<Vec4<double>> j) {
  std::size_t pairs = 0;
  for (const auto* list : lists) pairs += list->size();
  const auto by_targets = [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      Sums sums{};
      HWY_DYNAMIC_DISPATCH(near_here)(p, chosen[t], lists[t]->data(), lists[t]->size(), eps2, sums.data());
      keep(sums, a[t], j[t]);
    }
  };
  // Pairs by lists take three times as long as others.
  if (3 * pairs < 2 * worth_a_thread) return by_targets(0, chosen.size());
  const std::size_t each = 3 * pairs / chosen.size() + 1;
  for_blocks(chosen.size(), by_targets, std::clamp<std::size_t>(worth_a_thread / each, 1, 256));
}

void change_lists(const BodyPaths& p, std::span<const std::uint32_t> chosen, std::span<NeighbourList> found,
                  double eps2, std::span<NeighbourList* const> lists, std::span<Vec4<double>> a,
                  std::span<Vec4<double>> j) {
  const auto change = [&](std::size_t begin, std::size_t end) {
    NeighbourList come, gone;
    for (std::size_t t = begin; t < end; ++t) {
      auto& list = *lists[t];
      come.clear(), gone.clear();
      std::ranges::set_difference(found[t], list, std::back_inserter(come));
      std::ranges::set_difference(list, found[t], std::back_inserter(gone));
      Sums by_come{}, by_gone{};
      HWY_DYNAMIC_DISPATCH(near_here)(p, chosen[t], come.data(), come.size(), eps2, by_come.data());
      HWY_DYNAMIC_DISPATCH(near_here)(p, chosen[t], gone.data(), gone.size(), eps2, by_gone.data());
      for (std::size_t i = 0; i < by_come.size(); ++i) by_come[i] -= by_gone[i];
      keep(by_come, a[t], j[t]);
      list.swap(found[t]);
    }
  };
  for_blocks(chosen.size(), change, 64);
}

void predict_near(BodyPaths& p, double now, std::span<const std::uint32_t> chosen,
                  std::span<NeighbourList* const> lists) {
  std::size_t named = 0;
  for (const auto* list : lists) named += list->size();
  // Vectors of bodies that are named one by one take some times as long as all in a row.
  if (4 * named > p.pulling) return predict(p, now, chosen);
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint8_t> marked(BodyPaths::padded(p.bodies) / BodyPaths::lanes, 0);
  const auto name = [&](std::uint32_t k) {
    auto& mark = marked[k / BodyPaths::lanes];
    if (mark == 0) firsts.push_back(k / BodyPaths::lanes * BodyPaths::lanes);
    mark = 1;
  };
  for (const auto k : chosen) name(k);
  for (const auto* list : lists)
    for (const auto k : *list) name(k);
  predict_vectors(p, now, firsts);
}

}  // namespace pleiad::cpu
#endif
