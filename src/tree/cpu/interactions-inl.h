/// The interaction lists of the fast multipole method: M2L, softened M2L and P2P.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_INTERACTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_INTERACTIONS_INL_H_
#undef PLEIAD_TREE_INTERACTIONS_INL_H_
#else
#define PLEIAD_TREE_INTERACTIONS_INL_H_
#endif

#include "tree/cell_list.hpp"
#include "tree/cpu/p2p-inl.h"
#include "tree/cpu/pair_errors-inl.h"
#include "tree/cpu/pass.hpp"
#include "tree/cpu/splines-inl.h"
#include "tree/softening.hpp"

#include <algorithm>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

/// Interactions of a cell: its lists, made from the candidates that its parent passed on. The same for both
/// precisions.
template <int p>
class Interactions {
 public:
  Interactions(const Tree& tree, const CellPlaces& up, const Scales& scales, const Pass& pass)
      : tree_(tree),
        pass_(pass),
        candidates_(tree.levels.size()),
        places_(up),
        errors_(up, scales, pass.tolerance),
        per_theta2_(1 / (pass.theta * pass.theta)),
        newtonian2_(squared(pass.eps * newtonian_between_cells(pass.theta, p, pass.tolerance))) {}

  TreeWork work;

 protected:
  /// Sorts the candidates of cell c into the three lists, and into the candidates of its children.
  void list(std::uint32_t c, const CellList& from);
  /// Sorts the P2P list in the order of the bodies, image by image.
  void sort_p2p_list();

  const Tree& tree_;
  const Pass& pass_;
  std::vector<CellList> candidates_;  ///< of each level, while below it
  CellList m2l_list_, softened_m2l_list_, p2p_list_;

 private:
  void test_parts(std::uint32_t s, std::uint32_t c, CellList& candidates);
  void test(std::uint32_t first, std::uint32_t count, std::uint32_t c, CellList& candidates);

  const CellPlaces& places_;
  PairErrors<p> errors_;
  double per_theta2_, newtonian2_;
  std::vector<std::uint32_t> open_;
  Vec3<double> shift_{};  ///< of the present image
};

template <int p>
void Interactions<p>::list(std::uint32_t c, const CellList& from) {
  const Cell& cell = tree_.cells[c];
  auto& candidates = candidates_[cell.level];
  candidates.clear(), m2l_list_.clear(), softened_m2l_list_.clear(), p2p_list_.clear(), open_.clear();
  const auto done_with = [&](std::uint32_t image) {
    for (auto* list : {&candidates, &m2l_list_, &softened_m2l_list_, &p2p_list_}) list->close(image);
  };
  if (cell.level == 0) {
    // The root is in its own P2P list; images of it may be distant.
    (cell.leaf() ? p2p_list_ : candidates).cells.push_back(0);
    done_with(0);
    for (std::uint32_t image = 1; image < pass_.images.size(); ++image) {
      shift_ = pass_.images[image];
      test(0, 1, c, candidates);
      done_with(image);
    }
    return;
  }
  for (const auto& part : from.parts) {
    shift_ = pass_.images[part.image];
    for (auto k = part.begin; k < part.end; ++k) test_parts(from.cells[k], c, candidates);
    while (!open_.empty()) {
      const auto s = open_.back();
      open_.pop_back();
      test_parts(s, c, candidates);
    }
    done_with(part.image);
  }
}

template <int p>
void Interactions<p>::sort_p2p_list() {
  for (const auto& part : p2p_list_.parts)
    std::sort(p2p_list_.cells.begin() + part.begin, p2p_list_.cells.begin() + part.end,
              [&](auto a, auto b) { return tree_.cells[a].begin < tree_.cells[b].begin; });
}

template <int p>
void Interactions<p>::test_parts(std::uint32_t s, std::uint32_t c, CellList& candidates) {
  const Cell& source = tree_.cells[s];
  if (source.leaf()) test(s, 1, c, candidates);
  else test(source.first_child, source.children, c, candidates);
}

/// Tests `count` cells in the present image against cell c, and sorts them into its lists.
template <int p>
void Interactions<p>::test(std::uint32_t first, std::uint32_t count, std::uint32_t c, CellList& candidates) {
  constexpr hn::CappedTag<double, 8> d;
  const auto set = [&](double v) { return hn::Set(d, v); };
  const auto x = set(places_.x[c]), y = set(places_.y[c]), z = set(places_.z[c]), r = set(places_.radius[c]);
  work.tests += count;
  const bool shifted = !(shift_ == Vec3<double>{});
  for (std::uint32_t k = 0; k < count; k += std::uint32_t(hn::Lanes(d))) {
    const std::size_t at = first + k;
    auto dx = hn::Sub(hn::LoadU(d, &places_.x[at]), x), dy = hn::Sub(hn::LoadU(d, &places_.y[at]), y);
    auto dz = hn::Sub(hn::LoadU(d, &places_.z[at]), z);
    // After the difference, so that the opposite pair has the opposite separation to the bit.
    if (shifted)
      dx = hn::Add(dx, set(shift_.x)), dy = hn::Add(dy, set(shift_.y)), dz = hn::Add(dz, set(shift_.z));
    const auto s = hn::Add(hn::LoadU(d, &places_.radius[at]), r);
    const auto R2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    std::uint8_t far_bits[8] = {}, newtonian_bits[8] = {};
    auto far = hn::Gt(R2, hn::Mul(hn::Mul(s, s), set(per_theta2_)));
    if (pass_.splines != nullptr)
      far = hn::And(far, outside_splines(*pass_.splines, at, pass_.splines->largest[c], s, R2));
    if (pass_.tolerance > 0 && !hn::AllFalse(d, far)) far = hn::And(far, errors_.allow(at, c, R2));
    hn::StoreMaskBits(d, far, far_bits);
    hn::StoreMaskBits(d, hn::Gt(R2, set(newtonian2_)), newtonian_bits);
    const unsigned n = std::min(count - k, std::uint32_t(hn::Lanes(d))), all = (1u << n) - 1;
    const unsigned taken = far_bits[0] & all, newtonian = newtonian_bits[0];
    for_bits(taken & newtonian, [&](unsigned i) { m2l_list_.cells.push_back(std::uint32_t(at + i)); });
    for_bits(taken & ~newtonian,
             [&](unsigned i) { softened_m2l_list_.cells.push_back(std::uint32_t(at + i)); });
    for_bits(~taken & all, [&](unsigned i) {
      const auto source = std::uint32_t(at + i);
      if (!tree_.cells[c].leaf()) candidates.cells.push_back(source);
      else (tree_.cells[source].leaf() ? p2p_list_.cells : open_).push_back(source);
    });
  }
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
