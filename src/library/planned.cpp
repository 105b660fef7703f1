#include "library/planned.hpp"

#include "control/engine.hpp"

#include <pleiad/error.hpp>

#include <cmath>

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
  const auto need = [](bool fine, std::string_view name, double value, std::string_view range) {
    if (!fine) throw UsageError(fmt::format("{} = {} must be {}", name, value, range));
  };
  const double eps = gravity.softening.eps;
  need(eps >= 0 && std::isfinite(eps), "softening", eps, "finite and >= 0");
  need(gravity.G > 0 && std::isfinite(gravity.G), "G", gravity.G, "finite and > 0");
  need(accuracy >= 0 && accuracy < 1, "accuracy", accuracy, "in [0, 1); 0: direct sums");
  if (!gravity.boundary.periodic) return;
  const auto& side = gravity.boundary.length;
  for (const double length : {side.x, side.y, side.z})
    need(length > 0 && std::isfinite(length), "a side of the periodic box", length, "finite and > 0");
}

}  // namespace pleiad
