/// Defines the kernels of one order: included by one file per order, after PLEIAD_TREE_OPERATORS.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/m2l.hpp"
#include "cuda/tree/moments.hpp"
#include "cuda/tree/order.hpp"
#include "cuda/tree/p2p.hpp"

namespace pleiad::cuda::tree {

template <int p>
struct OrderOf {
  static void m2l(const Cells& cells, const Lists& lists, const Images& images, const Frame* frame,
                  std::uint32_t count, void* stream) {
    launch("tree M2L", images.any() ? add_m2l<p, true> : add_m2l<p, false>,
           {.blocks = blocks_for(count, m2l_warps), .threads = 32 * m2l_warps, .shared_bytes = m2l_bytes<p>},
           stream, cells, lists, images, frame, count);
  }
  static void softened_m2l(const Cells& cells, const Lists& lists, const Images& images, const Frame* frame,
                           std::uint32_t count, void* stream) {
    launch("tree softened M2L", images.any() ? add_softened_m2l<p, true> : add_softened_m2l<p, false>,
           {.blocks = blocks_for(count, m2l_warps), .threads = 32 * m2l_warps}, stream, cells, lists, images,
           frame, count);
  }
  static void l2l(const Cells& cells, const Lists& lists, Range r, bool from_parent, bool softened,
                  void* stream) {
    launch("tree L2L", add_l2l<p>, {.blocks = blocks_for(r.count, 64), .threads = 64}, stream, cells, lists,
           r.first, r.count, from_parent, softened);
  }
  template <class T>
  static void bodies(const Cells& cells, const Lists& lists, const Images& images, const Tile* tiles,
                     std::uint32_t count, const Frame* frame, const Sorted<T>& sorted, const Outputs<T>& sums,
                     bool potential, void* stream) {
    auto* const kernel = images.any()
                             ? (potential ? add_bodies<p, true, true, T> : add_bodies<p, false, true, T>)
                             : (potential ? add_bodies<p, true, false, T> : add_bodies<p, false, false, T>);
    launch("tree L2P and P2P", kernel, {.blocks = count, .threads = 32, .shared_bytes = p2p_bytes}, stream,
           cells, lists, images, tiles, frame, sorted, sums);
  }
};

template <int p>
constexpr OrderKernels kernels_of_order{.order = p,
                                        .up = moment_kernels<FarRecord<p>>,
                                        .folded = Sizes<p>::folded,
                                        .locals = Sizes<p>::local,
                                        .m2l = OrderOf<p>::m2l,
                                        .softened_m2l = OrderOf<p>::softened_m2l,
                                        .l2l = OrderOf<p>::l2l,
                                        .bodies_f32 = OrderOf<p>::template bodies<float>,
                                        .bodies_f64 = OrderOf<p>::template bodies<double>};

}  // namespace pleiad::cuda::tree
