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
  template <class T>
  static void leaves(const Cells& cells, std::uint32_t count, const Frame* frame, const Mass<T>* bodies,
                     void* stream) {
    launch("tree moments of leaves", moments_of_leaves<p, T>,
           {.blocks = blocks_for(count, moment_threads), .threads = moment_threads}, stream, cells, count,
           frame, bodies);
  }
  static void parents(const Cells& cells, Range r, void* stream) {
    launch("tree moments of parents", moments_of_parents<p>,
           {.blocks = blocks_for(std::size_t{r.count} * threads_per_parent, moment_threads),
            .threads = moment_threads},
           stream, cells, r.first, r.count);
  }
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
                                        .record = Sizes<p>::record,
                                        .moments = Sizes<p>::full,
                                        .folded = Sizes<p>::folded,
                                        .locals = Sizes<p>::local,
                                        .leaves_f32 = OrderOf<p>::template leaves<float>,
                                        .leaves_f64 = OrderOf<p>::template leaves<double>,
                                        .parents = OrderOf<p>::parents,
                                        .hard = OrderOf<p>::hard,
                                        .soft = OrderOf<p>::soft,
                                        .inherit = OrderOf<p>::inherit,
                                        .bodies_f32 = OrderOf<p>::template bodies<float>,
                                        .bodies_f64 = OrderOf<p>::template bodies<double>};

}  // namespace pleiad::cuda::tree
