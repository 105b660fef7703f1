/// The state on the device: kick, damp, drift and wrap in one pass over memory, and reductions over all
/// bodies. Plain C++; all pointers are device pointers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/totals.hpp"
#include "core/update.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <vector>

namespace pleiad::cuda {

/// Applies `update` to n bodies; after a drift in a periodic box positions are wrapped into [0, length). T is
/// float or double, here and below.
template <class T>
void apply(const Update<T>& update, const Boundary& boundary, Mass<T>* x, Vec4<T>* v, const Vec4<T>* sums,
           std::size_t n, void* stream);
/// Positions into the box; nothing in open space.
template <class T>
void wrap(const Boundary& boundary, Mass<T>* x, std::size_t n, void* stream);
template <class T>
void reverse(Vec4<T>* v, std::size_t n, void* stream);

// Each waits for its result, which is all that it copies.
/// One for each block of sum_block bodies, for tree_sum: in double precision, and of bits that depend on the
/// bodies of the block alone. `sums`: pulls with potentials.
template <class T>
std::vector<BodySums> sums_of_blocks(const Mass<T>* x, const Vec4<T>* v, const Vec4<T>* sums, std::size_t n,
                                     void* stream);
/// The largest squared length of the sums' xyz; NaN counts as nothing.
template <class T>
double largest_pull_squared(const Vec4<T>* sums, std::size_t n, void* stream);
/// No NaN, no infinity in positions and velocities.
template <class T>
bool all_finite(const Mass<T>* x, const Vec4<T>* v, std::size_t n, void* stream);

}  // namespace pleiad::cuda
