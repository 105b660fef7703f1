/// Solvers on the host: those of one process, and those whose targets are this rank's bodies and whose
/// sources are those of all ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cpu/direct/ewald_parts.hpp"
#include "direct/why_not.hpp"
#include "domain/distributed_tree.hpp"
#include "engine/force_solver.hpp"
#include "engine/ranks_ewald.hpp"
#include "engine/ranks_pairs.hpp"
#include "engine/source_blocks.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Where one of a group of targets is among all bodies, if it matters.
using Own = std::function<std::ptrdiff_t(std::size_t)>;

/// Direct sums, bit for bit those of one process: symmetric pairs as cpu/symmetric; over blocks of sources,
/// rows of targets as cpu/threads, Ewald summation as cpu/ewald.
template <class P>
class RankSums final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  /// `symmetric`: where that gives what is asked for.
  RankSums(const ranks::Collective& all, bool symmetric) : all_(all), sources_(all) {
    if (symmetric) pairs_.emplace(all);
  }
  std::size_t bytes() const override {
    return sources_.bytes() + (pairs_ ? pairs_->bytes() : 0) +
           (totals_.size() + begins_.size() * cpu::EwaldParts<P>::group_sums) * sizeof(double);
  }
  void evaluate(const PairProblem<P>& own) override {
    if (own.boundary.all_images()) sum_all_images(own);
    else if (!pairs_ || !pairs_->evaluate(own)) sum_rows(own);
  }

 private:
  void sum_all_images(PairProblem<P> p) {
    p.self = std::ptrdiff_t(all_.first());
    begins_.clear();
    for (std::size_t begin = 0; begin < p.targets.size(); begin += cpu::ewald_rows) begins_.push_back(begin);
    collective_ewald<P>(all_, sources_, p, p.sources, begins_);
  }
  void sum_rows(const PairProblem<P>& own) {
    auto& comm = all_.comm();
    const auto bounds = collective_bounds(comm, own.sources);
    const auto scale = collective_scale<P>(bounds, own.softening, own.boundary);
    const auto close = sum(own, scale, cpu::rows_at_once(all_.division().bodies), own.sources,
                           [&](std::size_t begin) { return std::ptrdiff_t(all_.first() + begin); });
    if constexpr (std::is_same_v<P, Mixed>)
      if (!ranks::all(comm, close.empty()))
        sum_again(own, collective_scale<F64>(bounds, own.softening, own.boundary), close);
  }
  /// See cpu::sum_again.
  void sum_again(const PairProblem<P>& own, const cpu::Scale& scale, std::span<const std::size_t> close) {
    std::vector<Mass<double>> targets;
    for (const auto i : close) targets.push_back(own.targets[i]);
    std::vector<Vec4<double>> sums(close.size());
    const PairProblem<F64> again{.targets = targets,
                                 .sources = {},
                                 .sums = sums,
                                 .softening = own.softening,
                                 .boundary = own.boundary,
                                 .potential = own.potential};
    if (own.potential)
      sum(again, scale, 1, own.sources,
          [&](std::size_t k) { return std::ptrdiff_t(all_.first() + close[k]); });
    else sum(again, scale, cpu::most_rows, own.sources, [](std::size_t) { return not_a_source; });
    for (std::size_t k = 0; k < close.size(); ++k) own.sums[close[k]] = sums[k];
  }

  /// Sums of the targets of p, `together` at a time; returns those that have to be summed again.
  template <class Q>
  std::vector<std::size_t> sum(const PairProblem<Q>& p, const cpu::Scale& scale, std::size_t together,
                               std::span<const Mass<T>> own, const Own& number) {
    const std::size_t n = p.targets.size(), groups = (n + together - 1) / together;
    totals_.assign(components * n, 0);
    const auto each = [&](const auto& work) {
      parallel_for(groups, [&](std::size_t g) {
        const std::size_t begin = g * together, count = std::min(together, n - begin);
        cpu::RowTotals totals{};
        copy(
            begin, count, [&](double& kept, double& here) { here = kept; }, totals);
        work(g, begin, count, totals);
        copy(
            begin, count, [&](double& kept, double& here) { kept = here; }, totals);
      });
    };
    sources_.each(own, [&](std::size_t first, std::span<const Mass<T>> block) {
      auto part = p;
      part.sources = block;
      each([&](std::size_t, std::size_t begin, std::size_t count, cpu::RowTotals& totals) {
        cpu::add_to_rows(part, scale, begin, count, number(begin) - std::ptrdiff_t(first), totals);
      });
    });
    std::vector<std::vector<std::size_t>> close(groups);
    each([&](std::size_t g, std::size_t begin, std::size_t count, cpu::RowTotals& totals) {
      cpu::finish_rows(p, scale, begin, count, totals, close[g]);
    });
    std::vector<std::size_t> all;
    for (const auto& some : close) all.insert(all.end(), some.begin(), some.end());
    return all;
  }
  /// both(what is kept, what is in totals) of the targets [begin, begin + count).
  template <class Both>
  void copy(std::size_t begin, std::size_t count, const Both& both, cpu::RowTotals& totals) {
    double* kept = totals_.data() + components * begin;
    for (auto& component : totals.of)
      for (std::size_t i = 0; i < count; ++i) both(*kept++, component[i]);
  }

  static constexpr std::size_t components = std::extent_v<decltype(cpu::RowTotals::of)>;

  const ranks::Collective& all_;
  std::optional<RankPairs<P>> pairs_;
  SourceBlocks<Mass<T>> sources_;
  std::vector<double> totals_;
  std::vector<std::size_t> begins_;  ///< of groups of targets of Ewald's sums
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod& m) {
  if (m.tree) return make_tree_solver<P>(*m.tree);
  return std::make_unique<DirectSums<P>>(*m.kernel, m.shape, *m.kernel, m.shape);
}

template <class P>
std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod& method, const Gravity& gravity,
                                                 const ranks::Collective& all) {
  if (all.comm().ranks() == 1) return make_host_solver<P>(method);
  need_able(method, {.gravity = gravity, .on_ranks = true});
  if (method.tree) return domain::make_distributed_tree<P>(all.comm(), *method.tree);
  return std::make_unique<RankSums<P>>(all, !method.kernel->traits.separate_targets);
}

#define PLEIAD_HOST_SOLVERS(P)                                                                  \
  template std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod&);                \
  template std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod&, const Gravity&, \
                                                            const ranks::Collective&);
PLEIAD_HOST_SOLVERS(F32)
PLEIAD_HOST_SOLVERS(F64)
PLEIAD_HOST_SOLVERS(Mixed)
#undef PLEIAD_HOST_SOLVERS

}  // namespace pleiad
