/// Test particles of a Wisdom-Holman map that are elsewhere, on a GPU: the bodies with mass make the steps
/// and leave a trail, and the particles follow.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/state.hpp"
#include "orbits/trail.hpp"

#include <pleiad/integrator.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace pleiad {

class OrbitParticles {
 public:
  virtual ~OrbitParticles() = default;
  /// Whether these are particles of a present state.
  virtual bool loaded() const = 0;
  /// Takes the bodies with these numbers.
  virtual void load(const DoubleState::Particles& bodies, std::span<const std::size_t> numbers) = 0;
  /// The bodies have changed: they are to be loaded again.
  virtual void forget() = 0;
  /// Starts to carry the particles through some steps. The trail may change afterwards.
  virtual void carry(const orbits::Trail& trail) = 0;
  /// Waits until all steps are made.
  virtual void wait() = 0;
  /// Writes the particles among the bodies where they have moved since.
  virtual void show(const DoubleState::Particles& bodies) = 0;
  /// The name of the device, and its memory that they take.
  virtual std::string device() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// Bodies with mass that particles elsewhere can follow, at most.
inline constexpr std::size_t most_that_carry = 1025;
/// Whether test particles of this integrator, if there is one, can be elsewhere.
bool carries_orbits(const Integrator* integrator);

}  // namespace pleiad
