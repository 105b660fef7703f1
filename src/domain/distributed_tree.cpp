#include "domain/distributed_tree.hpp"

#include "core/threads.hpp"
#include "domain/blocks.hpp"
#include "domain/host_cells.hpp"
#include "domain/host_particles.hpp"
#include "domain/merge.hpp"
#include "domain/release.hpp"
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

namespace pleiad::domain {
namespace {

/// M: of expansions and pairs.
template <class P, class M>
class DistributedTree final : public ForceSolver<P>, private HostCells<M> {
 public:
  using Real = typename P::Position;
  using Sum = typename P::Sum;

  DistributedTree(ranks::Communicator& comm, const TreeSettings& settings, RankWork* work)
      : Base(comm, settings), particles_(comm, tree_), domain_(comm, particles_, *this), rank_work_(work) {}

  void evaluate(const PairProblem<P>& problem) override {
    need_space(settings_, problem.boundary);
    const auto own = problem.targets;
    const auto sums = problem.sums;
    problem_ = problem;
    if (problem.boundary.all_images()) lattice_.set(problem.boundary, problem.softening.eps);
    work_ = {}, bytes_ = 0;
    if (!ranks::all(comm_, costs_.size() == own.size())) costs_.clear();
    particles_.take(own, problem.boundary, costs_, std::uint32_t(settings_.leaf_size));
    // What is one thing to the evaluation: leaves, groups.
    const auto together = std::uint64_t(std::max(settings_.leaf_size, settings_.group));
    if (!domain_.evaluate(settings_, together, settings_.mac == Mac::error)) {
      // As in one process.
      constexpr auto nan = std::numeric_limits<Sum>::quiet_NaN();
      std::fill(sums.begin(), sums.end(), Vec4<Sum>{nan, nan, nan, nan});
      costs_.clear();
    }
    forget();
    work_.build = domain_.work().tree.build, work_.bytes = bytes_;
    domain_.work().tree = work_;
    if (rank_work_ != nullptr) *rank_work_ = domain_.work();
  }
  std::size_t bytes() const override { return bytes_; }
  TreeWork work() override { return work_; }

 private:
  using Base = HostCells<M>;
  using Base::comm_, Base::settings_, Base::tree_, Base::own_, Base::there_, Base::known, Base::pass_,
      Base::work_, Base::forget;

  void find_moments() override {
    const bool by_error = settings_.mac == Mac::error;
    pass_ = {.theta = by_error ? 1.0 : settings_.theta,
             .eps = problem_.softening.eps / tree_.length,
             .tolerance = by_error ? settings_.tolerance : 0,
             .mac = settings_.mac,
             .group = settings_.group,
             .potential = problem_.potential,
             .sums = {}};
    if (problem_.boundary.all_images()) take_field();
    Base::find_moments();
  }

  /// Adds the field of the images that are not walked.
  void take_field() {
    constexpr std::size_t block = tree::Lattice::block;
    const auto& tree = tree_;
    const auto& part = domain_.part();
    lattice_.take_units(tree);
    const std::size_t n = tree.m.size(), begin = before_first_block(part.first(), n, block),
                      end = begin + (n - begin) / block * block;
    std::vector<Mass<double>> begun;
    for (std::size_t i = 0; i < begin; ++i) begun.push_back({tree.x[i], tree.y[i], tree.z[i], tree.m[i]});
    tree::Tree last;
    const auto add = [&](const Mass<double>& b) {
      last.x.push_back(b.x), last.y.push_back(b.y), last.z.push_back(b.z), last.m.push_back(b.m);
    };
    for (auto i = end; i < n; ++i) add({tree.x[i], tree.y[i], tree.z[i], tree.m[i]});
    for (const auto& b : rest_of_last_block<Mass<double>>(comm_, begun, part.firsts, block)) add(b);
    // One rank after the other, as blocks are added one after the other.
    tree::Lattice::Terms moments{};
    for (int r = 0; r < comm_.ranks(); ++r) {
      if (r == part.rank) {
        lattice_.add_moments(tree, begin, end, moments);
        lattice_.add_moments(last, 0, last.m.size(), moments);
      }
      ranks::begin_broadcast<double>(comm_, moments, r)();
    }
    lattice_.take_moments(moments);
    pass_.lattice = &lattice_, pass_.images = lattice_.images();
  }

