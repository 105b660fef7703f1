/// Slow-down of weakly perturbed binaries (Mikkola & Aarseth 1996, CeMDA 64, 197; Wang, Nitadori & Makino
/// 2020, MNRAS 493, 3398): the relative motion of a binary, with the pull of its two bodies on each other,
/// takes `factor` times longer, so that the slow effects of other bodies on its orbit come in fewer orbits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <span>

namespace pleiad::regular {

struct SlowDown {
  double reference = 1e-4;  ///< the factor is at most this times the binding over the tidal pull
  double share = 0.01;  ///< and at most this share of the time in which that pull changes, over the period
};

/// A body outside a binary, relative to its centre of mass.
struct Outside {
  double mass = 0;
  Vec3<double> x{}, v{};
};

/// The elements of a pair that its factor needs.
struct PairOrbit {
  bool bound = false;
  double period = 0, apocentre = 0;
};
PairOrbit pair_orbit(double mass, const Vec3<double>& x, const Vec3<double>& v);

/// The factor of a binary of this mass: at least 1, and 1 where it is unbound.
double slow_down_factor(const SlowDown& slow, double mass, const PairOrbit& orbit,
                        std::span<const Outside> others);

}  // namespace pleiad::regular
