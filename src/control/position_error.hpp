/// The error of positions, in units that mean something for each body.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <cstddef>

namespace pleiad::control {

/// The largest distance of a body from its place in `exact`, relative to its distance there from the heaviest
/// body: an error of 0.01 is a hundredth of an orbit's radius. Of the heaviest body it is relative to the
/// distance of the nearest one; where none has mass, of all bodies to that from the origin.
struct PositionError {
  double largest = 0;
  std::size_t body = 0;  ///< whose it is: its place in the order
};
/// Both have the same bodies in the same order.
PositionError position_error(const Bodies& bodies, const Bodies& exact);

}  // namespace pleiad::control
