/// One evaluation: bodies to the ranks of their keys; the part's cells and moments; what others have to show;
/// the sums, and back with them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/forest.hpp"

#include "core/threads.hpp"
#include "cpu/update.hpp"
#include "forest/blocks.hpp"
#include "forest/merge.hpp"
#include "forest/openings.hpp"
#include "forest/part.hpp"
#include "forest/release.hpp"
#include "forest/sight.hpp"
#include "tree/cpu/methods.hpp"
#include "tree/cpu/pass.hpp"
#include "tree/groups.hpp"
#include "tree/lattice.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::forest {
namespace {

/// M: of expansions and pairs.
template <class P, class M>
class OnRanks final : public Forest<P> {
 public:
  using Real = typename P::Position;
  using Sum = typename P::Sum;

  OnRanks(ranks::Transport& transport, const TreeSettings& settings, const Softening& softening,
          const Boundary& boundary)
      : transport_(transport),
        settings_(settings),
        softening_(softening),
        boundary_(boundary),
        compiled_(tree::compiled(settings.solver, settings.order)),
        planter_(transport) {
    if (boundary.all_images()) lattice_.set(boundary, softening.eps);
  }

  void evaluate(std::span<const Mass<Real>> own, std::span<Vec4<Sum>> sums, bool potential) override {
    work_ = {}, bytes_ = 0, counted_ = transport_.traffic();
    if (plant(own)) {
      count_in(work_.routed);
      pass_ = pass(potential);
      take_field();
      show_moments();
      count_in(work_.shared);
      if (pass_.tolerance > 0) find_accelerations();
      find_forces();
      count_in(work_.fetched);
      give(sums);
      count_in(work_.routed);
    } else {
      // As in one process.
      constexpr auto nan = std::numeric_limits<Sum>::quiet_NaN();
      std::fill(sums.begin(), sums.end(), Vec4<Sum>{nan, nan, nan, nan});
      costs_.clear();
    }
    sight_.reset();
  }
  std::size_t bytes() const override { return bytes_; }
  const RankWork& work() const override { return work_; }

 private:
  static constexpr std::uint64_t parts_of_a_part = 64;  ///< how evenly the curve can be cut

  bool plant(std::span<const Mass<Real>> own) {
    std::vector<Mass<Real>> wrapped;
    if (boundary_.periodic) {
      wrapped.assign(own.begin(), own.end());
      cpu::wrap<Real>(wrapped, boundary_);
      own = wrapped;
    }
    const auto all = ranks::sum(transport_, own.size());
    if (all > std::numeric_limits<std::uint32_t>::max())
      throw UsageError("trees have at most 4294967295 bodies; these are " + std::to_string(all));
    // What is one thing to the evaluation is of one part: leaves, groups, cells that feel the same.
    const auto most = std::max({std::uint64_t(settings_.leaf_size), std::uint64_t(settings_.group),
                                std::uint64_t(tree::feel_the_same(std::uint32_t(all))),
                                all / (parts_of_a_part * std::uint64_t(transport_.ranks()))});
    if (!ranks::all(transport_, costs_.size() == own.size())) costs_.clear();
    const double start = tree::seconds();
    const bool planted = planter_.plant(own, costs_, std::uint32_t(settings_.leaf_size), most, part_);
    work_.tree.build = tree::seconds() - start;
    work_.migrants = planter_.migrants();
    return planted;
  }

  tree::Pass pass(bool potential) const {
    const bool by_error = settings_.mac == Mac::error;
    return {.theta = by_error ? 1.0 : settings_.theta,
            .eps = softening_.eps / part_.tree.length,
            .tolerance = by_error ? settings_.tolerance : 0,
            .mac = settings_.mac,
            .group = settings_.group,
            .potential = potential,
            .sums = {}};
  }

