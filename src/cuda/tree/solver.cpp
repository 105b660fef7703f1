#include "cuda/tree/solver.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda::tree {
namespace {

template <class P>
class OnDevice final : public TreeSolver<P> {
 public:
  using Real = typename P::Position;
  OnDevice(const TreeSettings& settings, FirstRoom room) : fmm_(settings, stream_.get(), room) {
    fmm_.measure_phases();
  }

  void evaluate(const PairProblem<P>& problem) override {
    if (problem.boundary.periodic)
      throw UsageError(
          "'cuda/fmm': it knows open space only; in a periodic box take cpu/fmm with gravity.images = "
          "\"all\", or "
          "direct sums");
    const Buffer<Mass<Real>> bodies(problem.sources, stream_.get());
    Buffer<Vec4<Real>> sums(problem.sums.size(), stream_.get());
    sums.set_bytes(0xFF);
    fmm_.evaluate(bodies.span(), sums.span(), problem.softening, problem.potential);
    sums.copy_to_host(problem.sums);
    work_ = fmm_.work();
  }
  const TreeWork& work() const override { return work_; }

 private:
  Stream stream_;
  Fmm<P> fmm_;
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
