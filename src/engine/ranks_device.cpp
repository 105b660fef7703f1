#include "engine/ranks_device.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/tree/forces.hpp"
#include "direct/why_not.hpp"
#include "engine/device_domain/device_domain.hpp"
#include "engine/device_kernels.hpp"
#include "engine/gpu_engine.hpp"

#include <pleiad/error.hpp>

#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// A tree of all bodies on every GPU, which finds the accelerations of a part of the leaves.
template <class P>
class RanksTree final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  RanksTree(const TreeSettings& settings, const ranks::Collective& all, RanksExchange<T>& exchange,
            void* stream)
      : all_(all),
        exchange_(exchange),
        tree_(cuda::tree::make_forces<P>(settings, stream)),
        found_(all.division().bodies, stream) {}

  void evaluate(const PairProblem<P>& problem) override {
    found_.set_bytes(0);
    tree_->begin({.bodies = problem.sources,
                  .sums = {{found_.data()}},
                  .softening = problem.softening,
                  .potential = problem.potential,
                  .part = all_.comm().rank(),
                  .parts = all_.comm().ranks()});
    while (tree_->go_on()) {
    }
    exchange_.give_to_owners(std::as_const(found_).data(), problem.sums.data());
  }
  std::size_t bytes() const override { return tree_->bytes() + found_.size() * sizeof(Vec4<T>); }
  TreeWork work() override { return tree_->work(); }

 private:
  const ranks::Collective& all_;
  RanksExchange<T>& exchange_;
  std::unique_ptr<cuda::tree::Forces<T>> tree_;
  cuda::Buffer<Vec4<T>> found_;
};

}  // namespace

bool divides_tree(const Choice& choice, Precision precision, const ranks::Collective& all) {
  if (choice.divide_tree == DivideTree::no) return false;
  const auto why =
      why_not(choice.method, {.precision = precision, .on_ranks = true, .must_divide_tree = true});
  if (choice.divide_tree == DivideTree::yes && why) throw UsageError(*why, Error::Code::unsupported);
  if (why) return false;
  if (choice.divide_tree == DivideTree::yes) return true;
  // Bytes for each body on each GPU of a tree of all bodies, without the state: 180 to 220 in single
  // precision on smooth spheres.
  constexpr double of_tree = 240;
  const auto n = all.division().bodies;
  const double needed = double(device_engine_bytes(n, precision, true, std::size_t(all.division().ranks))) +
                        of_tree * double(n);
  return all.max(needed > double(cuda::device_memory().first) ? 1 : 0) > 0;
}

template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_device_solver(const ForceMethod& method, bool divided,
                                                         const ranks::Collective& all,
                                                         RanksExchange<typename P::Position>& exchange,
                                                         void* stream) {
  if constexpr (!std::is_same_v<P, F64>)
    if (divided && method.tree &&
        !why_not(method, {.on_ranks = true, .must_divide_tree = true, .resumes = false}))
      return make_device_domain<P>(*method.tree, all, exchange, stream);
  if (divided)
    throw UsageError(fmt::format("a divided tree cannot be replaced by '{}' during a run", text_of(method)));
  if (method.tree) return std::make_unique<RanksTree<P>>(*method.tree, all, exchange, stream);
  return std::make_unique<DirectSums<P>>(*method.kernel, method.shape,
                                         one_sided_with_potential(*method.kernel), LaunchShape{});
}
template std::unique_ptr<ForceSolver<F32>> make_ranks_device_solver(const ForceMethod&, bool,
                                                                    const ranks::Collective&,
                                                                    RanksExchange<float>&, void*);
template std::unique_ptr<ForceSolver<F64>> make_ranks_device_solver(const ForceMethod&, bool,
                                                                    const ranks::Collective&,
                                                                    RanksExchange<double>&, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_ranks_device_solver(const ForceMethod&, bool,
                                                                      const ranks::Collective&,
                                                                      RanksExchange<double>&, void*);

}  // namespace pleiad
