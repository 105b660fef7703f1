/// Mass and its moments, summed in blocks, which several owners of the bodies may have.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <vector>

namespace pleiad {

struct Moments {
  double mass = 0;
  Vec3<double> position{}, velocity{};
  Moments& operator+=(const Moments& o) {
    mass += o.mass, position += o.position, velocity += o.velocity;
    return *this;
  }
};
/// The moments of each block of sum_block bodies.
std::vector<Moments> moments_of_blocks(const Bodies& bodies);
/// The centre of mass of the bodies of all these blocks.
CentreOfMass centre_of(std::vector<Moments> blocks);
/// Positions and velocities relative to a centre.
void move_to(const CentreOfMass& centre, Bodies& bodies);

}  // namespace pleiad
