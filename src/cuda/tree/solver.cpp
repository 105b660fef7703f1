#include "cuda/tree/solver.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda::tree {
namespace {

template <class P>
class OnDevice final : public TreeSolver<P> {
 public:
  using Real = typename P::Position;
  OnDevice(const TreeSettings& settings, FirstRoom room)
      : settings_(settings), forces_(make_forces<P>(settings, stream_.get(), room)) {
    forces_->measure_phases();
  }

  void evaluate(const PairProblem<P>& problem) override {
    need_space(settings_, problem.boundary);
    const Buffer<Mass<Real>> bodies(problem.sources, stream_.get());
    Buffer<Vec4<Real>> sums(problem.sums.size(), stream_.get());
    sums.set_bytes(0xFF);
    forces_->evaluate(bodies.span(), sums.span(), problem.softening, problem.potential);
    sums.copy_to_host(problem.sums);
    work_ = forces_->work();
  }
  const TreeWork& work() const override { return work_; }

 private:
  Stream stream_;
  TreeSettings settings_;
  std::unique_ptr<Forces<Real>> forces_;
  TreeWork work_;
};

}  // namespace

template <class P>
std::unique_ptr<TreeSolver<P>> make_solver(const TreeSettings& settings, FirstRoom room) {
  return std::make_unique<OnDevice<P>>(settings, room);
}
template std::unique_ptr<TreeSolver<F32>> make_solver(const TreeSettings&, FirstRoom);
template std::unique_ptr<TreeSolver<Mixed>> make_solver(const TreeSettings&, FirstRoom);

}  // namespace pleiad::cuda::tree
