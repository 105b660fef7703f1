#include "direct/usual_precision.hpp"

#include "direct/why_not.hpp"

#include <fmt/format.h>

namespace pleiad {
namespace {

/// The largest number of bodies with mass that count as few. If one holds most of the mass, the others are on
/// orbits about it, and the second limit holds.
constexpr std::size_t few_with_mass = 256, most_about_one = 10'000;

UsualPrecision by_masses(const MassShares& s) {
  if (s.massive <= few_with_mass)
    return {Precision::f64, fmt::format("{} {} mass: {} or fewer", s.massive,
                                        s.massive == 1 ? "body has" : "bodies have", few_with_mass)};
  if (s.massive <= most_about_one && s.largest > 0.5 * s.total)
    return {Precision::f64, fmt::format("one body holds {:.3g} % of the mass", 100 * s.largest / s.total)};
  return {};
}

}  // namespace

UsualPrecision usual_precision(const MassShares& shares, const std::optional<ForceMethod>& named,
                               const Gravity& gravity, const Integrator* integrator) {
  if (integrator != nullptr && integrator->needs_doubles && !integrator->needs_jerks)
    return {Precision::f64, fmt::format("{} needs it", integrator->name)};
  auto usual = by_masses(shares);
  const auto refused = [&](Precision precision) {
    return named &&
           why_not(
               *named,
               {.n = shares.bodies, .gravity = gravity, .precision = precision, .integrator = integrator});
  };
  if (refused(usual.precision) && !refused(Precision::mixed)) return {};
  return usual;
}

}  // namespace pleiad
