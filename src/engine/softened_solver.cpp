/// Solvers for bodies with softenings of their own, or a spline.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/softened_pull.hpp"
#include "core/threads.hpp"
#include "direct/why_not.hpp"
#include "engine/places.hpp"
#include "engine/semi_active.hpp"
#include "engine/softenings.hpp"
#include "engine/source_blocks.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <ranges>
#include <vector>

namespace pleiad {
namespace {

/// One-sided direct sums in double precision, whatever the precision of the bodies.
template <class P>
class SoftenedSums final : public ForceSolver<P> {
 public:
  SoftenedSums(const Gravity& gravity, const ranks::Collective& all, std::span<const double> eps)
      : softening_(gravity.softening), all_(all), eps_(eps), blocks_(all) {}

  void evaluate(const PairProblem<P>& p) override {
    using S = typename P::Sum;
    const auto bodies = softened_bodies<typename P::Position>(all_, p.targets, eps_);
    sums_.assign(bodies.size(), {});
    blocks_.each(bodies, [&](std::size_t, std::span<const cpu::SoftenedBody> block) {
      const auto sources = with_mass(block, has_mass, massive_);
      cpu::add_softened_pulls({.x = bodies}, {.x = sources}, sums_, softening_, p.boundary);
    });
    for_each_index(bodies.size(), [&](std::size_t i) {
      const auto& s = sums_[i];
      p.sums[i] = {S(s.x), S(s.y), S(s.z), p.potential ? S(s.w) : S(0)};
    });
  }
  std::size_t bytes() const override {
    return eps_.size() * (sizeof(cpu::SoftenedBody) + sizeof(sums_[0])) +
           massive_.capacity() * sizeof(cpu::SoftenedBody) + blocks_.bytes();
  }

 private:
  Softening softening_;
  const ranks::Collective& all_;
  std::span<const double> eps_;
  SourceBlocks<cpu::SoftenedBody> blocks_;
  std::vector<cpu::SoftenedBody> massive_;
  std::vector<Vec4<double>> sums_;
};

/// A tree whose bodies have splines.
template <class P>
class TreeOfSplines final : public ForceSolver<P> {
 public:
  TreeOfSplines(const ForceMethod& method, const Gravity& gravity, std::span<const double> eps)
      : softening_(gravity.softening), eps_(eps), tree_(make_host_solver<P>(method)) {}
  void evaluate(const PairProblem<P>& own) override {
    auto problem = own;
    problem.softening = softening_, problem.softenings = eps_;
    tree_->evaluate(problem);
  }
  std::size_t bytes() const override { return tree_->bytes(); }
  TreeWork work() override { return tree_->work(); }

 private:
  Softening softening_;
  std::span<const double> eps_;
  std::unique_ptr<ForceSolver<P>> tree_;
};

/// Plummer softenings that are few: a tree of the sources of one softening, for all targets with which these
/// have the same softening of pairs. Targets of another softening are bodies without mass in it.
template <class P>
class TreesOfPairs final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  TreesOfPairs(const ForceMethod& method, const Gravity& gravity, std::span<const double> eps)
      : softening_(gravity.softening), eps_(eps), tree_(make_host_solver<P>(method)) {
    values_.assign(eps.begin(), eps.end());
    std::ranges::sort(values_);
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  }

  void evaluate(const PairProblem<P>& p) override {
    work_ = {};
    for_each_index(p.sums.size(), [&](std::size_t i) { p.sums[i] = {}; });
    for (const double of_sources : values_) {
      const bool any = std::ranges::any_of(numbers(p.targets.size()), [&](std::size_t i) {
        return eps_[i] == of_sources && p.targets[i].m > 0;
      });
      if (!any) continue;
      std::vector<double> pairs;
      for (const double of_targets : values_)
        pairs.push_back(pair_eps2(softening_.rule, of_targets, of_sources));
      auto distinct = pairs;
      std::ranges::sort(distinct);
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      for (const double eps2 : distinct) add(p, of_sources, eps2);
    }
  }
  std::size_t bytes() const override {
    return tree_->bytes() + bodies_.capacity() * (sizeof(bodies_[0]) + sizeof(Sum) + sizeof(std::size_t));
  }
  TreeWork work() override { return work_; }

