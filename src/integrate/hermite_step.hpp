/// What Hermite's fourth-order steps have in common: derivatives from both ends of a step, and Aarseth's
/// criterion of its length.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cmath>
#include <limits>

namespace pleiad {

/// An acceleration and its first derivative.
struct PullAt {
  Vec3<double> a, j;
};

/// The second and third derivatives of an acceleration at the end of a step.
struct HigherAt {
  Vec3<double> snap, crackle;
};
/// From the values at both ends of a step h.
inline HigherAt higher_at_end(double h, const PullAt& begin, const PullAt& end) {
  const double d2 = 1 / (h * h), d3 = d2 / h;
  const auto difference = begin.a - end.a;
  const auto crackle = d3 * (12.0 * difference + 6 * h * (begin.j + end.j));
  return {d2 * (-6.0 * difference - h * (4.0 * begin.j + 2.0 * end.j)) + h * crackle, crackle};
}

/// Aarseth's length of a step: sqrt(eta (|a| |s| + |j|^2) / (|j| |c| + |s|^2)), infinite where neither jerk
/// nor snap limits it.
inline double aarseth_step(double eta, const PullAt& at, const HigherAt& higher) {
  const double jerk = norm(at.j), snap = norm(higher.snap), below = jerk * norm(higher.crackle) + snap * snap;
  return below > 0 ? std::sqrt(eta * (norm(at.a) * snap + jerk * jerk) / below)
                   : std::numeric_limits<double>::infinity();
}

}  // namespace pleiad
