/// What runs a problem: a kernel for the forces, perhaps one for whole steps, and on how many GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/direct.hpp>
#include <pleiad/steps.hpp>

#include <cstddef>
#include <string>

namespace pleiad {

/// Kernels chosen for a problem, and the reason in words for the header line. `gpus` never changes the bits;
/// everything else does.
struct Choice {
  const DirectKernel* kernel = nullptr;
  LaunchShape shape{};
  /// For the steps; the forces that are looked at between them still come from `kernel`. Null: steps are made
  /// of forces and updates.
  const StepKernel* steps = nullptr;
  LaunchShape step_shape{};
  int gpus = 1;
  std::string why;
};
/// The best reproducible kernel for n bodies on the CPU; deterministic in its arguments alone (never in the
/// number of threads).
Choice choose_direct_kernel(std::size_t n, Precision precision, const Gravity& gravity);
/// The same on a GPU, in a build that has kernels for it.
Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity);

}  // namespace pleiad
