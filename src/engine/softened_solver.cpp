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
#include "engine/test_particles.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
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
/// have the same softening of pairs. Targets of another softening are bodies without mass in it. On several
/// ranks the bodies of such a tree are divided among the ranks by their own number.
template <class P>
class TreesOfPairs final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  TreesOfPairs(const ForceMethod& method, const Gravity& gravity, const ranks::Collective& all,
               std::span<const double> eps)
      : method_(method),
        law_(gravity),
        softening_(gravity.softening),
        all_(all),
        eps_(eps),
        tree_(make_host_solver<P>(method)) {
    values_.assign(eps.begin(), eps.end());
    keep_distinct(values_);
    values_ = ranks::all_gather<double>(all.comm(), std::span<const double>(values_)).data;
    keep_distinct(values_);
  }

  void evaluate(const PairProblem<P>& p) override {
    work_ = {};
    for_each_index(p.sums.size(), [&](std::size_t i) { p.sums[i] = {}; });
    for (const double of_sources : values_) {
      if (!anywhere(p, [&](std::size_t i) { return eps_[i] == of_sources && p.targets[i].m > 0; })) continue;
      std::vector<double> pairs;
      for (const double of_targets : values_)
        pairs.push_back(pair_eps2(softening_.rule, of_targets, of_sources));
      keep_distinct(pairs);
      for (const double eps2 : pairs) add(p, of_sources, eps2);
    }
  }
  std::size_t bytes() const override {
    return tree_->bytes() + bodies_.capacity() * (sizeof(bodies_[0]) + sizeof(Sum) + sizeof(std::size_t));
  }
  TreeWork work() override { return work_; }

 private:
  static void keep_distinct(std::vector<double>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  /// Whether the condition is fulfilled by a body of any rank.
  template <class Is>
  bool anywhere(const PairProblem<P>& p, const Is& is) const {
    const bool here = std::ranges::any_of(std::views::iota(std::size_t{0}, p.targets.size()), is);
    return all_.max(here ? 1 : 0) > 0;
  }

  void add(const PairProblem<P>& p, double of_sources, double eps2) {
    const auto is_target = [&](std::size_t i) {
      return pair_eps2(softening_.rule, eps_[i], of_sources) == eps2;
    };
    if (!anywhere(p, is_target)) return;
    const auto is_source = [&](std::size_t i) { return eps_[i] == of_sources && p.targets[i].m > 0; };
    const TestParticles subset(all_, p.targets.size(),
                               [&](std::size_t i) { return is_target(i) || is_source(i); });
    bodies_ = subset.of_massive([&](std::size_t i) {
      auto body = p.targets[i];
      if (!is_source(i)) body.m = 0;
      return body;
    });
    const auto share = subset.share<Mass<T>>(bodies_);
    sums_.resize(share.size());
    auto problem = p;
    problem.targets = problem.sources = share;
    problem.sums = sums_;
    problem.softening = {.eps = std::sqrt(eps2)};
    const bool alone = all_.comm().ranks() == 1;
    std::unique_ptr<ForceSolver<P>> of_ranks;
    if (!alone) {
      auto law = law_;
      law.softening = problem.softening;
      of_ranks = make_host_solver<P>(method_, law, subset.among_massive());
    }
    auto& solver = alone ? *tree_ : *of_ranks;
    solver.evaluate(problem);
    const auto work = solver.work();
    work_.pairs += work.pairs, work_.cell_pairs += work.cell_pairs;
    if (!alone) sums_ = ranks::all_gather<Sum>(all_.comm(), std::span<const Sum>(sums_)).data;
    const auto here = subset.here();
    for_each_index(here.size(), [&](std::size_t k) {
      if (!is_target(here[k])) return;
      auto& sum = p.sums[here[k]];
      const auto& s = sums_[subset.before() + k];
      sum.x += s.x, sum.y += s.y, sum.z += s.z, sum.w += s.w;
    });
  }

  ForceMethod method_;
  Gravity law_;
  Softening softening_;
  const ranks::Collective& all_;
  std::span<const double> eps_;
  std::unique_ptr<ForceSolver<P>> tree_;  ///< of one process
  TreeWork work_;
  std::vector<double> values_;  ///< the different softenings, rising
  std::vector<Mass<T>> bodies_;
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
  if (method.tree) return std::make_unique<TreesOfPairs<P>>(method, gravity, all, eps);
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
