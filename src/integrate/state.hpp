/// The interface between integrators and engines: the bodies, and the evaluation of their accelerations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_paths.hpp"
#include "core/neighbours.hpp"
#include "regular/post_newtonian.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

class OrbitParticles;  // integrate/orbit_particles.hpp

/// The bodies of an engine on the host in double precision. Of several ranks it has those of this one, and
/// calls are collective.
class DoubleState {
 public:
  virtual ~DoubleState() = default;
  struct Particles {
    std::vector<Mass<double>>& x;
    std::vector<Vec4<double>>& v;
    std::vector<std::array<double, 6>>& low;      ///< see Bodies::low; empty or one for each body
    std::vector<std::array<double, 21>>& series;  ///< see Bodies::series; empty or one for each body
    double& time;                                 ///< of the positions, for terms that depend on it
    /// Test particles take no part in what all bodies decide together: the length of a step, the number of
    /// iterations.
    bool particles_follow = false;
    /// 1 for each body that is semi-active (see Gravity::semi_active), else 0; empty: none is.
    std::span<const std::uint8_t> semi_active{};
    bool decides(std::size_t i) const { return !particles_follow || x[i].m > 0; }
  };
  virtual Particles particles() = 0;
  /// Whether accelerations depend on the time.
  virtual bool depends_on_time() const = 0;
  /// Whether accelerations depend on velocities.
  virtual bool depends_on_velocities() const = 0;
  /// Whether there are added forces (Gravity::forces).
  virtual bool has_added_forces() const = 0;
  /// Post-Newtonian terms of the pairs in regularised groups, of which the bodies by themselves know nothing.
  virtual std::optional<regular::PostNewtonian> pair_terms() const { return std::nullopt; }
  /// Changes the velocities, with their low parts, by what added forces do in a time while the positions
  /// stay.
  virtual void kick_by_added_forces(double dt) = 0;
  /// Whether the work of drags is added up (see counts_work of a law).
  virtual bool counts_work() const = 0;
  /// The power of drags in the present state, and its time derivative, for which it takes the accelerations
  /// of this state; without them it is 0.
  virtual std::array<double, 2> power(std::span<const Vec4<double>> accelerations) = 0;
  /// Adds the work of drags in a part of a step.
  virtual void add_work(double work) = 0;
  /// Accelerations, G included, at the present positions with their low parts, and time; those of forces that
  /// depend on velocities, at the present ones.
  virtual void evaluate(std::vector<Vec4<double>>& accelerations) = 0;
  /// Accelerations and jerks of some bodies, in their order.
  struct PullsOfSome {
    std::span<Vec4<double>> accelerations, jerks;
  };
  /// Accelerations and jerks, G included, at the present positions and velocities with their low parts, which
  /// are those of `time`. UsageError of an engine without jerks.
  virtual void evaluate(std::vector<Vec4<double>>& accelerations, std::vector<Vec4<double>>& jerks,
                        double time) = 0;
  /// The same with snaps, the second derivatives of the accelerations, for which `known` are those of the
  /// bodies. Mutual gravity alone.
  virtual void evaluate(std::span<const Vec4<double>> known, std::vector<Vec4<double>>& accelerations,
                        std::vector<Vec4<double>>& jerks, std::vector<Vec4<double>>& snaps) = 0;
  /// Bodies of this rank as rows of numbers, in the order of all ranks; see first_of_rank. Collective.
  virtual std::vector<std::array<double, 20>> of_all_ranks(std::span<const std::array<double, 20>> own) = 0;
  /// The number of this rank's first body.
  virtual std::size_t first_of_rank() const = 0;
  /// Predicts bodies of all ranks to `now`, in units of paths.unit, which is `time`, and evaluates the
  /// accelerations and jerks of the `chosen` ones there, in ascending order, G included. paths.changed and
  /// all_changed say what is new since the last call; predicted places are found if paths.all_now says so.
  /// Every rank calls it with the same and gets the same.
  virtual void evaluate_some(BodyPaths& paths, double now, double time, std::span<const std::uint32_t> chosen,
                             std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks) = 0;
  /// The regular part of the same: by all bodies with mass that are no neighbours, and by external fields.
  /// `lists`, the neighbours of the chosen bodies, become those by `reach`; `moved` are the pulls and jerks
  /// of those that have come, less those of the ones that have gone. UsageError of an engine that does not
  /// divide its sums.
  virtual void evaluate_regular(BodyPaths& /*paths*/, double /*now*/, double /*time*/,
                                std::span<const std::uint32_t> /*chosen*/, const NeighbourReach& /*reach*/,
                                std::span<NeighbourList* const> /*lists*/, PullsOfSome /*found*/,
                                PullsOfSome /*moved*/) {
    throw UsageError(undivided);
  }
  /// The irregular part: by the neighbours of each chosen body. `predicted`: all are at `now` already.
  virtual void evaluate_neighbours(BodyPaths& /*paths*/, double /*now*/, bool /*predicted*/,
                                   std::span<const std::uint32_t> /*chosen*/,
                                   std::span<NeighbourList* const> /*lists*/, PullsOfSome /*found*/) {
    throw UsageError(undivided);
  }
  /// The lists of chosen bodies where all are now (BodyPaths::x_now), with what has moved.
  virtual void find_neighbours(const BodyPaths& /*paths*/, std::span<const std::uint32_t> /*chosen*/,
                               const NeighbourReach& /*reach*/, std::span<NeighbourList* const> /*lists*/,
                               PullsOfSome /*moved*/) {
    throw UsageError(undivided);
  }
  /// Second and third derivatives of the accelerations of all bodies at one time, as far as mutual gravity
  /// has them; false: there are other forces.
  virtual bool higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                                  std::span<Vec4<double>> crackles) = 0;
  /// Test particles of Wisdom-Holman maps on a GPU; null: they are on the host as other bodies.
  virtual OrbitParticles* orbit_particles() { return nullptr; }
  /// Whether external fields act on the bodies (Gravity::potentials).
  virtual bool has_fields() const { return false; }
  /// Returns the acceleration by external fields at a place and time, G included, and adds to `differences`
  /// by how much that at each of the offsets differs from it, without the rounding error of a difference.
  /// Several threads may call it.
  virtual Vec3<double> field_about(double /*time*/, const Vec3<double>& /*place*/,
                                   std::span<const Vec3<double>> /*offsets*/,
                                   std::span<Vec3<double>> /*differences*/) const {
    return {};
  }
  /// How strong their tides are there, in acceleration over length, for offsets of this length.
  virtual double tide_of_fields(double /*time*/, const Vec3<double>& /*place*/, double /*length*/) const {
    return 0;
  }
  /// The gravitational constant.
  virtual double G() const = 0;
  /// Counts evaluations of forces that a scheme has made by itself.
  virtual void evaluated(std::uint64_t count) = 0;
  /// Brings positions back into a periodic box.
  virtual void wrap() = 0;
  /// Announces that the bodies will move: stored diagnostics and forces become invalid.
  virtual void begin_steps() = 0;
  /// The least value of all ranks.
  virtual double min(double own) const = 0;
  /// The greatest value of all ranks.
  double max(double own) const { return -min(-own); }

 private:
  static constexpr const char* undivided =
      "this engine does not sum the pulls of neighbours by themselves; leave out time.neighbours";
};

