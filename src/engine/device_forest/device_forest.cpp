#include "engine/device_forest/device_forest.hpp"

#include "cuda/tree/forces.hpp"
#include "cuda/tree/interactions.hpp"
#include "engine/device_forest/planter.hpp"
#include "engine/device_forest/sight.hpp"
#include "tree/scales.hpp"

#include <cmath>

namespace pleiad {
namespace {

/// How many bodies before and behind the own ones are likely to be needed, as many as lie near a surface:
/// measured, 6 n^(2/3) on two ranks. To make room for more takes the memory of all of them twice.
std::size_t first_guess(std::size_t own) { return 64 + std::size_t(8 * std::pow(double(own), 2.0 / 3)); }

template <class P>
class DeviceForest final : public ForceSolver<P> {
 public:
  using Real = typename P::Position;
  DeviceForest(const TreeSettings& settings, const ranks::Together& all, RanksExchange<Real>& exchange,
               void* stream)
      : settings_(settings),
        all_(all),
        exchange_(exchange),
        stream_(stream),
        order_(cuda::tree::fmm_kernels_for(settings)),
        planter_(all.transport(), exchange, stream),
        tree_(settings_, order_.up, room_, stream),
        interactions_(settings_, order_, room_, stream),
        sight_(all.transport(), exchange, tree_, part_, stream) {
    // What is asked and answered comes and goes many times in an evaluation.
    constexpr std::size_t messages = std::size_t{512} << 20;
    cuda::keep_released(messages);
  }

  void evaluate(const PairProblem<P>& problem) override {
    const auto targets = problem.targets;
    const cuda::InPages scarce(tree_.memory_is_scarce(targets.size()));
    if (behind_ == 0) guess_room(first_guess(targets.size()));
    if (!planter_.plant(targets, problem.sums, problem.softening, problem.potential,
                        std::uint32_t(settings_.leaf_size), in_front_, behind_, tree_, part_)) {
      // As on one GPU.
      cuda::tree::set_nothing<Real>({{problem.sums.data()}}, 0, std::uint32_t(targets.size()), stream_);
      return;
    }
    const bool here = tree_.n > 0;
    while (here && !tree_.know_cells()) {
    }
    if (here) tree_.find_own_moments();
    sight_.begin();
    sight_.look_up(tree::feel_the_same(std::uint32_t(part_.all())));
    if (settings_.mac == Mac::error) find_accelerations();
    sight_.fetch_cells(cuda::tree::acceptance_of(settings_));
    sight_.fetch_bodies();
    if (here) {
      sight_.show_whole_tree(true);
      interactions_.begin(tree_);
      do
        while (!interactions_.know_lists(tree_)) {
        }
      while (interactions_.add(tree_));
    }
    planter_.bring_home(targets, problem.sums, part_, tree_);
    // A little more room, since the next evaluation takes a little more or less.
    in_front_ = sight_.in_front + sight_.in_front / 16 + 64,
    behind_ = sight_.behind + sight_.behind / 16 + 64;
  }

  std::size_t bytes() const override {
    return planter_.bytes() + tree_.bytes() + sight_.bytes() + interactions_.bytes();
  }
  TreeWork work() override {
    TreeWork work{
        .bodies = tree_.n, .cells = tree_.count, .depth = std::size_t(tree_.deepest_level), .bytes = bytes()};
    if (tree_.count > 0 && tree_.finite()) interactions_.count(tree_, work);
    return work;
  }

 private:
  /// The first rank has no bodies before its own ones, and the last none behind.
  void guess_room(std::size_t bodies) {
    const auto& ranks = all_.transport();
    in_front_ = ranks.rank() > 0 ? std::uint32_t(bodies) : 0;
    behind_ = ranks.rank() + 1 < ranks.ranks() ? bodies : 64;
  }
  /// The walk for them opens no other cells than those with more bodies than all that are shown.
  void find_accelerations() {
    if (tree_.n > 0) {
      sight_.show_whole_tree(true);
      tree_.find_accelerations();
      sight_.show_whole_tree(false);
    }
    sight_.tell_accelerations();
  }

  TreeSettings settings_;
  const ranks::Together& all_;
  RanksExchange<Real>& exchange_;
  void* stream_;
  cuda::tree::FirstRoom room_;
  const cuda::tree::OrderKernels& order_;
  device_forest::Planter<Real> planter_;
  cuda::tree::Octree<Real> tree_;
  cuda::tree::Interactions<P> interactions_;
  device_forest::Part part_;
  device_forest::Sight<Real> sight_;
  std::uint32_t in_front_ = 0;  ///< room for bodies of others
  std::size_t behind_ = 0;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_device_forest(const TreeSettings& settings, const ranks::Together& all,
                                                   RanksExchange<typename P::Position>& exchange,
                                                   void* stream) {
  return std::make_unique<DeviceForest<P>>(settings, all, exchange, stream);
}
template std::unique_ptr<ForceSolver<F32>> make_device_forest(const TreeSettings&, const ranks::Together&,
                                                              RanksExchange<float>&, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_device_forest(const TreeSettings&, const ranks::Together&,
                                                                RanksExchange<double>&, void*);

}  // namespace pleiad
