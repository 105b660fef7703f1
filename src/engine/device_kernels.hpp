/// Kernels that every engine on GPUs needs in addition to that of the steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/catalogue.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>

#include <fmt/format.h>

namespace pleiad {

/// The rung for energies and fields: the run's own where it sums potentials, else the one that was fastest of
/// those that do, at every N and in every precision that was measured.
inline const DirectKernel& with_potential(const DirectKernel& kernel, bool separate_targets = false) {
  if (kernel.traits.potential && (!separate_targets || kernel.traits.separate_targets)) return kernel;
  for (const auto* other : cuda_kernels())
    if (other->name == "cuda/split-reduced") return *other;
  throw UsageError(fmt::format("kernel '{}' sums no potentials, and there is no other", kernel.name));
}

/// A kernel with potentials for targets that are a part of the bodies.
inline const DirectKernel& one_sided_with_potential(const DirectKernel& kernel) {
  return with_potential(kernel, true);
}

}  // namespace pleiad
