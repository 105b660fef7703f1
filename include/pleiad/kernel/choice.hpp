/// Which method finds the forces of a problem when none is named, and on how many GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pleiad {

/// A method that was chosen for a problem, and the reason in words for the header line. `gpus` never changes
/// the bits.
struct Choice {
  ForceMethod method{};
  int gpus = 1;
  std::string why{};
};

/// What a choice may know of the masses.
enum class Masses { any, equal };
constexpr std::string_view name_of(Masses masses) { return masses == Masses::equal ? "equal" : "any"; }
/// Equal: all are the same, and not 0.
Masses masses_of(const Bodies& bodies);

/// The best reproducible kernel for n bodies on the CPU; deterministic in its arguments alone (never in the
/// number of threads).
Choice choose_direct_kernel(std::size_t n, Precision precision, const Gravity& gravity);
/// The same on a GPU, by a table that was measured on one; UsageError when the catalogue has nothing that
/// computes this.
Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity,
                            Masses masses = Masses::any, const Catalogue& from = catalogue());

}  // namespace pleiad
