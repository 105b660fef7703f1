/// A potential at one time, as numbers from which its field at any position follows: where its centre is
/// then, how its axes are turned, how strong it is. Computed once for all bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/vec.hpp>

namespace pleiad::potentials {

/// T: double, or Dual for the time derivatives of what changes.
template <class T>
struct Instant {
  static constexpr int most_numbers = 10;
  int kind = 0;
  bool turned = false;             ///< cosine and sine are not 1 and 0
  double numbers[most_numbers]{};  ///< that the kind's field is computed from
  const double* rows = nullptr;    ///< of a table, in the memory of who computes
  int row_count = 0;
  Vec3<T> centre{};
  T cosine{1}, sine{0};  ///< of the angle of its x axis
  bool scaled = false;   ///< the strength is not 1
  T strength{1};
};

}  // namespace pleiad::potentials
