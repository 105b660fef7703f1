/// Bodies with mass beside test particles, and alone: a scheme moves them by the same bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>

#include <cstddef>

#include <gtest/gtest.h>

namespace pleiad::test {

/// Takes the mass of every fifth body, makes three steps with these and without them, and compares the
/// others. `simulate` makes a simulation of a snapshot.
template <class Simulate>
void expect_same_bits_without_particles(Snapshot start, const Simulate& simulate) {
  constexpr std::size_t each = 5, first = 2;
  auto& b = start.bodies;
  auto without = start;
  without.bodies = {};
  for (std::size_t i = 0; i < b.size(); ++i)
    if (i % each == first) b.mass[i] = 0;
    else without.bodies.add(b.mass[i], b.position(i), b.velocity(i));
  auto both = simulate(start), alone = simulate(without);
  both.make_steps(3), alone.make_steps(3);
  std::size_t k = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (i % each == first) continue;
    EXPECT_TRUE(both.snapshot().bodies.position(i) == alone.snapshot().bodies.position(k) &&
                both.snapshot().bodies.velocity(i) == alone.snapshot().bodies.velocity(k))
        << i;
    ++k;
  }
}

}  // namespace pleiad::test
