/// M2P, cells on a group of bodies: lanes are cells, whose records are laid side by side once for all bodies
/// of the group. So lanes are full however few bodies a group has, and a number of a record costs no
/// instruction: it is the operand of the multiply-add that uses it.
///
/// Operations per body and cell of orders 1 to 5: 19, 39, 74, 122, 190; softened 19, 40, 82, 147, 247.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_M2P_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_M2P_INL_H_
#undef PLEIAD_TREE_M2P_INL_H_
#else
#define PLEIAD_TREE_M2P_INL_H_
#endif

#include "tree/cell_list.hpp"
#include "tree/cpu/operators-inl.h"
#include "tree/cpu/p2p-inl.h"
#include "tree/m2p_records.hpp"
#include "tree/moments.hpp"

#include <cstring>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

template <int p, class M>
class M2P {
 public:
  using V = Lanes<M>;
  using D = hn::ScalableTag<M>;

  M2P(const Moments<M>& up, const M2PRecords<M>& records, std::span<const Vec3<double>> images,
      std::uint32_t nothing)
      : up_(up), m2p_records_(records), images_(images), nothing_(nothing) {}

  /// Adds the pulls of these cells to the sums of the targets, whose unit is no less than the least. The list
  /// is filled up.
  template <bool softened, bool potential>
  HWY_NOINLINE void sum(CellList& list, P2P<M>& targets) {
    const std::size_t lanes = hn::Lanes(D());
    auto& cells = list.cells;
    while (cells.size() % lanes != 0) cells.push_back(nothing_);
    list.close(0);
    if (boxed()) spread(list);
    const std::size_t numbers = 3 + (softened ? m2p_records_.softened_stride : m2p_records_.newtonian_stride),
                      size = numbers * lanes;
    packed_.resize(at_once * size + lanes);
    sums_.assign(targets.targets() * 4 * lanes + lanes, M(0));
    M* packed = aligned(packed_);
    for (std::size_t i = 0; i < cells.size(); i += at_once * lanes) {
      const std::size_t vectors = std::min(at_once, (cells.size() - i) / lanes);
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t at = i + v * lanes;
        pack<softened>(&cells[at], targets, packed + v * size);
        if (boxed()) shift(&cells[at], &image_of_[at], targets, packed + v * size);
      }
      for (std::size_t t = 0; t < targets.targets(); ++t)
        add_to<softened, potential>(packed, vectors, size, targets, t);
    }
    for (std::size_t t = 0; t < targets.targets(); ++t) {
      const M* s = aligned(sums_) + 4 * lanes * t;
      targets.ax[t] += total(s), targets.ay[t] += total(s + lanes), targets.az[t] += total(s + 2 * lanes);
      if (potential) targets.phi[t] += total(s + 3 * lanes);
    }
  }

 private:
  static constexpr std::size_t at_once = 8;  ///< vectors of cells that stay in the cache while targets pass

  bool boxed() const { return images_.size() > 1; }
  /// The image of each cell: vectors hold cells of several.
  void spread(const CellList& list) {
    image_of_.resize(list.cells.size());
    for (const auto& part : list.parts)
      std::fill(image_of_.begin() + part.begin, image_of_.begin() + part.end, part.image);
  }

  /// The numbers of one vector of cells, as the operators see them.
  struct Packed {
    const M* numbers;
    HWY_INLINE V operator[](int k) const { return hn::Load(D(), numbers + std::size_t(k) * hn::Lanes(D())); }
  };

  HWY_INLINE static double total(const M* at) { return hn::GetLane(hn::SumOfLanes(D(), hn::Load(D(), at))); }
  static M* aligned(std::vector<M>& v) {
    const std::size_t bytes = hn::Lanes(D()) * sizeof(M);
    return v.data() + (bytes - reinterpret_cast<std::uintptr_t>(v.data()) % bytes) % bytes / sizeof(M);
  }

  /// Places in the targets' frame, of cells that are images.
  void shift(const std::uint32_t* cells, const std::uint32_t* image_of, const P2P<M>& targets, M* packed) {
    const std::size_t lanes = hn::Lanes(D());
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::size_t c = cells[l];
      const auto& by = images_[image_of[l]];
      packed[l] = targets.in_frame(up_.x[c] + by.x, 0);
      packed[lanes + l] = targets.in_frame(up_.y[c] + by.y, 1);
      packed[2 * lanes + l] = targets.in_frame(up_.z[c] + by.z, 2);
    }
  }
  /// Places in the targets' frame, then the records of as many cells as there are lanes.
  template <bool softened>
  HWY_INLINE void pack(const std::uint32_t* cells, const P2P<M>& targets, M* packed) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::size_t c = cells[l];
      packed[l] = targets.in_frame(up_.x[c], 0), packed[lanes + l] = targets.in_frame(up_.y[c], 1);
      packed[2 * lanes + l] = targets.in_frame(up_.z[c], 2);
    }
    packed += 3 * lanes;
    HWY_ALIGN M staged[4 * hn::MaxLanes(d)];
    const M* records = softened ? m2p_records_.softened.data() : m2p_records_.newtonian.data();
    const std::size_t stride = softened ? m2p_records_.softened_stride : m2p_records_.newtonian_stride;
    for (std::size_t k = 0; k < stride; k += 4) {
      for (std::size_t l = 0; l < lanes; ++l)
        std::memcpy(staged + 4 * l, records + cells[l] * stride + k, 4 * sizeof(M));
      V a, b, c, e;
      hn::LoadInterleaved4(d, staged, a.v, b.v, c.v, e.v);
      if (k == 0) b = b * V(targets.per_unit());
      hn::Store(a.v, d, packed + k * lanes), hn::Store(b.v, d, packed + (k + 1) * lanes);
      hn::Store(c.v, d, packed + (k + 2) * lanes), hn::Store(e.v, d, packed + (k + 3) * lanes);
    }
  }

  template <bool softened, bool potential>
  HWY_INLINE void add_to(const M* packed, std::size_t vectors, std::size_t size, const P2P<M>& targets,
                         std::size_t t) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    M* sums = aligned(sums_) + 4 * lanes * t;
    V ax(hn::Load(d, sums)), ay(hn::Load(d, sums + lanes)), az(hn::Load(d, sums + 2 * lanes));
    V phi(hn::Load(d, sums + 3 * lanes));
    const V x(hn::Set(d, targets.tx[t])), y(hn::Set(d, targets.ty[t])), z(hn::Set(d, targets.tz[t]));
    const V eps2(hn::Set(d, targets.eps2()));
    for (std::size_t v = 0; v < vectors; ++v, packed += size) {
      const Packed at{packed}, record{packed + 3 * lanes};
      if constexpr (softened)
        m2p_soft<potential>(Order<p>{}, record, at[0] - x, at[1] - y, at[2] - z, eps2, ax, ay, az, phi);
      else m2p<potential>(Order<p>{}, record, at[0] - x, at[1] - y, at[2] - z, eps2, ax, ay, az, phi);
    }
    hn::Store(ax.v, d, sums), hn::Store(ay.v, d, sums + lanes), hn::Store(az.v, d, sums + 2 * lanes);
    hn::Store(phi.v, d, sums + 3 * lanes);
  }

  const Moments<M>& up_;
  const M2PRecords<M>& m2p_records_;
  std::span<const Vec3<double>> images_;
  std::uint32_t nothing_;
  std::vector<std::uint32_t> image_of_;
  std::vector<M> packed_, sums_;
};

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
