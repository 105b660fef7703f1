/// How forces are found and steps are made, as a value: what the engine, the planner and the tuner hand on.
/// It is a text only where people or files read it.
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

/// A kernel in a shape or a tree with its settings, and perhaps a kernel for fused steps: all that decides
/// the bits, beside precision and build.
struct ForceMethod {
  const DirectKernel* kernel = nullptr;
  LaunchShape shape{};
  /// For the steps; the forces that are looked at between them still come from `kernel`, by the table when
  /// that is null. Null: steps are made of forces and updates.
  const StepKernel* steps = nullptr;
  LaunchShape step_shape{};
  /// Forces by a tree instead of a kernel, which is then null.
  std::optional<TreeSettings> tree{};
  /// Fused steps of many systems; all else is then null.
  const EnsembleKernel* ensemble = nullptr;
  bool operator==(const ForceMethod&) const = default;
};

/// Which device it runs on; the kernels for steps and ensembles are a GPU's.
constexpr Device place_of(const ForceMethod& method) {
  if (method.tree) return method.tree->device;
  if (method.kernel != nullptr && method.steps == nullptr) return method.kernel->device;
  return Device::cuda;
}

/// Whether a kernel's name says that it runs on a GPU: "cuda/tile".
constexpr bool of_gpu(std::string_view kernel) {
  return kernel.substr(0, kernel.find('/')) == name_of(Device::cuda);
}

/// What there is to choose from.
struct Catalogue {
  std::span<const DirectKernel* const> kernels{};
  std::span<const StepKernel* const> steps{};
  std::span<const EnsembleKernel* const> ensembles{};
};
/// That of this binary.
Catalogue catalogue();

/// A word for a number of a shape: "block=256".
struct ShapeWord {
  std::string_view word;
  int LaunchShape::*number;
};
inline constexpr std::array shape_words{
    ShapeWord{"block", &LaunchShape::threads_per_block}, ShapeWord{"bodies", &LaunchShape::bodies_per_thread},
    ShapeWord{"threads", &LaunchShape::threads_per_body}, ShapeWord{"stride", &LaunchShape::source_splits},
    ShapeWord{"grid", &LaunchShape::blocks}};

/// "cuda/mixed-symmetric block=128 bodies=12; steps cuda/grid-steps block=256"; of a tree that of its
/// settings. "auto" for none.
std::string text_of(const ForceMethod& method);
std::string text_of(const std::optional<ForceMethod>& method);
/// The inverse: nothing for "auto". A name alone may be that of a kernel or of one for steps, and `kernel` is
/// null when only one for steps is named. UsageError with the nearest right name; ResourceError for a kernel
/// that only a build with CUDA has.
std::optional<ForceMethod> force_method_of(std::string_view text, const Catalogue& from = catalogue());

/// Why a run of n bodies cannot have its forces so, in one sentence: what is in the way; what would be right.
/// Nothing when it can. `jerks`: the integrator needs them. Whether there is a GPU is another question.
std::optional<std::string> why_not(const ForceMethod& method, std::size_t n, Precision precision,
                                   const Gravity& gravity, bool jerks = false);
/// Such a sentence without its advice.
constexpr std::string_view obstacle_of(std::string_view sentence) {
  return sentence.substr(0, sentence.find(';'));
}
/// UsageError with that sentence.
void need_able(const ForceMethod& method, std::size_t n, Precision precision, const Gravity& gravity,
               bool jerks = false);

}  // namespace pleiad
