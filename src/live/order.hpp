/// The order in which bodies are drawn: along a space-filling curve, so that every n-th body is a fair sample
/// of all, everywhere.
///
/// It is kept for a while, though bodies move: points that keep their places can be sent as small changes,
/// and bodies that were chosen by where they were stay a fair sample.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/frame.hpp"

#include <pleiad/snapshot.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::live {

/// A box for these bodies: the periodic box; or where almost all of them are, with some room. A few far
/// away would leave too few numbers for the others.
Box box_for(const Snapshot& snapshot);
/// Whether they still fit well.
bool suits(const Box& box, const Snapshot& snapshot);

/// Numbers of all bodies along a curve in the box.
std::vector<std::uint32_t> key_order(const Bodies& bodies, const Box& box);

/// Bodies per volume about each of these, which are in key order: from the distance to the nearest of their
/// neighbours in that order.
std::vector<float> densities(const Bodies& bodies, std::span<const std::uint32_t> order);

}  // namespace pleiad::live
