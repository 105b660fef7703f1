/// What looks at bodies inside a step: for schemes in which bodies meet within what the engine knows as one
/// step, because each has steps of its own, or because some are regularised.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/individual.hpp"
#include "integrate/regularised.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

/// Whether this integrator, if there is one, shows what happens inside its steps.
inline bool shows_inside(const Integrator* integrator) {
  return has_individual_steps(integrator) || regularises(integrator);
}

/// Bodies go by their numbers in the order of all ranks, whatever becomes of them in the step. Every rank
/// calls the same with the same, from one thread, but for what is const.
class StepWatch {
 public:
  struct State {
    Vec3<double> x{}, v{};
  };
  struct Pair {
    std::uint32_t one = 0, other = 0;
  };
  /// Two bodies between two times, on the cubics through what is known there.
  struct Part {
    Pair pair{};
    double begin = 0, end = 0;
    State from[2], to[2];
    /// The mass, without G, of a group for which one stands, at the centre of mass of all of it: it touches
    /// nothing. 0: a body.
    double of_group[2] = {0, 0};
  };
  /// Two bodies at a time.
  struct Moment {
    Pair pair{};
    double time = 0;
    State at[2];
  };
  /// What has become of a body in a merger or a removal.
  struct Change {
    std::uint32_t body = 0;
    double mass = 0;         ///< without G
    bool gone = false;       ///< it is no longer there
    std::uint32_t into = 0;  ///< where a body that is gone would be now: at this one
    State state{};           ///< of one that is there, which has absorbed others
  };

  virtual ~StepWatch() = default;
  /// The radius of a body; bodies touch within the sum of theirs.
  virtual double radius(std::size_t body) const = 0;
  /// Approaches within this distance are to be told; 0: none.
  virtual double distance() const = 0;
  /// Whether bodies that touch and approach each other do not go on as two.
  virtual bool parts_touching() const = 0;
  /// Looks at two bodies for a part of the step, whose parts follow each other. Returns whether they touch
  /// and must not go on as two.
  virtual bool look(const Part& part) = 0;
  /// A closest approach of two members of a group, of which the closest one in each step is told.
  virtual void tell_approach(const Moment& moment) = 0;
  /// A first contact of two members of a group.
  virtual void tell_contact(const Moment& moment) = 0;
  /// Takes all bodies, those that are gone at any place, and what touches at this time: what becomes of them.
  virtual std::vector<Change> part(double time, std::vector<State> all, std::span<const Pair> touching) = 0;
  /// What the energy of all bodies has lost by that in the present step so far.
  virtual double energy_lost() const = 0;
  /// Keeps what is known of this step so far, and returns what goes back to it.
  virtual std::function<void()> keep_state() = 0;
};

}  // namespace pleiad
