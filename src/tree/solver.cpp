/// A tree's solver: builds the tree, has the compiled method of the right order run over it, and brings the
/// sums back into the caller's order and units.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cpu/update.hpp"
#include "tree/cpu/methods.hpp"
#include "tree/cpu/pass.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace pleiad {
namespace {

template <class P>
class OnHost final : public ForceSolver<P> {
 public:
  using Real = typename P::Position;

  explicit OnHost(const TreeSettings& settings)
      : settings_(settings),
        compiled_(tree::compiled(settings.solver, settings.order)),
        wide_(settings.wide || std::is_same_v<typename P::Math, double>) {}

  void evaluate(const PairProblem<P>& problem) override {
    const bool all_images = problem.boundary.all_images();
    need_space(settings_, problem.boundary);
    if (all_images) lattice_.set(problem.boundary, problem.softening.eps);
    work_ = {.bodies = problem.sources.size()};
    const double start = tree::seconds();
    const bool built = make_cells(in_box(problem));
    work_.build = tree::seconds() - start;
    if (problem.sources.empty()) return;
    if (!built) {
      // As with direct sums, where a body that is nowhere pulls on all with NaN.
      constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
      std::fill(problem.sums.begin(), problem.sums.end(), Vec4<typename P::Sum>{nan, nan, nan, nan});
      return;
    }
    sums_.resize(problem.sources.size());
    const bool by_error = settings_.mac == Mac::error;
    if (all_images) lattice_.take(tree_);
    const double eps = problem.softening.eps / tree_.length;
    const auto& softening = problem.softening;
    const bool spline = !problem.softenings.empty() || !softening.plain();
    splines_.clear();
    if (spline) splines_.take(tree_, problem.softenings, softening.eps, softening.rule);
    const tree::Pass pass{.theta = by_error ? 1.0 : settings_.theta,
                          .eps = spline ? 0 : eps,
                          .tolerance = by_error ? settings_.tolerance : 0,
                          .mac = settings_.mac,
                          .group = settings_.group,
                          .potential = problem.potential,
                          .sums = sums_,
                          .splines = splines_.any() ? &splines_ : nullptr,
                          .lattice = all_images ? &lattice_ : nullptr,
                          .images = all_images ? lattice_.images() : tree::Pass::open_space};
    if (wide_) compiled_.wide(tree_, doubles_, pass, work_);
    else compiled_.narrow(tree_, floats_, pass, work_);
    if (all_images) lattice_.add(tree_, sums_);
    give(problem.sums);
    count_work();
  }
  std::size_t bytes() const override { return work_.bytes; }
  TreeWork work() override { return work_; }

 private:
  /// Anew, or those of the evaluations before with the bodies where they are now.
  bool make_cells(std::span<const Mass<Real>> bodies) {
    const bool keeps = age_ > 0 && age_ < settings_.rebuild_every && tree_.order.size() == bodies.size();
    const bool made =
        keeps ? tree::refresh<Real>(tree_, bodies)
              : tree::build<Real>(tree_, bodies, std::uint32_t(settings_.leaf_size), settings_.structure);
    age_ = !made ? 0 : keeps ? age_ + 1 : 1;
    return made;
  }
  /// The bodies as they are, or wrapped into their box.
  std::span<const Mass<Real>> in_box(const PairProblem<P>& problem) {
    if (!problem.boundary.periodic) return problem.sources;
    wrapped_.assign(problem.sources.begin(), problem.sources.end());
    cpu::wrap<Real>(wrapped_, problem.boundary);
    return wrapped_;
  }
  void give(std::span<Vec4<typename P::Sum>> out) {
    using Sum = typename P::Sum;
    const double potential = tree_.mass / tree_.length, pull = potential / tree_.length;
    for_each_index(out.size(), [&](std::size_t i) {
      const auto& s = sums_[i];
      // The tree's potential is positive; a 0 stays +0.
      out[tree_.order[i]] = {Sum(pull * s.x), Sum(pull * s.y), Sum(pull * s.z), Sum(0 - potential * s.w)};
    });
  }
  void count_work() {
    work_.cells = tree_.cells.size(), work_.depth = tree_.levels.size() - 2;
    for (const auto& cell : tree_.cells) work_.leaves += cell.leaf();
    work_.bytes = tree_.bytes() + floats_.bytes() + doubles_.bytes() + splines_.bytes() +
                  sums_.capacity() * sizeof(Vec4<double>);
  }

  TreeSettings settings_;
  const tree::Compiled& compiled_;
  bool wide_;
  int age_ = 0;  ///< evaluations with these cells
  tree::Tree tree_;
  tree::Lattice lattice_;
  tree::Splines splines_;
  std::vector<Mass<Real>> wrapped_;
  tree::Memory<float> floats_;
  tree::Memory<double> doubles_;
  std::vector<Vec4<double>> sums_;
  TreeWork work_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_tree_solver(const TreeSettings& settings) {
  need_able(settings);
  if (settings.device != Device::cpu)
    throw UsageError("'" + text_of(settings) + "' is for the GPU; take cpu/fmm here");
  return std::make_unique<OnHost<P>>(settings);
}
template std::unique_ptr<ForceSolver<F32>> make_tree_solver(const TreeSettings&);
template std::unique_ptr<ForceSolver<F64>> make_tree_solver(const TreeSettings&);
template std::unique_ptr<ForceSolver<Mixed>> make_tree_solver(const TreeSettings&);

}  // namespace pleiad
