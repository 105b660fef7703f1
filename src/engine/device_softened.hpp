/// Direct sums on GPUs for bodies with softenings of their own, or a spline: on one GPU, of one process or of
/// several ranks, and on several GPUs; and those of the sample by which force errors are measured.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "engine/multi_gpu_solver.hpp"
#include "ranks/collective.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

/// The softenings of the bodies of all ranks in their order, where the law is not one Plummer softening of
/// all pairs; else none. UsageError if some bodies have none. Collective.
std::vector<double> softenings_of_all(const ranks::Collective& all, const Bodies& own, const Softening& law);

/// Makes a solver on the present GPU for bodies with the softenings `eps`, in the precision of its policy.
/// Its problems have all these bodies as sources, and any range of them as targets, which begins with number
/// `self`. `massive`: the numbers of the bodies that pull; null: all. A target has the same bits whatever the
/// other targets are, and the bodies with mass those that they have alone.
template <class P>
std::unique_ptr<ForceSolver<P>> make_device_softened_solver(const Gravity& gravity,
                                                            std::span<const double> eps,
                                                            const std::vector<std::size_t>* massive,
                                                            void* stream);
/// The same on several GPUs.
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_softened_sums(
    const MultiGpuPlace& place, std::span<const double> eps,
    const std::optional<std::vector<std::size_t>>& massive);

/// Accelerations of the chosen of all bodies, which are on the present GPU, by sums in double precision; G
/// included. T is float or double.
template <class T>
std::vector<Vec3<double>> softened_exact_on_gpu(std::span<const Mass<T>> bodies, std::span<const double> eps,
                                                const Gravity& gravity, std::span<const std::size_t> chosen,
                                                void* stream);

}  // namespace pleiad
