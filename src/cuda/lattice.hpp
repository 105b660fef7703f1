/// The updates of a state on a lattice: whole numbers are added, as on the host (core/lattice.hpp), with the
/// same bits. Plain C++; all pointers are device pointers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lattice.hpp"
#include "cuda/multi_gpu/send.hpp"

#include <array>
#include <cstddef>

namespace pleiad::cuda {

/// The state of n bodies of one device, the first of which has the number `first` in x: v, low and sums begin
/// with it.
struct OnLattice {
  const Mass<double>* x;
  Vec4<double>* v;
  std::array<double, 6>* low;  ///< see Bodies::low
  const Vec4<double>* sums;
  std::size_t first, n;
};

/// Kicks and drifts. New positions go to all destinations, of which x may be one; without a drift they are as
/// they were. `left` becomes 1 where a body would leave the lattice, and is not changed otherwise.
void update_on_lattice(const Update<double>& update, const lattice::Units& units, const OnLattice& bodies,
                       const Destinations<double>& to, int* left, void* stream);
/// Changes the sign of the low parts of n velocities.
void reverse_low(std::array<double, 6>* low, std::size_t n, void* stream);

}  // namespace pleiad::cuda
