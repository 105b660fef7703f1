/// What integrators step: the bodies of an engine, wherever they are, and what finds their accelerations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace pleiad {

/// The bodies of an engine on the host in double precision, with jerks. Of several ranks it has those of this
/// one, and calls are collective.
class JerkState {
 public:
  virtual ~JerkState() = default;
  struct Particles {
    std::vector<Mass<double>>& x;
    std::vector<Vec4<double>>& v;
    std::vector<std::array<double, 6>>& low;  ///< see Bodies::low; one for each body
  };
  virtual Particles particles() = 0;
  /// Accelerations and jerks, G included, at the present positions and velocities with their low parts.
  virtual void evaluate(std::vector<Vec4<double>>& accelerations, std::vector<Vec4<double>>& jerks) = 0;
  /// Brings positions back into a periodic box.
  virtual void wrap() = 0;
  /// The bodies are going to move: what was found for diagnostics or other steps is no longer that of the
  /// present.
  virtual void begin_steps() = 0;
  /// The least value of all ranks.
  virtual double min(double own) const = 0;
};

/// What an engine offers to steppers.
class SteppedState {
 public:
  virtual ~SteppedState() = default;
  /// Equal steps of a splitting: kicks that wait for the drift that follows are one pass over memory; steps
  /// may be fused, captured and replayed.
  virtual void make_splitting_steps(const StepPlan& plan, std::uint64_t steps) = 0;
  /// eta min sqrt(eps / |a|) over the bodies of all ranks.
  virtual double softening_step(double eta) = 0;
  /// UsageError with what would be right where this engine has no jerks.
  virtual JerkState& with_jerks() = 0;
};

}  // namespace pleiad