  /// Of the images that are not walked.
  void take_field() {
    if (!boundary_.all_images()) return;
    constexpr std::size_t block = tree::Lattice::block;
    const auto& tree = part_.tree;
    lattice_.take_units(tree);
    const std::size_t n = tree.m.size(),
                      begin = before_first_block(part_.firsts[std::size_t(part_.rank)], n, block),
                      end = begin + (n - begin) / block * block;
    std::vector<Mass<double>> begun;
    for (std::size_t i = 0; i < begin; ++i) begun.push_back({tree.x[i], tree.y[i], tree.z[i], tree.m[i]});
    tree::Tree last;
    const auto add = [&](const Mass<double>& b) {
      last.x.push_back(b.x), last.y.push_back(b.y), last.z.push_back(b.z), last.m.push_back(b.m);
    };
    for (auto i = end; i < n; ++i) add({tree.x[i], tree.y[i], tree.z[i], tree.m[i]});
    for (const auto& b : rest_of_last_block<Mass<double>>(transport_, begun, part_.firsts, block)) add(b);
    // One rank after the other, as blocks are added one after the other.
    tree::Lattice::Terms moments{};
    for (int r = 0; r < transport_.ranks(); ++r) {
      if (r == part_.rank) {
        lattice_.add_moments(tree, begin, end, moments);
        lattice_.add_moments(last, 0, last.m.size(), moments);
      }
      ranks::begin_broadcast<double>(transport_, moments, r)();
    }
    lattice_.take_moments(moments);
    pass_.lattice = &lattice_, pass_.images = lattice_.images();
  }

  /// Own moments, those of the cells that ranks share, and own ones of these.
  void show_moments() {
    evaluate(part_.tree, own_, tree::Stage::moments);
    sight_.emplace(transport_, part_, own_);
    sight_->look_up();
    evaluate(sight_->known.tree, sight_->known.memory, tree::Stage::moments);
    sight_->complete_own();
  }

  void find_accelerations() {
    CellOpenings<M> openings(view(), tree::feel_the_same(std::uint32_t(part_.all())));
    fetch(openings);
    if (!part_.tree.cells.empty()) {
      auto merged = merge_cells(part_, sight_->known);
      copy_moments(own_, sight_->known.memory, merged);
      evaluate(merged.tree, merged.memory, tree::Stage::accelerations);
      for (std::size_t c = 0; c < merged.origins.size(); ++c)
        if (const auto& from = merged.origins[c]; from.own)
          own_.scales.least_acceleration[from.cell] = merged.memory.scales.least_acceleration[c];
    }
    sight_->tell_accelerations();
    sight_->complete_own();
  }

  void find_forces() {
    const auto fetch_for = [&](auto&& openings) {
      fetch(openings);
      sight_->fetch_bodies(openings.leaves());
    };
    if (settings_.solver == Solver::fmm) fetch_for(CellOpenings<M>(view(), 0));
    else fetch_for(GroupOpenings<M>(view(), tree::few_bodies(settings_.order + 1)));
    auto& known = sight_->known;
    work_.cells_fetched = sight_->cells_fetched, work_.bodies_fetched = known.bodies.size();
    const std::size_t n = part_.tree.m.size();
    work_.tree.bodies = n;
    if (n == 0) return;
    auto merged = merge_cells(part_, known);
    const auto all = [&] { return held() + merged.tree.bytes() + merged.memory.bytes(); };
    move_bodies(part_, known, merged);
    release(known.bodies);
    bytes_ = std::max(bytes_, all());
    move_moments(own_, known.memory, merged);
    release(own_);
    sight_.reset();
    sums_.resize(n), own_costs_.resize(n);
    pass_.sums = sums_, pass_.costs = own_costs_;
    evaluate(merged.tree, merged.memory, tree::Stage::forces);
    if (pass_.lattice != nullptr) lattice_.add(merged.tree, sums_);
    bytes_ = std::max(bytes_, all());
    count(merged.tree);
  }

