#include "engine/tree_trial.hpp"

#include "engine/device.hpp"
#include "engine/force_solver.hpp"
#include "engine/places.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/softenings.hpp"

namespace pleiad {
namespace {

template <class P>
class OnHost final : public TreeTrial {
 public:
  using Real = typename P::Position;
  OnHost(const Bodies& bodies, const Gravity& gravity, ranks::Communicator& ranks)
      : gravity_(gravity), all_(ranks, bodies.size()), x_(places_of<Real>(bodies)), sums_(bodies.size()) {
    gravity_.softening = softening_of(bodies, gravity.softening, ranks);
    if (!gravity_.softening.plain()) eps_ = softenings_of(bodies, gravity_.softening);
  }
  void take(const TreeSettings& settings) override {
    solver_.reset();  // before the next one asks for memory
    solver_ = gravity_.softening.plain() ? make_host_solver<P>({.tree = settings}, gravity_, all_)
                                         : make_softened_solver<P>({.tree = settings}, gravity_, all_, eps_);
  }
  void evaluate() override {
    solver_->evaluate({.targets = x_,
                       .sources = x_,
                       .sums = sums_,
                       .softening = gravity_.softening,
                       .boundary = gravity_.boundary});
  }
  std::vector<Vec3<double>> accelerations(std::span<const std::size_t> chosen) override {
    return of_chosen(all_, x_.size(), chosen, [&](std::size_t i) {
      return own_accelerations({&i, 1}).front();
    });
  }
  std::vector<Vec3<double>> own_accelerations(std::span<const std::size_t> own) override {
    return accelerations_of<Real>(sums_, gravity_.G, own);
  }
  TreeWork work() const override { return solver_->work(); }

 private:
  Gravity gravity_;
  ranks::Collective all_;
  std::vector<Mass<Real>> x_;
  std::vector<double> eps_;  ///< of each body, if there is more than one softening
  std::vector<Vec4<Real>> sums_;
  std::unique_ptr<ForceSolver<P>> solver_;
};

}  // namespace

std::unique_ptr<TreeTrial> make_tree_trial(Device where, const Bodies& bodies, const Gravity& gravity,
                                           Precision precision, ranks::Communicator& ranks,
                                           DivideTree divide_tree) {
  if (where == Device::cuda) return make_device_trial(bodies, gravity, precision, ranks, divide_tree);
  switch (precision) {
    case Precision::f32:
      return std::make_unique<OnHost<F32>>(bodies, gravity, ranks);
    case Precision::f64:
      return std::make_unique<OnHost<F64>>(bodies, gravity, ranks);
    case Precision::mixed:
      break;
  }
  return std::make_unique<OnHost<Mixed>>(bodies, gravity, ranks);
}

}  // namespace pleiad
