/// The path of a body, or of one body as seen from another, during a step: the cubic through the positions
/// and velocities at both ends (Hermite's).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace pleiad::encounters {

/// Position and velocity.
struct Place {
  Vec3<double> x, v;
  friend Place operator-(const Place& a, const Place& b) { return {a.x - b.x, a.v - b.v}; }
};

/// A path as a function of s, the time from the beginning of the step in steps: 0 to 1.
class Path {
 public:
  /// `h`: the length of the step.
  Path(const Place& from, const Place& to, double h);
  Place at(double s) const;
  /// Coefficients of half of the change of the squared distance from the origin with s, a polynomial of
  /// degree 5.
  std::array<double, 6> approach() const;

 private:
  std::array<Vec3<double>, 4> c_;  ///< x = c0 + c1 s + c2 s^2 + c3 s^3
  double h_;
};

/// The points whose hull has the whole path within it.
std::array<Vec3<double>, 4> hull_of(const Place& from, const Place& to, double h);

/// A part of a step in which the distance from the origin falls.
struct Descent {
  double begin = 0, end = 0;  ///< in s
  double from2 = 0, to2 = 0;  ///< the squared distances there
  bool to_minimum = false;    ///< at its end the distance is least, and then grows
  /// The minimum stands out: the second derivative of half of the squared distance is more than 1/50 of the
  /// squared velocity there. Of an orbit of two bodies this ratio is e / (1 + e): a nearly circular one has
  /// no closest approach, but the errors of its steps have.
  bool sharp = false;
};
/// All parts of a step in which the distance falls, in their order.
struct Descents {
  std::array<Descent, 3> parts{};
  std::size_t count = 0;
  std::span<const Descent> all() const { return {parts.data(), count}; }
};

/// The descents of one body towards another, from the places of the one relative to the other at both ends of
/// a step of length `h`. Signs at the ends of a step are those of x v there, so that the next step goes on
/// where this one ends: a minimum is in one step, never in two or in none.
Descents descents_of(const Place& from, const Place& to, double h);

/// When the distance falls to `distance` in a part in which it begins above it; none if it does not.
std::optional<double> crossing(const Path& path, const Descent& descent, double distance);
/// When the path leaves a sphere whose radius changes from `first` to `last` during the step, where it is
/// inside at its beginning and outside at its end.
double leaving(const Path& path, double first, double last);

}  // namespace pleiad::encounters
