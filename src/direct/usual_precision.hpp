/// The precision of a problem that states none: double where few bodies have mass or one holds most of it,
/// since orbits last for thousands of turns there and cost little; else mixed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace pleiad {

/// Number of bodies with mass, and sums of the masses.
struct MassShares {
  std::size_t bodies = 0, massive = 0;
  double total = 0, largest = 0;

  void add(double mass) {
    ++bodies;
    if (!(mass > 0)) return;
    ++massive;
    total += mass, largest = std::max(largest, mass);
  }
  void add(const MassShares& other) {
    bodies += other.bodies, massive += other.massive;
    total += other.total, largest = std::max(largest, other.largest);
  }
};
/// Shares of any range of masses.
template <class Masses>
MassShares shares_of(const Masses& masses) {
  MassShares shares;
  for (const double mass : masses) shares.add(mass);
  return shares;
}

struct UsualPrecision {
  Precision precision = Precision::mixed;
  std::string why;  ///< "" of the usual mixed precision
};
/// A method that is named and has no form in double precision, which it has in mixed, keeps that.
UsualPrecision usual_precision(const MassShares& shares, const std::optional<ForceMethod>& named,
                               const Gravity& gravity, const Integrator* integrator = nullptr);

}  // namespace pleiad
