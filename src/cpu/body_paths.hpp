/// Predictions of bodies on their paths, and their pulls with jerks on some of them, in double precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_paths.hpp"

#include <cstdint>
#include <span>

namespace pleiad::cpu {

/// Predicts the bodies with mass, and those that are `chosen`, at a time in units of paths.unit: positions to
/// the third derivative, velocities to the second.
void predict(BodyPaths& paths, double now, std::span<const std::uint32_t> chosen);

/// Predicts those that are `chosen` alone; some others with them.
void predict_chosen(BodyPaths& paths, double now, std::span<const std::uint32_t> chosen);
/// Predicts the whole vectors of BodyPaths::lanes bodies that begin at these, as predict() does.
void predict_vectors(BodyPaths& paths, double now, std::span<const std::uint32_t> firsts);

/// Accelerations and jerks of chosen bodies by all with mass, at the predicted places, in the order of
/// `chosen`. The same bits for any number of threads, and for each body whatever others are chosen.
/// Coincident bodies pull and jerk with zero.
void pulls_on(const BodyPaths& paths, std::span<const std::uint32_t> chosen, double eps2,
              std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks);

/// Second and third derivatives of the accelerations of all bodies by those with mass, from positions to
/// jerks at one time. With r, v, a and j of a pair, R^2 = r^2 + eps2 and w = m / R^3: alpha = r.v / R^2, beta
/// = (v.v + r.a) / R^2 + alpha^2, gamma = (3 v.a + r.j) / R^2 + alpha (3 beta - 4 alpha^2); A = w r, J = w v
/// - 3 alpha A, the snap S = w a - 6 alpha J - 3 beta A, the crackle w j - 9 alpha S - 9 beta J - 3 gamma A.
void snaps_and_crackles(const BodyPaths& paths, double eps2, std::span<Vec4<double>> snaps,
                        std::span<Vec4<double>> crackles);

}  // namespace pleiad::cpu
