/// The kernels of one order, as the solver calls them. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/images.hpp"

#include <span>

namespace pleiad::cuda::tree {

template <class T>
using MomentsOfLeaves = void(const Cells&, std::uint32_t count, const Frame*, const Mass<T>*, void* stream);
template <class T>
using AddBodies = void(const Cells&, const Lists&, const Images&, const Tile*, std::uint32_t tiles,
                       const Frame*, const Sorted<T>&, const Outputs<T>& sums, bool potential, void* stream);
using AddM2l = void(const Cells&, const Lists&, const Images&, const Frame*, std::uint32_t count,
                    void* stream);

/// Kernels from bodies to the moments of all cells and their records.
struct MomentKernels {
  int record = 0, moments = 0;  ///< floats of a cell
  MomentsOfLeaves<float>* leaves_f32 = nullptr;
  MomentsOfLeaves<double>* leaves_f64 = nullptr;
  void (*parents)(const Cells&, Range, void* stream) = nullptr;
};

struct OrderKernels {
  int order = 0;
  MomentKernels up;
  int folded = 0, locals = 0;  ///< floats of a cell
  AddM2l *m2l = nullptr, *softened_m2l = nullptr;
  /// The cells of a level, from the root on; those of level 1 take nothing from a parent (L2L).
  void (*l2l)(const Cells&, const Lists&, Range, bool from_parent, bool softened_m2l, void* stream) = nullptr;
  AddBodies<float>* bodies_f32 = nullptr;
  AddBodies<double>* bodies_f64 = nullptr;
};

/// All kernels, one entry for each order.
std::span<const OrderKernels* const> order_kernels();

}  // namespace pleiad::cuda::tree
