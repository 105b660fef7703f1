/// Barnes and Hut's walks on the device: groups of bodies, and the kernels of each order. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/build.hpp"
#include "cuda/tree/order.hpp"

#include <span>

namespace pleiad::cuda::tree {

/// Groups are ranges of the sorted bodies.
struct Groups {
  static constexpr int most = 128;  ///< bodies of one
  std::uint32_t* begins;            ///< of each group, in any order
  std::uint32_t* firsts;            ///< bit i % 32 of word i / 32: body i is the first of a group
};
/// All groups of at most `size` bodies; status->groups is their number.
void find_groups(const std::uint64_t* keys, std::uint32_t n, int size, const Groups& groups, Status* status,
                 void* stream);

/// When a cell pulls a group as a whole, R being the distance of its centre of mass from the group's box:
/// R > reach / theta, and with a tolerance the error that is estimated must be below it.
struct WalkBy {
  float per_theta = 1;
  float tolerance = 0;    ///< 0: by distance alone
  std::uint32_t few = 0;  ///< a cell with at most this number of bodies passes the bodies instead
};
/// The reach of the cells of a level by the MACs of sides: side / theta, and the offset of the centre of
/// mass from the cube's middle.
void reach_by_sides(const Cells& cells, Range range, int level, double theta, bool offset, int record,
                    const std::uint64_t* keys, void* stream);

template <class T>
using Walk = void(const Cells&, const Images&, const Groups&, std::uint32_t groups, const Frame*, Status*,
                  const WalkBy&, const Sorted<T>&, const Outputs<T>& sums, bool potential, void* stream);

struct WalkKernels {
  int order = 0;  ///< of the multipoles
  MomentKernels up;
  std::uint32_t few = 0;  ///< bodies that cost no more than a cell
  Walk<float>* walk_f32 = nullptr;
  Walk<double>* walk_f64 = nullptr;
};

/// All kernels, one entry for each order.
std::span<const WalkKernels* const> walk_kernels();

}  // namespace pleiad::cuda::tree