  void give(std::span<Vec4<Sum>> out) {
    const double potential = part_.tree.mass / part_.tree.length, pull = potential / part_.tree.length;
    const auto& order = part_.tree.order;
    std::vector<Vec4<Sum>> values(sums_.size());
    for_each_index(values.size(), [&](std::size_t i) {
      const auto& s = sums_[i];
      // The tree's potential is positive; a 0 stays +0.
      values[order[i]] = {Sum(pull * s.x), Sum(pull * s.y), Sum(pull * s.z), Sum(0 - potential * s.w)};
    });
    release(sums_);
    planter_.template bring_home<Vec4<Sum>>(std::move(values), out);
    std::vector<std::uint32_t> costs(own_costs_.size());
    for_each_index(costs.size(), [&](std::size_t i) { costs[order[i]] = own_costs_[i]; });
    costs_.resize(out.size());
    planter_.template bring_home<std::uint32_t>(std::move(costs), costs_);
    release(part_, own_costs_);
  }

  void evaluate(const tree::Tree& tree, tree::Memory<M>& memory, tree::Stage stage) {
    if (tree.cells.empty()) return;
    pass_.stage = stage;
    auto& work = work_.tree;
    const double before = work.moments;
    if constexpr (std::is_same_v<M, double>) compiled_.wide(tree, memory, pass_, work);
    else compiled_.narrow(tree, memory, pass_, work);
    work.moments += before;
  }
  template <class Openings>
  void fetch(Openings& openings) {
    while (sight_->fetch(openings.look())) ++work_.rounds;
  }
  View<M> view() const { return {part_, own_, sight_->known, pass_}; }

  /// What has been sent since the last time.
  void count_in(ranks::Traffic& part) {
    const auto before = std::exchange(counted_, transport_.traffic());
    part.bytes += counted_.bytes - before.bytes, part.messages += counted_.messages - before.messages;
    part.seconds += counted_.seconds - before.seconds;
  }
  std::size_t held() const {
    return part_.tree.bytes() + planter_.bytes() + own_.bytes() + (sight_ ? sight_->known.bytes() : 0) +
           sums_.capacity() * sizeof(sums_[0]) + 4 * (own_costs_.capacity() + costs_.capacity());
  }
  void count(const tree::Tree& merged) {
    work_.tree.cells = merged.cells.size(), work_.tree.depth = merged.levels.size() - 2;
    for (const auto& cell : merged.cells) work_.tree.leaves += cell.leaf();
    for (const auto cost : own_costs_) work_.cost += cost;
    work_.tree.bytes = bytes_;
  }

  ranks::Transport& transport_;
  TreeSettings settings_;
  Softening softening_;
  Boundary boundary_;
  const tree::Compiled& compiled_;
  Planter<Real> planter_;
  Part part_;
  tree::Memory<M> own_;
  std::optional<Sight<M>> sight_;
  tree::Lattice lattice_;
  tree::Pass pass_;
  std::vector<Vec4<double>> sums_;
  std::vector<std::uint32_t> own_costs_;  ///< of the part's bodies
  std::vector<std::uint32_t> costs_;      ///< of the rank's bodies, in the last evaluation
  RankWork work_;
  ranks::Traffic counted_;
  std::size_t bytes_ = 0;
};

}  // namespace

template <class P>
std::unique_ptr<Forest<P>> make_forest(ranks::Transport& transport, const TreeSettings& settings,
                                       const Softening& softening, const Boundary& boundary) {
  if (settings.device != Device::cpu)
    throw UsageError(fmt::format("'{}' is for the GPU; take cpu/fmm here", text_of(settings)));
  const std::array parts{applicant(settings)};
  if (const auto why =
          why_not(parts, text_of(settings), {.gravity = {.boundary = boundary}, .on_ranks = true}))
    throw UsageError(*why);
  if constexpr (!std::is_same_v<typename P::Math, double>)
    if (!settings.wide) return std::make_unique<OnRanks<P, float>>(transport, settings, softening, boundary);
  return std::make_unique<OnRanks<P, double>>(transport, settings, softening, boundary);
}
template std::unique_ptr<Forest<F32>> make_forest(ranks::Transport&, const TreeSettings&, const Softening&,
                                                  const Boundary&);
template std::unique_ptr<Forest<F64>> make_forest(ranks::Transport&, const TreeSettings&, const Softening&,
                                                  const Boundary&);
template std::unique_ptr<Forest<Mixed>> make_forest(ranks::Transport&, const TreeSettings&, const Softening&,
                                                    const Boundary&);

}  // namespace pleiad::forest
