/// Pulls with jerks in two parts, by neighbours and by all others, in double precision. All results have the
/// same bits for any number of threads, and for each body whatever others are chosen. Coincident bodies pull
/// and jerk with zero.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_paths.hpp"
#include "core/neighbours.hpp"

#include <cstdint>
#include <span>

namespace pleiad::cpu {

/// Accelerations and jerks of chosen bodies by all with mass that are no neighbours, at the predicted places,
/// in the order of `chosen`; and the neighbours.
void far_pulls_on(const BodyPaths& paths, std::span<const std::uint32_t> chosen, const NeighbourReach& reach,
                  double eps2, std::span<NeighbourList> found, std::span<Vec4<double>> accelerations,
                  std::span<Vec4<double>> jerks);

/// The same by the bodies of a list for each chosen one, which have to be predicted.
void near_pulls_on(const BodyPaths& paths, std::span<const std::uint32_t> chosen,
                   std::span<NeighbourList* const> lists, double eps2, std::span<Vec4<double>> accelerations,
                   std::span<Vec4<double>> jerks);

/// Neighbours alone, at the predicted places.
void find_neighbours(const BodyPaths& paths, std::span<const std::uint32_t> chosen,
                     const NeighbourReach& reach, double eps2, std::span<NeighbourList> found);

/// The lists of chosen bodies become `found`; and the pulls and jerks of the bodies that have come to them,
/// less those of the bodies that have gone.
void change_lists(const BodyPaths& paths, std::span<const std::uint32_t> chosen,
                  std::span<NeighbourList> found, double eps2, std::span<NeighbourList* const> lists,
                  std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks);

/// Predicts the chosen bodies and those of their lists, as predict() does.
void predict_near(BodyPaths& paths, double now, std::span<const std::uint32_t> chosen,
                  std::span<NeighbourList* const> lists);

}  // namespace pleiad::cpu
