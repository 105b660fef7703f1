/// Defines the kernels of one order: included by one file per order, after PLEIAD_TREE_OPERATORS.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/far.hpp"
#include "cuda/tree/moments.hpp"
#include "cuda/tree/near.hpp"
#include "cuda/tree/order.hpp"

namespace pleiad::cuda::tree {

template <int p>
struct OrderOf {
  static void hard(const Cells& cells, const Lists& lists, const Frame* frame, std::uint32_t count,
                   void* stream) {
    launch("tree far cells", add_hard<p>,
           {.blocks = blocks_for(count, far_warps), .threads = 32 * far_warps, .shared_bytes = far_bytes<p>},
           stream, cells, lists, frame, count);
  }
  static void soft(const Cells& cells, const Lists& lists, const Frame* frame, std::uint32_t count,
                   void* stream) {
    launch("tree far cells with softening", add_soft<p>,
           {.blocks = blocks_for(count, far_warps), .threads = 32 * far_warps}, stream, cells, lists, frame,
           count);
  }
  static void inherit(const Cells& cells, const Lists& lists, Range r, bool inherits, bool softened,
                      void* stream) {
    launch("tree fields of children", add_inherited<p>, {.blocks = blocks_for(r.count, 64), .threads = 64},
           stream, cells, lists, r.first, r.count, inherits, softened);
  }
  template <class T>
  static void bodies(const Cells& cells, const Lists& lists, const Tile* tiles, std::uint32_t count,
                     const Frame* frame, const Sorted<T>& sorted, const Outputs<T>& sums, bool potential,
                     void* stream) {
    launch("tree bodies", potential ? add_bodies<p, true, T> : add_bodies<p, false, T>,
           {.blocks = count, .threads = 32, .shared_bytes = near_bytes}, stream, cells, lists, tiles, frame,
           sorted, sums);
  }
};

template <int p>
constexpr OrderKernels kernels_of_order{.order = p,
                                        .up = moment_kernels<FarRecord<p>>,
                                        .folded = Sizes<p>::folded,
                                        .locals = Sizes<p>::local,
                                        .hard = OrderOf<p>::hard,
                                        .soft = OrderOf<p>::soft,
                                        .inherit = OrderOf<p>::inherit,
                                        .bodies_f32 = OrderOf<p>::template bodies<float>,
                                        .bodies_f64 = OrderOf<p>::template bodies<double>};

}  // namespace pleiad::cuda::tree
