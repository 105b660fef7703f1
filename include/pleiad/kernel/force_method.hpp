/// The force method as a value, which the engine, the planner and the tuner pass on. It is text only in
/// checkpoints, caches and messages.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/steps.hpp>
#include <pleiad/kernel/tree.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pleiad {

struct EnsembleKernel;  // ensemble_steps.hpp

/// A kernel with its shape, or a tree with its settings, and optionally a kernel for fused steps. Method,
/// precision and build determine a result, bit for bit.
struct ForceMethod {
  const DirectKernel* kernel = nullptr;
  LaunchShape shape{};
  /// The kernel for fused steps. Diagnostics between the steps use `kernel`, or the default kernel if that is
  /// null. Null: steps consist of force evaluations and updates.
  const StepKernel* steps = nullptr;
  LaunchShape step_shape{};
  /// Forces by a tree; `kernel` is then null.
  std::optional<TreeSettings> tree{};
  /// Fused steps of many systems; everything else is then null.
  const EnsembleKernel* ensemble = nullptr;
  bool operator==(const ForceMethod&) const = default;
};

/// Returns the device of a method. Kernels for steps and ensembles run on a GPU.
constexpr Device place_of(const ForceMethod& method) {
  if (method.tree) return method.tree->device;
  if (method.kernel != nullptr && method.steps == nullptr) return method.kernel->device;
  return Device::cuda;
}

/// Returns whether the name of a kernel is that of a GPU kernel: "cuda/tile".
constexpr bool of_gpu(std::string_view kernel) {
  return kernel.substr(0, kernel.find('/')) == name_of(Device::cuda);
}

/// Sets of kernels to choose from.
struct Catalogue {
  std::span<const DirectKernel* const> kernels{};
  std::span<const StepKernel* const> steps{};
  std::span<const EnsembleKernel* const> ensembles{};
};
/// Returns the kernels of this binary.
Catalogue catalogue();

/// The keyword of a number of a shape: "block=256".
struct ShapeWord {
  std::string_view word;
  int LaunchShape::*number;
};
/// The keywords, in the order of the text.
inline constexpr std::array shape_words{
    ShapeWord{"block", &LaunchShape::threads_per_block}, ShapeWord{"bodies", &LaunchShape::bodies_per_thread},
    ShapeWord{"threads", &LaunchShape::threads_per_body}, ShapeWord{"stride", &LaunchShape::source_splits},
    ShapeWord{"grid", &LaunchShape::blocks}};

/// Returns a method as text: "cuda/mixed-symmetric block=128 bodies=12; steps cuda/grid-steps block=256", or
/// the text of a tree's settings; "auto" if there is no method.
std::string text_of(const ForceMethod& method);
std::string text_of(const std::optional<ForceMethod>& method);
/// Returns the method of a text of text_of; empty for "auto". A single name may be that of a kernel or of a
/// step kernel; `kernel` is null in the second case. UsageError with the nearest valid name; ResourceError
/// for a kernel that only a build with CUDA has.
std::optional<ForceMethod> force_method_of(std::string_view text, const Catalogue& from = catalogue());

/// Returns the first part of a refusal "OBSTACLE; REMEDY".
constexpr std::string_view obstacle_of(std::string_view sentence) {
  return sentence.substr(0, sentence.find(';'));
}

}  // namespace pleiad
