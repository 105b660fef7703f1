#include "library/planned.hpp"

#include "control/engine.hpp"
#include "core/law.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad {

control::Demand demand_of(double accuracy, const Context& context) {
  return {.request = {.accuracy = accuracy},
          .tuning = context.cache.empty() ? tune::Tuning::off : tune::Tuning::automatic};
}

tune::TuningContext tuning_context_of(const Context& context) {
  tune::TuningContext tuning_context;
  tuning_context.cache = context.cache;
  tuning_context.progress = context.progress;
  tuning_context.note = context.note;
  return tuning_context;
}

EngineOptions planned_engine(const EngineOptions& options, const Bodies& bodies, const Gravity& gravity,
                             double accuracy, const Context& context) {
  return control::resolved_engine(options, bodies, gravity, demand_of(accuracy, context),
                                  tuning_context_of(context));
}

void check_law(const Gravity& gravity, double accuracy) {
  check_law(gravity);
  if (!(accuracy >= 0 && accuracy <= roughest_accuracy))
    throw UsageError(
        fmt::format("accuracy = {} must be from 0 to {}; 0: direct sums", accuracy, roughest_accuracy));
}

}  // namespace pleiad
