/// The default force method of a problem, and its number of GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pleiad {

/// Whether ranks with a GPU each divide the tree of the fast multipole method, so that no GPU has all bodies.
/// automatic: where the whole of it would not fit on each GPU. Bits do not depend on it.
enum class DivideTree { automatic, yes, no };

/// A method that was chosen for a problem, and the reason as text for the header line. `gpus` and
/// `divide_tree` never change the bits.
struct Choice {
  ForceMethod method{};
  int gpus = 1;
  DivideTree divide_tree = DivideTree::automatic;
  std::string why{};
};

/// Whether all masses are equal, which allows other kernels.
enum class Masses { any, equal };
/// "equal" or "any".
constexpr std::string_view name_of(Masses masses) { return masses == Masses::equal ? "equal" : "any"; }
/// Equal: all masses are the same, and not 0.
Masses masses_of(const Bodies& bodies);

/// The best reproducible kernel for n bodies on the CPU. It depends only on the arguments, never on the
/// number of threads.
Choice choose_direct_kernel(std::size_t n, Precision precision, const Gravity& gravity);
/// The same on a GPU, from a table of measurements on one. UsageError if no kernel of the catalogue can
/// compute the problem.
Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity,
                            Masses masses = Masses::any, const Catalogue& from = catalogue());

}  // namespace pleiad
