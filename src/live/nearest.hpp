/// The bodies nearest to a place, of very many.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::live {

/// Position at which a body is drawn: in a periodic box positions may be outside of [0, length).
Vec3<double> drawn_at(const Snapshot& snapshot, std::size_t i);

/// `count` of them, or all where there are no more, by their numbers. Distances are those of the drawing, not
/// across the edge of a periodic box.
std::vector<std::uint32_t> nearest_bodies(const Snapshot& snapshot, const Vec3<double>& place,
                                          std::size_t count);

}  // namespace pleiad::live
