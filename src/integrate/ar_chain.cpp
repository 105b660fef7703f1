/// Algorithmic regularisation of a few bodies: steps of any length, in each of which the bodies are one
/// regularised group (src/regular). What it remembers between steps is in the bodies, with their low parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/regularised.hpp"
#include "integrate/stepper.hpp"
#include "regular/group.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace pleiad {

extern const Integrator integrator_ar_chain;

bool regularises(const Integrator* integrator) { return integrator == &integrator_ar_chain; }

namespace {

/// The relative error of a substep, and with adaptive steps that of eta = 0.02: it grows with the seventh
/// power of eta, as those of Gauss-Radau do.
constexpr double fixed_tolerance = 5e-15;

double tolerance_of(double eta) {
  if (!(eta > 0)) return fixed_tolerance;
  return std::clamp(fixed_tolerance * std::pow(eta / 0.02, 7), fixed_tolerance / 2, 1e-4);
}

class ArChainStepper final : public Stepper {
 public:
  explicit ArChainStepper(DoubleState& state) : state_(state), bodies_(state.particles()) {
    bodies_.low.resize(bodies_.x.size());
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    if (!plan.factors->constant())
      throw UsageError("ar-chain steps bodies in static space only; kdk takes factors that change with time");
    state_.begin_steps();
    for (std::uint64_t k = 0; k < steps; ++k) make(plan.time_of(k), plan.time_of(k + 1), plan.dt, plan.eta);
  }
  /// Steps have no errors of their own: those of substeps are kept in each.
  double suggest_dt(double) override { return std::numeric_limits<double>::infinity(); }

 private:
  void make(double time, double end, double dt, double eta) {
    std::vector<regular::Group::Body> bodies;
    for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
      const auto& [x, y, z, m] = bodies_.x[i];
      const auto& v = bodies_.v[i];
      const auto& low = bodies_.low[i];
      bodies.push_back({state_.G() * m,
                        {{x, low[0]}, {y, low[1]}, {z, low[2]}},
                        {{v.x, low[3]}, {v.y, low[4]}, {v.z, low[5]}}});
    }
    regular::Group group(std::move(bodies), {.tolerance = tolerance_of(eta), .terms = state_.pair_terms()},
                         time);
    if (state_.has_fields()) {
      // Attempts may look beyond the end of the step, where a track has no place.
      const regular::Surroundings fields{
          .field = [&](double t, const auto& centre, auto offsets, auto tides) {
            return state_.field_about(std::clamp(t, std::min(time, end), std::max(time, end)), centre,
                                      offsets, tides);
          }};
      (void)group.advance(dt, fields, {});
    } else {
      group.advance(dt);
    }
    if (state_.counts_work()) state_.add_work(group.work() / state_.G());
    state_.evaluated(group.evaluations());
    for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
      const auto& [mass, x, v] = group.bodies()[i];
      bodies_.x[i] = {x.x.high, x.y.high, x.z.high, bodies_.x[i].m};
      bodies_.v[i] = {v.x.high, v.y.high, v.z.high, 0};
      bodies_.low[i] = {x.x.low, x.y.low, x.z.low, v.x.low, v.y.low, v.z.low};
    }
    bodies_.time = time + dt;
  }

  DoubleState& state_;
  DoubleState::Particles bodies_;
};

std::unique_ptr<Stepper> make_ar_chain(SteppedState& state) {
  return std::make_unique<ArChainStepper>(state.in_doubles(integrator_ar_chain));
}

}  // namespace

extern const Integrator integrator_ar_chain{
    .name = "ar-chain",
    .idea =
        "algorithmic regularisation: a logarithmic Hamiltonian in the coordinates of a chain, extrapolated "
        "(Mikkola & Tanikawa 1999, Mikkola & Merritt 2006); for few bodies that come very close",
    .order = 12,
    .symplectic = false,
    .time_reversible = false,
    .evaluations = 42,
    .needs_doubles = true,
    .on_orbits = true,
    .adapts_by_softening = false,
    .make = make_ar_chain};

}  // namespace pleiad
