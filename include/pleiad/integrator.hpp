/// Integrators: what each one is, needs and does.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace pleiad {

class Stepper;       // src/integrate/stepper.hpp
class SteppedState;  // src/integrate/state.hpp

/// One step of a splitting: kick[0] drift[0] kick[1] drift[1] ... Coefficients are in units of dt; those that
/// are zero are skipped. A kick is v += c dt a(x), a drift x += c dt v. `kick` has as many entries as
/// `drift`, or one more.
struct Splitting {
  std::span<const double> kick, drift;
};

/// An integrator.
struct Integrator {
  std::string_view name;
  std::string_view idea;  ///< one sentence with the source of the scheme
  int order = 0;
  bool symplectic = true, time_reversible = true;
  int evaluations = 1;  ///< force evaluations per step
  /// Needs the time derivatives of the accelerations; its state has the low parts of positions and velocities
  /// (Bodies::low).
  bool needs_jerks = false;
  bool takes_damping = false;  ///< a factor for the velocities after each kick
  /// Its adaptive step is eta min sqrt(eps / |a|), which needs a softening; else it has a criterion of its
  /// own.
  bool adapts_by_softening = true;
  Splitting splitting{};  ///< empty: the scheme is none
  /// The scheme at work on these bodies, which outlive it. UsageError where they lack what it needs.
  std::unique_ptr<Stepper> (*make)(SteppedState& state) = nullptr;
};
/// Whether a step ends with a kick: then its last evaluation is that of the state after it.
constexpr bool ends_with_kick(const Integrator& integrator) {
  const auto& [kick, drift] = integrator.splitting;
  return kick.size() > drift.size() && kick.back() != 0;
}

/// Lengths of kicks and drifts, relative to the time that they take. In static space both are 1. In an
/// expanding universe with positions x and momenta a^2 dx/dt they are the means of 1/a and of 1/a^2 over that
/// time (Quinn et al. 1997, arXiv:astro-ph/9710043). Times are those of the simulation; a negative step has
/// to < from.
class StepFactors {
 public:
  virtual ~StepFactors() = default;
  /// Factor of a kick that takes the time from `from` to `to`.
  virtual double kick(double from, double to) const = 0;
  /// Factor of a drift that takes the time from `from` to `to`.
  virtual double drift(double from, double to) const = 0;
  /// Whether equal steps have equal factors at all times. If so, an engine may fuse and replay them.
  virtual bool constant() const { return false; }
};
/// The factors of static space, 1 and 1.
const StepFactors& static_space();

/// How the bodies are advanced. The engine may fuse, capture and replay the steps of one batch.
struct StepPlan {
  const Integrator* integrator = nullptr;
  double dt = 0;
  double damping = 1;  ///< factor for the velocities after the kick of each step (semi-implicit Euler only)
  double time = 0;     ///< of the bodies, before the first step
  const StepFactors* factors = &static_space();
};

/// All of them, in the order of the course.
std::span<const Integrator* const> integrators();
/// By name ("kdk", "dkd", "euler", "forest-ruth", "yoshida6", "hermite4"); UsageError with the nearest name.
const Integrator& integrator_named(std::string_view name);

}  // namespace pleiad
