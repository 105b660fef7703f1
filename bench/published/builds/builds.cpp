/// The list of builds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/builds.hpp"

namespace pleiad::cuda {

extern const KernelBuilds builds_plain, builds_o1, builds_fast_math, builds_oldest;

std::vector<const KernelBuild*> kernel_builds() {
  std::vector<const KernelBuild*> all;
  for (const auto* builds : {&builds_plain, &builds_o1, &builds_fast_math, &builds_oldest})
    for (const auto& build : *builds) all.push_back(&build);
  return all;
}

}  // namespace pleiad::cuda
