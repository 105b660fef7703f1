/// The energy equation of Layzer and Irvine, by which errors of a run in comoving coordinates are measured:
/// d[a (T + W)] = -T da.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/checkpoint.hpp>
#include <pleiad/snapshot.hpp>

namespace pleiad::run {

/// Makes the sums of a run at the scale factor a, whose velocities are momenta per mass p = a^2 dx/dt and
/// whose potential is that of the comoving positions, physical: T of the peculiar velocities p / a, and W
/// over a; the velocity of the centre of mass, too. The momentum stays that of p, which is conserved.
void make_physical(Totals& totals, double a);

/// a (T + W) plus the integral of T da since the start, which does not change. Between two rows T is taken as
/// a power of a, as it is in linear growth.
class LayzerIrvine {
 public:
  /// Goes on to the energies at a, and returns the invariant.
  double invariant(double a, const Energies& energies);
  void save(Checkpoint& checkpoint) const;
  void restore(const Checkpoint& checkpoint);

 private:
  double a_ = 0, kinetic_ = 0, integral_ = 0;  ///< of the last row; a_ = 0: there was none
};

}  // namespace pleiad::run
