/// Sums of symmetric pairs, sent to the owners of the bodies. Each device has added to partial sums of its
/// own for all bodies; now it writes those for the bodies of another one into a box there, and clears them. A
/// sum has a window for each range of sizes (direct/pair_sums.hpp), of which a system uses two or three of
/// six: a window that is zero for a group of bodies is not sent, which the box records. Before, the owner
/// read all partial sums of all devices: 28 MB over the link for each of 4 H200s at 262144 bodies, which took
/// 145 us, and all partial sums were cleared by 20 us of writes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/frame.hpp"
#include "cuda/multi_gpu/devices.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad::cuda {

/// Arrays of one device, which owns the bodies `first` to `first` + `count` - 1.
struct PartialSumsOfOwner {
  std::size_t first = 0, count = 0;
  void* partial_sums = nullptr;  ///< its own sums of all bodies; zero before they are added to
  void* boxes = nullptr;         ///< bytes_of_boxes(), where all devices can write
};

/// P: the precision policy, here and below.
template <class P>
std::size_t bytes_of_boxes(int devices, std::size_t count);

/// Writes the partial sums of device `me` for the bodies of others, of n in all, into their boxes.
template <class P>
void send_partial_sums(int me, std::span<const PartialSumsOfOwner> owners, std::size_t n, void* stream);

/// After a device barrier: computes the pulls on the bodies of device `me` from its partial sums and its
/// boxes, equal bit for bit to those of SymmetricSum::total. Its partial sums are then zero again.
template <class P>
void total_partial_sums(int me, std::span<const PartialSumsOfOwner> owners, const Framed<P>& framed,
                        std::size_t n, Vec4<typename P::Sum>* sums, void* stream);

}  // namespace pleiad::cuda
