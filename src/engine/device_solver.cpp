/// Solvers on one GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree/forces.hpp"
#include "engine/device_kernels.hpp"
#include "engine/force_solver.hpp"

namespace pleiad {
namespace {

template <class P>
class Tree final : public ForceSolver<P> {
 public:
  Tree(const TreeSettings& settings, void* stream) : tree_(cuda::tree::make_forces<P>(settings, stream)) {}
  void evaluate(const PairProblem<P>& problem) override {
    tree_->evaluate(problem.sources, problem.sums, problem.softening, problem.potential);
  }
  std::size_t bytes() const override { return tree_->bytes(); }
  TreeWork work() override { return tree_->work(); }

 private:
  std::unique_ptr<cuda::tree::Forces<typename P::Position>> tree_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_device_solver(const ForceMethod& m, void* stream) {
  if (m.tree) return std::make_unique<Tree<P>>(*m.tree, stream);
  // Not all shapes can sum potentials.
  return std::make_unique<DirectSums<P>>(*m.kernel, m.shape, with_potential(*m.kernel), LaunchShape{});
}
template std::unique_ptr<ForceSolver<F32>> make_device_solver(const ForceMethod&, void*);
template std::unique_ptr<ForceSolver<F64>> make_device_solver(const ForceMethod&, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_device_solver(const ForceMethod&, void*);

}  // namespace pleiad
