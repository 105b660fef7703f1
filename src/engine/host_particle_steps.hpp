/// Steps of test particles on the host, many at once: the bodies with mass, which do not feel the particles,
/// make the steps first, and their positions at each evaluation are kept; then blocks of particles are
/// carried through the same steps while they are in the nearest cache, each block by one thread.
///
/// The operations and their order are those of single steps, so the bits are too. Memory is read and written
/// once for all steps, instead of some ten times a step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/carried_steps.hpp"
#include "engine/force_solver.hpp"
#include "engine/test_particles.hpp"
#include "potentials/host_field.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class HostParticleSteps {
 public:
  using Real = typename P::Position;

  struct Arrays {
    std::span<Mass<Real>> bodies;
    std::span<Vec4<Real>> velocities, sums;
  };

  /// For bodies of one process, among which are the particles; nearest images at most. `method`: by which the
  /// bodies with mass are evaluated, not a tree. `particles` outlives the object.
  HostParticleSteps(const ForceMethod& method, const Gravity& gravity, const TestParticles& particles);

  void advance(const Arrays& all, const CarriedSteps<Real>& steps);

 private:
  /// The bodies with mass carry out the steps; appends their positions at each evaluation to trail_.
  void move_massive(const Arrays& all, const CarriedSteps<Real>& steps);

  Gravity gravity_;
  std::vector<Potential> potentials_;
  const TestParticles& particles_;
  std::unique_ptr<ForceSolver<P>> solver_;
  std::vector<potentials::HostField> fields_;  ///< of each evaluation, or of all
  std::vector<Mass<Real>> trail_;              ///< [evaluation][body with mass]
};

extern template class HostParticleSteps<F32>;
extern template class HostParticleSteps<F64>;
extern template class HostParticleSteps<Mixed>;

}  // namespace pleiad
