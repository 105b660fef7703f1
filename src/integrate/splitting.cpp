#include "integrate/splitting.hpp"

namespace pleiad {
namespace {

class SplittingStepper final : public Stepper {
 public:
  explicit SplittingStepper(SteppedState& state) : state_(state) {}
  void advance(const StepPlan& plan, std::uint64_t steps) override {
    state_.make_splitting_steps(plan, steps);
  }
  double suggest_dt(double eta) override { return state_.softening_step(eta); }

 private:
  SteppedState& state_;
};

}  // namespace

std::unique_ptr<Stepper> make_splitting(SteppedState& state) {
  return std::make_unique<SplittingStepper>(state);
}

}  // namespace pleiad
