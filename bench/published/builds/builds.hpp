/// The pair of bodies written in two ways and compiled in several: what a compiler's flags do to a kernel.
/// Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace pleiad::cuda {

/// A kernel of no catalogue: it is there to be compared with itself.
struct KernelBuild {
  std::string_view form;        ///< "one thread per body" or "shared tiles"
  std::string_view expression;  ///< "1 / sqrt" or "rsqrt"
  std::string_view build;       ///< what was asked of the compiler: "-O3"
  DirectKernel kernel;
};
/// Each form with each expression, compiled by one file in its own way.
using KernelBuilds = std::array<KernelBuild, 4>;

/// All of them, those of plain -O3 first.
std::vector<const KernelBuild*> kernel_builds();

}  // namespace pleiad::cuda
