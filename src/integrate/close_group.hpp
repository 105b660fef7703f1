/// A close group within block time steps: its centre of mass is a body of the scheme, and the motion of its
/// members about that is regularised (src/regular); of two it is a Kepler orbit where no other body is near,
/// and one with kicks where others pull weakly (Wisdom & Holman 1991).
///
/// The scheme moves the centre of mass by the pulls of point masses on a point mass. What that leaves out,
///
///   W = -G sum_i w(d_i) m_i sum_k m_k (1 / |D_i - x_k| - 1 / d_i),
///
/// with the members x_k about the centre of mass, and other bodies i at D_i from it, d_i = |D_i|, is a
/// potential of its own. External fields add sum_k m_k (phi(X + x_k) - phi(X)), with the centre of mass at X,
/// while the scheme moves that by the field there. Its accelerations of members, centre of mass and other
/// bodies are integrated together in the substeps of the members, so that it changes no sum of momenta; the
/// paths of the centre and of the others are then moved by the integrals. The weight w falls smoothly from 1
/// to 0 at some tens of sizes of the group: so the energy, with W, is kept when bodies come near and leave.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/block_bodies.hpp"
#include "integrate/state.hpp"
#include "integrate/step_watch.hpp"
#include "regular/group.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

/// How the members of all groups are moved.
struct InnerMotion {
  bool slow_down = true;                          ///< of binaries in groups of three and more
  std::optional<regular::PostNewtonian> terms{};  ///< of pairs; then nothing is slowed down
};

/// Position and velocity of a centre of mass.
struct Centre {
  regular::DoubleVec x{}, v{};
};

/// Two members that meet.
struct GroupEncounter {
  StepWatch::Moment moment{};
  bool contact = false;
};

/// External fields as groups feel them in a step dt.
class FieldOfStep {
 public:
  explicit FieldOfStep(const DoubleState& state) : state_(&state) {}
  /// The step is from `begin` to `end`.
  void begin_step(double begin, double end) { begin_ = begin, end_ = end; }
  bool any() const { return state_->has_fields(); }
  /// Adds to `accelerations` the tides of offsets from a place, at a time after the beginning of the step.
  void add_tides(double time, const Vec3<double>& place, std::span<const Vec3<double>> offsets,
                 std::span<Vec3<double>> accelerations) const {
    if (any()) (void)state_->field_about(at(time), place, offsets, accelerations);
  }
  /// How strong they are, in acceleration over length, for offsets of this length.
  double tide(double time, const Vec3<double>& place, double length) const {
    return any() && length > 0 ? state_->tide_of_fields(at(time), place, length) : 0;
  }

 private:
  /// Attempts may look beyond the end, where a track has no place.
  double at(double time) const { return std::clamp(begin_ + time, begin_, end_); }

  const DoubleState* state_;
  double begin_ = 0, end_ = 0;
};

class CloseGroup {
 public:
  using Member = regular::Group::Body;
  struct Shift {
    Vec3<double> x{}, v{};
  };
  /// By how much an advance has moved the paths: first of the centre of mass, then of the bodies near it.
  using Shifts = std::vector<Shift>;

  /// `numbers`: of the bodies, ascending; `members`: in the frame of the bodies, masses times G.
  /// `watch`: looks at the members; null: nobody does.
  CloseGroup(std::vector<std::uint32_t> numbers, std::vector<Member> members, const InnerMotion& motion,
             const StepWatch* watch);

  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  /// Members relative to the centre of mass.
  const std::vector<Member>& members() const { return inner_->bodies(); }
  /// The members where the centre of mass is `at`.
  std::vector<Member> members_at(const Centre& at) const;
  /// The members as they were given.
  const std::vector<Member>& given() const { return given_; }
  /// Their centre of mass.
  const Centre& centre() const { return centre_; }
  double mass() const { return mass_; }

  /// Which bodies are so near, now or within a time, that their tides count: places among all bodies. None is
  /// faster than `fastest`, or heavier than `heaviest`.
  void find_near(const BlockBodies& all, double time, double fastest, double heaviest);
  const std::vector<std::uint32_t>& near() const { return near_; }
  std::vector<std::uint32_t>& near() { return near_; }
  /// Moves the members to `now`, in units of dt, or to where two of them touch that do not go on as two.
  Shifts advance(const BlockBodies& all, const FieldOfStep& field, double now);
  /// The work of post-Newtonian terms on the members so far, masses times G: from anew where some part.
  double work() const { return inner_->work(); }
  /// What the last advance has met, with times within dt, and places in the frame of the bodies.
  const std::vector<GroupEncounter>& met() const { return met_; }
  bool stopped() const { return stopped_; }
  /// The members that touch after an advance that has stopped, by their numbers among the bodies.
  std::vector<StepWatch::Pair> touching() const;
  /// Leaves the members that are left.
  void part(std::span<const StepWatch::Change> changes);
  /// A step dt begins, in which approaches are told anew.
  void begin_step() { told_ = false; }

  /// The distance that members have from each other at most: of a bound pair at apocentre, and at most
  /// `limit`; of more that now, and half as much again, since they move.
  double extent(double limit) const;
  /// Measures it anew, where no body is near, or it has changed by half: W depends on it.
  void measure(double limit);

  std::uint32_t place = 0;                             ///< of the centre of mass among all bodies
  double size = 0;                                     ///< see measure
  double from = 0;                                     ///< the time of the members, in units of dt
  std::vector<regular::Group::Chosen> chosen() const;  ///< the slow-down, by times within dt
  void begin(double time, std::vector<regular::Group::Chosen> chosen);

 private:
  Shifts move(const BlockBodies& all, const FieldOfStep& field, double begin, double time);
  Shifts advance_alone(double time);
  /// Within which distance a body of this mass counts.
  double reach(double of_body) const;
  /// What kicks of a pair that others pull weakly follow from.
  struct Weakly {
    double period = 0;
    double tide = 0;     ///< over the binding
    double changes = 0;  ///< the time in which it changes
  };
  Shifts advance_weakly(double begin, double time, const Weakly& how,
                        const regular::Surroundings& surroundings);
  /// Whether these are two bodies that are on a Kepler orbit but for what others do.
  bool on_kepler_orbit() const;
  /// Moves a pair along its Kepler orbit, which relativity turns.
  void move_on_orbit(Centre& pair, double time) const;
  void take_members(std::vector<Member> members);
  /// Whether the pericentre of a pair is so near the distances that are looked for that each orbit counts.
  bool may_meet(const Centre& pair) const;
  /// Looks at two members on a part of their orbit, which begins `after` the advance has. Returns after which
  /// part of `time` they touch and do not go on as two.
  std::optional<double> look_at_pair(const Centre& start, const Centre& end, double after, double time);
  void take_met();
  void stop_after(double time) { stopped_ = true, reached_ = time; }
  /// The second of two members relative to the first.
  Centre relative() const;
  void set_relative(const Centre& to);

  std::vector<std::uint32_t> numbers_;
  std::vector<Member> given_;
  std::optional<regular::Group> inner_;
  Centre centre_{};
  double mass_ = 0;
  std::optional<regular::PostNewtonian> terms_;
  bool slow_down_ = false;
  const StepWatch* watch_ = nullptr;
  std::vector<std::uint32_t> near_;
  std::vector<GroupEncounter> met_;
  bool stopped_ = false, told_ = false;
  double reached_ = 0;  ///< time after which an advance has stopped
};

}  // namespace pleiad
