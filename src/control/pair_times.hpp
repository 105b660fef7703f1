/// What the pairs of bodies say of the steps in time that their motion needs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <limits>

namespace pleiad::control {

struct PairTimes {
  /// The shortest of R / v and sqrt(R^3 / (G (m_i + m_j))) of any pair, with R^2 = r^2 + eps^2; infinite
  /// without a pair of which one has mass.
  double shortest = std::numeric_limits<double>::infinity();
  /// The longest of the shortest periods in which each body goes about another one that binds it; 0 where no
  /// pair is bound.
  double period = 0;
  /// Energy error by the rounding of positions: 2^-53 (|x| / R) (G m_i m_j / R) of the pair with the largest
  /// one.
  double rounding = 0;
  bool dominated = false;  ///< one body has more than half of the mass
};

/// Finds them; of more than 4096 bodies a part is taken, with all others.
PairTimes pair_times(const Bodies& bodies, double G, double eps);

}  // namespace pleiad::control