 private:
  static auto numbers(std::size_t n) { return std::views::iota(std::size_t{0}, n); }

  void add(const PairProblem<P>& p, double of_sources, double eps2) {
    bodies_.clear(), places_.clear();
    for (std::size_t i = 0; i < p.targets.size(); ++i) {
      const bool target = pair_eps2(softening_.rule, eps_[i], of_sources) == eps2;
      const bool source = eps_[i] == of_sources;
      if (!target && !(source && p.targets[i].m > 0)) continue;
      auto body = p.targets[i];
      if (!source) body.m = 0;
      bodies_.push_back(body), places_.push_back(target ? i : nowhere);
    }
    if (std::ranges::all_of(places_, [](std::size_t i) { return i == nowhere; })) return;
    sums_.resize(bodies_.size());
    auto problem = p;
    problem.targets = problem.sources = bodies_;
    problem.sums = sums_;
    problem.softening = {.eps = std::sqrt(eps2)};
    tree_->evaluate(problem);
    const auto work = tree_->work();
    work_.pairs += work.pairs, work_.cell_pairs += work.cell_pairs;
    for_each_index(places_.size(), [&](std::size_t k) {
      if (places_[k] == nowhere) return;
      auto& sum = p.sums[places_[k]];
      const auto& s = sums_[k];
      sum.x += s.x, sum.y += s.y, sum.z += s.z, sum.w += s.w;
    });
  }

  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  Softening softening_;
  std::span<const double> eps_;
  std::unique_ptr<ForceSolver<P>> tree_;
  TreeWork work_;
  std::vector<double> values_;  ///< the different softenings, rising
  std::vector<Mass<T>> bodies_;
  std::vector<std::size_t> places_;  ///< of the targets among bodies_
  std::vector<Sum> sums_;
};

}  // namespace

std::vector<Vec4<double>> direct_sums(const Bodies& b, const Gravity& gravity) {
  const auto points = places_of<double>(b);
  std::vector<Vec4<double>> sums(points.size());
  Gravity law = gravity;
  law.softening = softening_of(b, gravity.softening);
  const auto method = choose_direct_kernel(points.size(), Precision::f64, law).method;
  const ranks::Collective here;
  const PairProblem<F64> problem{.targets = points,
                                 .sources = points,
                                 .sums = sums,
                                 .softening = law.softening,
                                 .boundary = law.boundary,
                                 .self = 0,
                                 .potential = true};
  if (const SemiActiveBodies semi_active(b, law, here.comm()); semi_active.any()) {
    const TestParticles particles(here, b.size(),
                                  [&](std::size_t i) { return b.mass[i] > 0 && !semi_active.has(i); });
    make_semi_active_solver<F64>(method, law, here, particles, semi_active)->evaluate(problem);
  } else if (law.softening.plain()) {
    method.kernel->f64(problem, method.shape);
  } else {
    const auto eps = softenings_of(b, law.softening);
    make_softened_solver<F64>(method, law, here, eps)->evaluate(problem);
  }
  return sums;
}

template <class P>
std::unique_ptr<ForceSolver<P>> make_softened_solver(const ForceMethod& method, const Gravity& gravity,
                                                     const ranks::Collective& all,
                                                     std::span<const double> eps) {
  need_able(method, {.gravity = gravity, .on_ranks = all.comm().ranks() > 1});
  if (method.tree && gravity.softening.kernel == SofteningKernel::spline)
    return std::make_unique<TreeOfSplines<P>>(method, gravity, eps);
  if (method.tree) return std::make_unique<TreesOfPairs<P>>(method, gravity, eps);
  return std::make_unique<SoftenedSums<P>>(gravity, all, eps);
}
template std::unique_ptr<ForceSolver<F32>> make_softened_solver(const ForceMethod&, const Gravity&,
                                                                const ranks::Collective&,
                                                                std::span<const double>);
template std::unique_ptr<ForceSolver<F64>> make_softened_solver(const ForceMethod&, const Gravity&,
                                                                const ranks::Collective&,
                                                                std::span<const double>);
template std::unique_ptr<ForceSolver<Mixed>> make_softened_solver(const ForceMethod&, const Gravity&,
                                                                  const ranks::Collective&,
                                                                  std::span<const double>);

}  // namespace pleiad