  void find_forces() override {
    const std::size_t n = tree_.m.size();
    work_.bodies = n;
    if (n == 0) return;
    auto merged = merge_cells(tree_, comm_.rank(), known, there_);
    release(known);
    const auto count_bytes = [&] {
      bytes_ = std::max(bytes_, held() + merged.tree.bytes() + merged.memory.bytes());
    };
    move_bodies(tree_, there_, merged);
    release(there_.bodies);
    count_bytes();
    move_moments(own_, there_.memory, merged);
    forget();
    sums_.resize(n), own_costs_.resize(n);
    pass_.sums = sums_, pass_.costs = own_costs_;
    Base::evaluate(merged.tree, merged.memory, tree::Stage::forces);
    if (pass_.lattice != nullptr) lattice_.add(merged.tree, sums_);
    count_bytes();
    work_.cells = merged.tree.cells.size(), work_.depth = merged.tree.levels.size() - 2;
    for (const auto& cell : merged.tree.cells) work_.leaves += cell.leaf();
    for (const auto cost : own_costs_) domain_.work().cost += cost;
  }

  void return_forces(const SendLists& lists) override {
    const auto& tree = tree_;
    const double potential = tree.mass / tree.length, pull = potential / tree.length;
    std::vector<Vec4<Sum>> values(sums_.size());
    for_each_index(values.size(), [&](std::size_t i) {
      const auto& s = sums_[i];
      // The tree's potential is positive; a 0 stays +0.
      values[tree.order[i]] = {Sum(pull * s.x), Sum(pull * s.y), Sum(pull * s.z), Sum(0 - potential * s.w)};
    });
    release(sums_);
    particles_.template send_back<Vec4<Sum>>(std::move(values), problem_.sums, lists);
    std::vector<std::uint32_t> costs(own_costs_.size());
    for_each_index(costs.size(), [&](std::size_t i) { costs[tree.order[i]] = own_costs_[i]; });
    costs_.resize(problem_.sums.size());
    particles_.template send_back<std::uint32_t>(std::move(costs), costs_, lists);
    release(tree_, own_costs_);
  }

  std::size_t held() const {
    return tree_.bytes() + particles_.bytes() + own_.bytes() + there_.bytes() +
           sums_.capacity() * sizeof(sums_[0]) + 4 * (own_costs_.capacity() + costs_.capacity());
  }

  HostParticles<Real> particles_;
  Domain domain_;
  tree::Lattice lattice_;
  // Of the evaluation.
  PairProblem<P> problem_{};
  std::vector<Vec4<double>> sums_;
  std::vector<std::uint32_t> own_costs_;  ///< of the part's bodies
  std::vector<std::uint32_t> costs_;      ///< of the rank's bodies, in the last evaluation
  std::size_t bytes_ = 0;
  RankWork* rank_work_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_distributed_tree(ranks::Communicator& comm, const TreeSettings& settings,
                                                      RankWork* work) {
  if (settings.device != Device::cpu)
    throw UsageError(fmt::format("'{}' is for the GPU; take cpu/fmm here", text_of(settings)));
  const std::array parts{applicant(settings)};
  if (const auto why = why_not(parts, text_of(settings), {.on_ranks = true}))
    throw UsageError(*why, Error::Code::unsupported);
  if constexpr (!std::is_same_v<typename P::Math, double>)
    if (!settings.wide) return std::make_unique<DistributedTree<P, float>>(comm, settings, work);
  return std::make_unique<DistributedTree<P, double>>(comm, settings, work);
}
template std::unique_ptr<ForceSolver<F32>> make_distributed_tree(ranks::Communicator&, const TreeSettings&,
                                                                 RankWork*);
template std::unique_ptr<ForceSolver<F64>> make_distributed_tree(ranks::Communicator&, const TreeSettings&,
                                                                 RankWork*);
template std::unique_ptr<ForceSolver<Mixed>> make_distributed_tree(ranks::Communicator&, const TreeSettings&,
                                                                   RankWork*);

}  // namespace pleiad::domain
