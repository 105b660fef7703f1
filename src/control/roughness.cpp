#include "control/roughness.hpp"

#include "tune/solver_request.hpp"

#include <pleiad/error.hpp>

#include <cmath>

#include <fmt/format.h>

namespace pleiad::control {

double allowed_error(double accuracy) { return accuracy > 0 ? accuracy : exact_enough; }

bool too_rough(const ForceErrors& e, double accuracy, bool tree) {
  if (!tree) return !meet(e, allowed_error(accuracy), true);
  return gross(e, accuracy > 0 ? accuracy : tune::usual_accuracy, false);
}

std::string percentile_of(const ForceErrors& e) {
  if (!(e.p99_low < e.p99_high)) return fmt::format("{:.3g}", e.p99);
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", e.p99, e.p99_low, e.p99_high);
}

std::string words_of(const ForceErrors& e) {
  return fmt::format("the force error is {} for 99 % of the bodies, {:.2g} at worst of {}", percentile_of(e),
                     e.largest, e.sample);
}

void need_separation(const ForceErrors& e, double eps) {
  if (!(std::hypot(eps, e.separation) > least_separation))
    throw NumericalError(
        fmt::format("two bodies are {:g} apart: below {:g} their force cannot be computed in double "
                    "precision; use a larger unit of length, or softening",
                    e.separation, least_separation));
}

void refuse(const ForceErrors& e, Precision precision, double accuracy, const std::string& why) {
  throw NumericalError(fmt::format("{} in {} precision, beyond {:g}, and {}", words_of(e), name_of(precision),
                                   allowed_error(accuracy), why));
}

Precision better(Precision precision, const ForceErrors& e, double accuracy) {
  if (precision == Precision::f32) return Precision::mixed;
  if (precision == Precision::mixed) return Precision::f64;
  refuse(e, precision, accuracy,
         "there is no better precision; increase solver.accuracy, or set solver.method = \"direct\"");
}

}  // namespace pleiad::control
