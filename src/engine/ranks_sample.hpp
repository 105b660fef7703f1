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
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

// All calls are collective; their results are the same on every rank.

/// Draws a sample of all bodies (see sample_of). Rank 0 draws from at most 128 times as many bodies as the
/// sample has.
Sample collective_sample(const ranks::Collective& all, const Bodies& own, std::size_t most);

/// By direct sums in double precision from what is given, unrounded. They are summed on a GPU, one of each
/// rank, where that is asked for and the space is open, or of one process all images: a processor beside a
/// GPU takes longer for them than for all else. Collective.
std::vector<Vec3<double>> exact_on(Device where, ranks::Communicator& ranks, const Bodies& own,
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

/// Accelerations of the chosen bodies of all ranks, G included, by direct sums in double precision. Each rank
/// sums a part of the chosen bodies. T: float or double, as an engine holds them.
template <class T>
std::vector<Vec3<double>> collective_exact(const ranks::Collective& all, std::span<const Mass<T>> own,
                                           const Gravity& gravity, std::span<const std::size_t> chosen);
/// The same where some bodies are semi-active, those of this rank whose mark is not 0.
std::vector<Vec3<double>> semi_active_exact(const ranks::Collective& all, std::span<const Mass<double>> own,
                                            std::span<const std::uint8_t> marks, const Gravity& gravity,
                                            std::span<const std::size_t> chosen);
/// The same with the softenings that the bodies have (see softening_of), and those of them that are
/// semi-active by the law.
std::vector<Vec3<double>> collective_exact_of(const ranks::Collective& all, const Bodies& own,
                                              const Gravity& gravity, std::span<const std::size_t> chosen);

/// The chosen ones of the sums of all bodies, times G.
template <class T>
std::vector<Vec3<double>> accelerations_of(std::span<const Vec4<T>> sums, double G,
                                           std::span<const std::size_t> chosen) {
  std::vector<Vec3<double>> a(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto& s = sums[chosen[k]];
    a[k] = {G * double(s.x), G * double(s.y), G * double(s.z)};
  }
  return a;
}

}  // namespace pleiad
