#include "control/roughness.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::control {

Limits limits_of(const Demand& demand, bool tree) {
  constexpr double most = 1e-2, most_where_stated = 1;
  const double accuracy = demand.request.accuracy;
  Limits limits{.asked = accuracy > 0 ? accuracy : tune::usual_accuracy,
                .better = accuracy,
                .refused = accuracy,
                .accuracy_asked = accuracy > 0,
                .tree = tree};
  if (limits.accuracy_asked) return limits;
  limits.refused = demand.stated() ? most_where_stated : most;
  limits.better = tree ? limits.refused : exact_enough;
  return limits;
}

bool too_rough(const ForceErrors& e, const Limits& limits) {
  return limits.tree ? gross(e, limits.asked, false) : !meet(e, limits.better, true);
}

bool too_loose(const ForceErrors& e, const Limits& limits) {
  return limits.tree && !(e.p99_high <= limits.better);
}

bool bearable(const ForceErrors& e, const Limits& limits) {
  if (!(e.others_p99_high <= limits.refused)) return false;
  if (limits.tree) return !gross(e, limits.asked, false);
  return limits.refused >= 1 || e.others_largest <= std::max(0.01, 10 * limits.refused);
}

std::string percentile_of(const ForceErrors& e) {
  if (!(e.p99_low < e.p99_high)) return fmt::format("{:.3g}", e.p99);
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", e.p99, e.p99_low, e.p99_high);
}

std::string words_of(const ForceErrors& e) {
  auto words = fmt::format("the force error is {} for 99 % of the bodies, {:.2g} at worst of {}",
                           percentile_of(e), e.largest, e.sample);
  if (e.cancelled > 0)
    words += fmt::format(" (for {} of these the forces cancel to less than the rounding of direct sums)",
                         e.cancelled);
  return words;
}

void need_separation(const ForceErrors& e, double eps) {
  if (!(std::hypot(eps, e.separation) > least_separation))
    throw NumericalError(
        fmt::format("two bodies are {:g} apart: below {:g} their force cannot be computed in double "
                    "precision; use a larger unit of length, or softening",
                    e.separation, least_separation),
        Error::Code::inaccurate);
}

void refuse(const ForceErrors& e, Precision precision, const Limits& limits, const std::string& why) {
  throw NumericalError(fmt::format("{} in {} precision, beyond {:g}, and {}", words_of(e), name_of(precision),
                                   limits.refused, why),
                       Error::Code::inaccurate);
}

Precision better(Precision precision, const ForceErrors& e, const Limits& limits) {
  if (precision == Precision::f32) return Precision::mixed;
  if (precision == Precision::mixed) return Precision::f64;
  refuse(e, precision, limits,
         limits.tree
             ? "there is no better precision; increase solver.accuracy, or set solver.method = \"direct\""
             : "there is no better precision: these are direct sums; use softening, or bodies farther apart");
}

}  // namespace pleiad::control
