#include "run/unstated.hpp"

#include "core/round_down.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/radii.hpp>

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Largest number of bodies with mass whose pairs are followed without softening.
constexpr std::size_t few_with_mass = 64;

/// Trees on a GPU have no form in double precision.
bool asks_for_tree_on_gpu(const Options& o) {
  return o.engine.backend == "cuda" && (o.solver.method == "barnes-hut" || o.solver.method == "fmm");
}

/// A quarter of the mean distance of bodies within the half-mass radius.
double proposed_softening(const Snapshot& s, std::size_t all) {
  const auto& b = s.bodies;
  if (b.size() < 2) return 0;
  const double radius = lagrangian_radii(b, density_centre(b), std::array{0.5}).front();
  const double eps = 0.25 * radius / std::cbrt(double(all) / 2);
  return eps > 0 && std::isfinite(eps) ? round_down(eps) : 0;
}

}  // namespace

std::string settle_precision(Options& o, const MassShares& shares) {
  if (o.engine.precision != "auto") return {};
  UsualPrecision usual;
  if (!asks_for_tree_on_gpu(o))
    usual = usual_precision(shares, force_method_of(o.engine.kernel), gravity_of(o), method_of(o).integrator);
  // Forces in single precision have errors of 1e-7, by which energies change.
  if (o.time.chooses_step() && usual.precision != Precision::f64 && !force_method_of(o.engine.kernel))
    usual = {.precision = Precision::f64,
             .why = o.time.has_budget() ? "an energy error is asked for" : "a position error is asked for"};
  o.engine.precision = name_of(usual.precision);
  return usual.why;
}

Unstated unstated_in(const Options& o) {
  const auto& g = o.gravity;
  if (g.softening != 0 || g.stated.softening || !g.softening_by_type.empty()) return {};
  if (!o.ic.file.empty()) return {.softening = true};
  const double suggested = model_named(o.ic.model).suggested_softening;
  return {.softening = suggested > 0, .suggested = o.units.system == "auto" ? suggested : 0};
}

void need_stated_softening(const Options& o, const Unstated& unstated, const MassShares& shares,
                           const Snapshot& bodies) {
  const auto& integrator = *method_of(o).integrator;
  if (!unstated.softening || o.time.chooses_step() || integrator.order > 2 || shares.massive <= few_with_mass)
    return;
  const double eps = unstated.suggested > 0 ? unstated.suggested : proposed_softening(bodies, shares.bodies);
  throw UsageError(
      fmt::format("gravity.softening is not set, and {} does not resolve encounters of {} bodies without it: "
                  "set it{}, or "
                  "state that there is none (--eps 0)",
                  integrator.name, shares.massive, eps > 0 ? fmt::format(" (--eps {:g})", eps) : " (--eps)"));
}

}  // namespace pleiad::run