/// The bodies of an engine that evaluates and moves sets of them. Set 0 has all of them, and every other set
/// is told its members. Of several ranks it has the bodies of this one, and calls are collective.
class BlockState {
 public:
  virtual ~BlockState() = default;
  /// Number of this rank's bodies.
  virtual std::size_t bodies() const = 0;
  virtual std::size_t on_all_ranks(std::size_t own) const = 0;
  virtual double G() const = 0;
  /// Whether external fields act on the bodies.
  virtual bool has_fields() const = 0;
  /// Test particles take no part in what all bodies decide together: whether all take shorter steps.
  virtual bool decides(std::size_t i) const = 0;
  /// The share of a set above which two steps of all of it cost no more than one, and two of that part.
  virtual double most_split() const = 0;
  /// Announces that the bodies will move: stored diagnostics become invalid.
  virtual void begin_steps() = 0;
  /// Numbers of this rank's bodies in ascending order, which are valid until the next call for this set;
  /// `deciding`: how many of all ranks' members decide.
  virtual void set_members(std::size_t set, std::span<const std::uint32_t> members, std::size_t deciding) = 0;
  /// Evaluates and keeps the accelerations of the members of a set by each other and by external fields, at
  /// their present positions, which are those of `time`. `last`: after the last step, where diagnostics may
  /// be needed too.
  virtual void evaluate(std::size_t set, double time, bool last) = 0;
  /// The longest steps of the members, in their order, by the accelerations that were evaluated last;
  /// infinite where nothing limits them.
  virtual void find_steps(std::size_t set, const BlockSteps& blocks, double eta, std::span<double> steps) = 0;
  /// The same for steps that end here: of those that follow from velocities, as if these were negated.
  virtual void find_steps_back(std::size_t set, const BlockSteps& blocks, double eta,
                               std::span<double> steps) {
    find_steps(set, blocks, eta, steps);
  }
  /// Keeps positions, velocities and accelerations of the members of a set, one copy for each level.
  /// UsageError of an engine that keeps none.
  virtual void keep(std::size_t /*set*/, int /*level*/) {
    throw UsageError("this engine does not make block steps again; leave out time.symmetric_steps");
  }
  /// Brings the members back to where they were kept at this level.
  virtual void go_back(std::size_t /*set*/, int /*level*/) {}
  /// Adds h times these accelerations, without G, to the velocities of the members.
  virtual void kick(std::size_t set, double h) = 0;
  /// Moves bodies with their velocities.
  virtual void drift(std::span<const std::uint32_t> bodies, double h) = 0;
};

/// Interface of an engine for steppers.
class SteppedState {
 public:
  virtual ~SteppedState() = default;
  /// Equal steps of a splitting: kicks that wait for the drift that follows are one pass over memory; steps
  /// may be fused, captured and replayed.
  virtual void make_splitting_steps(const StepPlan& plan, std::uint64_t steps) = 0;
  /// eta min sqrt(eps / |a|) over the bodies of all ranks.
  virtual double softening_step(double eta) = 0;
  /// The state for schemes with Integrator::needs_doubles; UsageError with a remedy if this engine has none.
  virtual DoubleState& in_doubles(const Integrator& integrator) = 0;
  /// The state for schemes with Integrator::in_blocks; UsageError with a remedy if this engine has none.
  virtual BlockState& in_sets(const Integrator& integrator) = 0;
};

}  // namespace pleiad
