/// Symplectic correctors of Wisdom-Holman maps (Wisdom, Holman & Touma 1996, Fields Institute Communications
/// 10, 217; Wisdom 2006, Astronomical Journal 131, 2294).
///
/// A map of kicks B and orbits A follows a Hamiltonian that differs from A + B in the first order of the
/// pulls, by the same terms in every step. A change of coordinates removes them: steps are made in the
/// coordinates of the map, and the bodies are seen in their own. What is left is of the next order in the
/// step, and of the second order in the pulls.
///
/// X(a, b) moves the bodies on their orbits for a steps, kicks them for b steps, and moves them back for a
/// steps. To the first order of the pulls a product of several changes a state by sum b e^(a x) times the
/// kicks of one step, where x is the change along the orbits in a step. The map with half kicks at both ends
/// is that of (1 + e^x) / 2 where the exact motion has (e^x - 1) / x, so the sum that leads from the
/// coordinates of the map to those of the bodies is 1 / x - coth(x / 2) / 2. This is odd in x: kicks are in
/// pairs, b at a and -b at -a, and with n pairs b follows from the first n terms of the series. (The
/// published coefficients are those of maps that begin with half an orbit.)
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/state.hpp"

#include <array>
#include <span>

namespace pleiad::corrector {

/// A kick of `length` steps where the bodies are `at` steps later.
struct Kick {
  double at = 0, length = 0;
};
/// From the coordinates of the map to those of the bodies, in this order; backwards, with the opposite
/// lengths, it leads back. `order` is one of corrector_orders: 3, 5, 7 and 11 have 1, 2, 3 and 5 pairs, and
/// leave an error of the pulls times dt^(order + 1).
std::span<const Kick> kicks(int order);

/// Which map the coordinates belong to; of order 0 they are those of the bodies.
struct Map {
  int order = 0;
  double dt = 0;
  bool operator==(const Map&) const = default;
};
/// Keeps the present state, which is that of the map, beside the bodies (Bodies::series).
void keep_map_state(const Map& map, const DoubleState::Particles& bodies);
/// Completes what keep_map_state has kept by the state of the bodies that belongs to it.
void keep_shown_state(const DoubleState::Particles& bodies);
/// Takes the kept state, bit for bit, if it belongs to this map and to the present state of the bodies.
bool take_map_state(const Map& map, const DoubleState::Particles& bodies);
/// Whether `series` has such a state, which is no series of accelerations.
bool has_map_state(std::span<const std::array<double, 21>> series);

}  // namespace pleiad::corrector
