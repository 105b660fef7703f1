/// The events of one step: closest approaches, first contacts and escapes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/escape_sphere.hpp"
#include "encounters/event.hpp"
#include "encounters/matter.hpp"
#include "encounters/swept_tree.hpp"

#include <pleiad/gravity.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::encounters {

/// A step that was made.
struct Step {
  double begin = 0, end = 0;    ///< times
  std::uint64_t number = 0;     ///< the first has 1
  std::span<const Place> from;  ///< places of all bodies at its beginning; those at its end are in Matter
};

/// What is looked for.
struct Limits {
  double distance = 0;    ///< of approaches; 0: none
  bool contacts = false;  ///< of bodies with radii
  EscapeLimit escapes{};  ///< none as long as its radius is 0
  /// Touching bodies do not stay: all that approach each other are contacts, not only those that did not
  /// touch when the step began.
  bool contacts_end = false;
  bool escapes_end = false;  ///< escaped bodies do not stay: all beyond the radius that move outwards escape
};

/// Two bodies during a step, or a part of one.
struct TwoBodies {
  struct One {
    std::uint64_t id = 0;
    double mass = 0, radius = 0;
    Place from{}, to{};
  };
  double begin = 0, end = 0;  ///< times
  std::uint64_t number = 0;   ///< of the step
  bool starts = false;        ///< nothing was before: bodies that overlap have not been seen to touch
  One one{}, other{};         ///< in the order of their ids
};
/// Adds the closest approaches and the first contact of two bodies to `events`. Returns whether they touch
/// while they approach each other.
bool look_at_two(const TwoBodies& two, const Limits& limits, const Gravity& gravity,
                 std::vector<Event>& events);

struct Found {
  std::vector<Event> events;           ///< sorted
  std::vector<Pair> touching;          ///< that approach each other at some time of the step
  std::vector<std::uint32_t> escaped;  ///< in the order of the bodies
  Vec3<double> motion{};               ///< velocity of the centre of the sphere of escapes, at the end
};

class Search {
 public:
  Search(const Limits& limits, const Gravity& gravity) : limits_(limits), gravity_(gravity) {}
  /// Two test particles, bodies without mass, never meet. The result depends neither on the number of threads
  /// nor on the steps before. All places must be finite. Escapes have no energy yet.
  Found look(const Matter& matter, const Step& step);

 private:
  void look_at_pairs(const Matter& matter, const Step& step, Found& found);
  void look_for_escapes(const Matter& matter, const Step& step, Found& found) const;

  Limits limits_;
  Gravity gravity_;
  SweptTree tree_;
  std::vector<SweptBox> boxes_;
  std::vector<std::uint8_t> idle_;
};

}  // namespace pleiad::encounters
