/// What runs a problem: a kernel or a tree for the forces, perhaps a kernel for whole steps, and on how many
/// GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/direct.hpp>
#include <pleiad/steps.hpp>
#include <pleiad/tree.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  /// Forces by a tree instead of a kernel, which is then null.
  std::optional<TreeSettings> tree{};
  std::string why;
};

/// What a choice may know of the masses.
enum class Masses { any, equal };
constexpr std::string_view name_of(Masses masses) { return masses == Masses::equal ? "equal" : "any"; }
/// Equal: all are the same, and not 0.
Masses masses_of(const Bodies& bodies);

/// What there is to choose from.
struct Catalogue {
  std::span<const DirectKernel* const> kernels;
  std::span<const StepKernel* const> steps;
};
/// That of this binary.
Catalogue catalogue();

/// The best reproducible kernel for n bodies on the CPU; deterministic in its arguments alone (never in the
/// number of threads).
Choice choose_direct_kernel(std::size_t n, Precision precision, const Gravity& gravity);
/// The same on a GPU, by a table that was measured on one; UsageError when the catalogue has nothing that
/// computes this.
Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity,
                            Masses masses = Masses::any, const Catalogue& from = catalogue());

/// A word for a number of a shape: "block=256".
struct ShapeWord {
  std::string_view word;
  int LaunchShape::*number;
};
inline constexpr std::array shape_words{
    ShapeWord{"block", &LaunchShape::threads_per_block}, ShapeWord{"bodies", &LaunchShape::bodies_per_thread},
    ShapeWord{"threads", &LaunchShape::threads_per_body}, ShapeWord{"stride", &LaunchShape::source_splits},
    ShapeWord{"grid", &LaunchShape::blocks}};

/// All that decides the bits: "cuda/mixed-symmetric block=128 bodies=12; steps cuda/grid-steps block=256".
std::string text_of(const Choice& choice);
/// The inverse; a name alone may be that of a kernel or of one for steps. `kernel` is null when only one for
/// steps is named. A tree is one by its own text: see tree.hpp. UsageError with the nearest right name.
Choice choice_of(std::string_view text, const Catalogue& from = catalogue());

/// UsageError with the reason when the choice cannot compute this.
void need_able(const Choice& choice, std::size_t n, Precision precision, const Gravity& gravity);

}  // namespace pleiad
