#include "run/accuracy.hpp"

#include "tune/planner.hpp"

#include <pleiad/choice.hpp>

#include <fmt/format.h>

namespace pleiad::run {

bool AccuracyWatch::by_a_tree(const Simulation& simulation) {
  return choice_of(simulation.describe().kernel).tree.has_value();
}

std::uint64_t AccuracyWatch::steps_to_look() const {
  if (!active()) return 0;
  const std::uint64_t every = options_.solver.check_every;
  return every - simulation_.step() % every;
}

void AccuracyWatch::look(bool may_tighten) {
  const auto errors = simulation_.force_errors();
  const auto kernel = simulation_.describe().kernel;
  last_ = errors, last_step_ = simulation_.step();
  tell_(fmt::format("{:.17g} {} {:.3e} {:.3e} {:.3e} {} {}", simulation_.time(), simulation_.step(),
                    errors.median, errors.p99, errors.largest, errors.sample, kernel));
  const double asked = options_.solver.accuracy;
  if (!may_tighten || asked == 0 || errors.p99 <= asked) return;
  const auto settings = *choice_of(kernel).tree;
  const auto next = text_of(tune::tightened(settings, errors.p99, asked));
  if (next == kernel) return;
  simulation_.retune(next);
  note_(fmt::format("the force error is {:.3g} at step {}, above {:g}: from now on {}", errors.p99,
                    simulation_.step(), asked, next));
}

}  // namespace pleiad::run
