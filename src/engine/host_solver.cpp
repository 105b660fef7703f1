/// Solvers on the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/force_solver.hpp"

namespace pleiad {
namespace {

template <class P>
class Tree final : public ForceSolver<P> {
 public:
  explicit Tree(const TreeSettings& settings) : tree_(make_tree_solver<P>(settings)) {}
  void evaluate(const PairProblem<P>& problem) override { tree_->evaluate(problem); }
  std::size_t bytes() const override { return tree_->work().bytes; }
  TreeWork work() override { return tree_->work(); }

 private:
  std::unique_ptr<TreeSolver<P>> tree_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod& m) {
  if (m.tree) return std::make_unique<Tree<P>>(*m.tree);
  return std::make_unique<DirectSums<P>>(*m.kernel, m.shape, *m.kernel, m.shape);
}
template std::unique_ptr<ForceSolver<F32>> make_host_solver(const ForceMethod&);
template std::unique_ptr<ForceSolver<F64>> make_host_solver(const ForceMethod&);
template std::unique_ptr<ForceSolver<Mixed>> make_host_solver(const ForceMethod&);

}  // namespace pleiad
