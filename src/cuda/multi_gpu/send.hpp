/// The update of a device's own bodies, whose new positions go to every device at once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/multi_gpu/devices.hpp"
#include "cuda/state.hpp"

#include <cstddef>

namespace pleiad::cuda {

/// Destinations of positions: arrays of all bodies.
template <class T>
struct Destinations {
  int count = 0;
  Mass<T>* bodies[BarrierState::most_devices]{};
};

/// As apply() for the bodies `first` to `first` + n - 1 of `x`; v and sums begin with the first of them. When
/// the update drifts, `x` stays as it is and the new positions go to all destinations. T: float or double.
template <class T>
void update_and_send(const Update<T>& update, const Boundary& boundary, const Mass<T>* x, Vec4<T>* v,
                     const Vec4<T>* sums, std::size_t first, std::size_t n, const Destinations<T>& to,
                     void* stream);

}  // namespace pleiad::cuda
