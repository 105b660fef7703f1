#include "run/step_criterion.hpp"

#include "cosmology/cosmology.hpp"
#include "run/energy_record.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* most_name = "criterion_most";
constexpr const char* time_name = "criterion_time";

}  // namespace

void StepCriterion::look(Simulation& simulation) {
  const auto& method = simulation.method();
  if (!method.space || method.adaptive || !(simulation.gravity().softening.eps > 0)) return;
  const double steps = method.dt / simulation.criterion_step();
  if (steps > most_) most_ = steps, time_ = simulation.time();
}

std::string StepCriterion::text(double dt) const {
  if (!(most_ > 1)) return {};
  return fmt::format(
      "steps are equal, {:.3g} in ln a; the acceleration criterion asked for one of {:.2g} at z = {:.3g}, "
      "where "
      "haloes are therefore less dense than they should be",
      dt, dt / most_, std::abs(cosmology::redshift_of(std::exp(time_))));
}

void StepCriterion::save(Checkpoint& c) const {
  if (!(most_ > 0)) return;
  c.extra[most_name] = fmt::format("{:a}", most_);
  c.extra[time_name] = fmt::format("{:a}", time_);
}

void StepCriterion::restore(const Checkpoint& c) {
  restore_number(c, most_name, most_);
  restore_number(c, time_name, time_);
}

}  // namespace pleiad::run
