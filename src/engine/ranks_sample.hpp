/// Force errors of a run on several ranks: a sample of all bodies, and direct sums for it. Both equal those
/// of one process with all bodies, bit for bit, for any number of ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/collective.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

// All calls are collective; their results are the same on every rank.

/// Draws a sample of all bodies (see sample_of). Rank 0 draws from at most 128 times as many bodies as the
/// sample has.
Sample collective_sample(const ranks::Collective& all, const Bodies& own, std::size_t most);

/// Accelerations by direct sums in double precision from the given positions, unrounded. They are computed on
/// a GPU of each rank if that is requested and the space is open: on the CPU they would take longer than
/// everything else of a run on a GPU. `ranks`: null where there is one process.
std::vector<Vec3<double>> exact_on(Device where, ranks::Communicator* ranks, const Bodies& own,
                                   const Gravity& gravity, std::span<const std::size_t> chosen);

/// A sample, and the accelerations of its bodies without any rounding, also of positions.
struct MeasuredSample {
  Sample sample{};
  std::vector<Vec3<double>> exact{};
  std::vector<double> rounding{};  ///< of `exact`
};

/// Vectors of the chosen bodies of all, from the rank that has each: of(i) is that of its body i.
std::vector<Vec3<double>> of_chosen(const ranks::Collective& all, std::size_t own,
                                    std::span<const std::size_t> chosen,
                                    const std::function<Vec3<double>(std::size_t)>& of);
/// Vectors of the chosen bodies, where each rank computes those of all its bodies at once.
using OfSome = std::function<std::vector<Vec3<double>>(std::span<const std::size_t>)>;
std::vector<Vec3<double>> of_chosen_at_once(const ranks::Collective& all, std::size_t own,
                                            std::span<const std::size_t> chosen, const OfSome& of);

/// Exact accelerations, G included, of the chosen bodies of all ranks. Each rank sums a part of them.
template <class T>
std::vector<Vec3<double>> collective_exact(const ranks::Collective& all, std::span<const Mass<T>> own,
                                           const Gravity& gravity, std::span<const std::size_t> chosen);

}  // namespace pleiad
