/// The rungs that a build without CUDA lacks: those on the GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace pleiad {

/// Message of a build without CUDA if a GPU is requested.
inline constexpr std::string_view cpu_kernels_only =
    "this build has CPU kernels only (cmake --preset cuda makes another)";

struct AbsentKernel {
  int rung = 0;  ///< position in the order of the course
  std::string_view name, idea;
};

/// Kernels that this build lacks, in the order of the course; none in a build with CUDA.
std::span<const AbsentKernel> absent_kernels();

}  // namespace pleiad
