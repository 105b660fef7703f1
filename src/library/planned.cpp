#include "library/planned.hpp"

#include "tune/plans.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

EngineOptions planned_engine(EngineOptions options, const Bodies& bodies, const Gravity& gravity,
                             double accuracy, const Context& context) {
  if (options.kernel != "auto") return options;
  tune::Workshop workshop;
  workshop.cache = context.cache;
  workshop.progress = context.progress;
  workshop.note = context.note;
  const auto tuning = context.cache.empty() ? tune::Tuning::off : tune::Tuning::automatic;
  if (accuracy > 0) {
    auto plan = tune::planned(bodies, gravity, options, {.accuracy = accuracy}, tuning, workshop);
    if (plan.kernel != "auto") {
      options.kernel = std::move(plan.kernel), options.why = std::move(plan.why);
      return options;
    }
    if (context.note && !plan.why.empty()) context.note(plan.why);
  }
  return tune::settled(std::move(options), bodies, gravity, tuning, workshop);
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
