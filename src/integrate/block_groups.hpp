/// The close groups among bodies with block time steps: which bodies become one, and when they are apart.
///
/// Two bodies, or groups, become one where they are nearer than a radius that grows with their mass, or than
/// some sizes of the larger group, and approach each other or are bound; both at the end of a step, for which
/// the longer step of one may be cut. A group is divided at the widest gap of its chain where the two parts
/// are twice as far from each other and recede. All follows from the bodies in the order of their numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/block_bodies.hpp"
#include "integrate/close_group.hpp"
#include "integrate/group_parts.hpp"
#include "integrate/step_watch.hpp"

#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pleiad {

class BlockGroups {
 public:
  /// What of a group is kept with each body (Bodies::series): seven numbers of a body of the scheme, or of a
  /// member; then the label of the group, 1 + the number of its first member, or 0; then the radius.
  using Kept = std::array<double, 9>;

  /// `all`: the bodies in their order, none of which is in a group, at `time`. `eta`: Aarseth's. `terms`: of
  /// pairs in groups. `watch`: looks at the members of groups; null: nobody does.
  BlockGroups(BlockBodies& all, const DoubleState& state, const BlockSteps& blocks, double eta, double time,
              const std::optional<regular::PostNewtonian>& terms, StepWatch* watch);

  /// Makes the groups that were kept, with their paths and steps. False: this is none.
  bool restore(std::span<const Kept> kept);
  /// Makes groups of bodies that are close at a time for all.
  void find();

  /// The beginning of a step dt, at which all bodies are at one time, and its end.
  void begin_step(double begin, double end);
  /// Before bodies are evaluated: moves the members of groups that end a step, or near which one does, and
  /// paths by what the members do.
  void advance(std::span<const std::uint32_t> active, double now);
  /// The work of post-Newtonian terms since the last call, masses times G.
  double take_work() { return std::exchange(work_, 0); }
  /// After the active bodies are corrected: forms and divides groups. Returns the places of new bodies, in
  /// ascending order, which have no accelerations yet.
  const std::vector<std::uint32_t>& regroup(std::span<const std::uint32_t> active);
  /// Finds what is near the groups that begin a step, and those whose neighbours have changed.
  void look_around(std::span<const std::uint32_t> active, std::span<const std::uint32_t> made);
  /// The end of a step dt: all numbers become those that follow from what is kept.
  void end_step();

  /// All bodies at `now`, in units of dt; those that are gone at any place.
  std::vector<StepWatch::State> states_at(double now) const;
  /// The body at a place; of a group the heaviest member.
  std::uint32_t body_at(std::size_t place) const;
  /// Places at which the last advance has left one body of a group.
  const std::vector<std::uint32_t>& dissolved() const { return dissolved_; }
  bool is_group(std::size_t place) const { return group_at(place) != nullptr; }
  /// Bodies outside groups, at a time for all, become what they are now.
  void part_single(std::span<const StepWatch::Change> changes);

  /// A body, alone or as a member, as it is shown.
  CloseGroup::Member body(std::size_t number) const;
  Kept kept(std::size_t number) const;

 private:
  using Member = CloseGroup::Member;

  GroupPart alone(std::size_t place) const;
  std::vector<GroupPart> parts_at(std::size_t place) const;
  bool close(std::size_t a, std::size_t b) const;
  double tide(const Vec3<double>& at, std::size_t without, std::size_t and_without) const;
  double farthest_close(std::size_t place) const;
  double limit_of(const CloseGroup& g) const { return 2 * scale_ * g.mass(); }
  CloseGroup* group_at(std::size_t place) const { return at_[place]; }
  std::vector<std::uint32_t> numbers_at(std::size_t place) const;
  std::vector<Member> members_at(std::size_t place) const;
  void put(std::size_t place, std::vector<std::uint32_t> numbers, std::vector<Member> members);
  void take_away(std::size_t place);
  std::size_t free_place();
  using Halves = std::array<std::vector<std::uint32_t>, 2>;
  /// An active body that may become one with others, or fall apart.
  struct Candidate {
    std::uint32_t place = 0;
    Halves halves;                     ///< of a group that falls apart
    std::vector<std::uint32_t> close;  ///< of another one: what is close to it
  };
  /// Measures groups among these, too.
  std::vector<Candidate> candidates_among(std::span<const std::uint32_t> active);
  /// The two halves into which a group falls; the first is empty where it stays together.
  Halves halves_of(const CloseGroup& g) const;
  void split(std::size_t place, const Halves& halves);
  void join(std::span<const std::uint32_t> places);
  void arrange();
  /// The groups at these places, and near which these are; in their order.
  std::vector<CloseGroup*> concerned(std::span<const std::uint32_t> places);
  /// Notes, or forgets, which places a group has near it.
  void watch(const CloseGroup& g, bool on);
  void find_near(std::span<CloseGroup* const> groups);
  void choose_radius();
  double radius_in_field() const;
  /// The radius of a body that may touch others; 0 where nobody looks.
  double radius_of(std::uint32_t number) const { return largest_radius_ > 0 ? watch_->radius(number) : 0; }
  std::vector<GroupPart> parts_within(const CloseGroup& g) const;
  void meet(std::span<CloseGroup* const> stopped);
  void let_go(std::span<const StepWatch::Change> changes);
  void dissolve(CloseGroup& g);

  BlockBodies& all_;
  FieldOfStep field_;
  double eta_ = 0;
  StepWatch* watch_ = nullptr;
  double time_ = 0;                                      ///< at which the step dt begins
  double largest_radius_ = 0;                            ///< of bodies that may touch
  double radius_ = 0;                                    ///< as it was asked for, or is kept
  double scale_ = 0;                                     ///< a distance over the mass of two bodies times G
  double mean_ = 0, heaviest_ = 0;                       ///< masses of bodies
  double fastest_ = 0, heaviest_now_ = 0, largest_ = 0;  ///< speed and mass at the beginning of a step, size
  InnerMotion motion_{};
  double work_ = 0;
  std::vector<std::unique_ptr<CloseGroup>> groups_;   ///< by the number of the first member
  std::vector<CloseGroup*> at_;                       ///< of each place, or null
  std::vector<std::uint32_t> number_;                 ///< the first body of each place
  std::vector<std::uint32_t> place_;                  ///< of each body, or of its group
  std::vector<std::uint8_t> marked_;                  ///< of each place: at work
  std::vector<std::vector<std::uint32_t>> watchers_;  ///< of each place: the places of groups that it is near
  std::vector<std::uint32_t> emptied_;                ///< places that have lost their bodies in this block
  std::vector<std::uint32_t> made_, dissolved_;
  std::vector<std::uint32_t> into_;  ///< of each body: itself, or the one that has absorbed it
  bool changed_ = false;
};

}  // namespace pleiad
