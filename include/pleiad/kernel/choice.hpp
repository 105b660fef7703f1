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

/// Whether ranks with a GPU each distribute the tree of the fast multipole method, so that no GPU has all
/// bodies. automatic: if the full tree would not fit on each GPU. Results do not depend on it, bit for bit.
enum class DivideTree { automatic, yes, no };

/// A method that was chosen for a problem, and the reason as text for the header line. `gpus` and
/// `divide_tree` never change the result, bit for bit.
struct Choice {
  ForceMethod method{};
  int gpus = 1;
  DivideTree divide_tree = DivideTree::automatic;
  std::string why{};
};

/// Whether all masses are equal, which allows other kernels.
enum class Masses { any, equal };
/// Returns "equal" or "any".
constexpr std::string_view name_of(Masses masses) { return masses == Masses::equal ? "equal" : "any"; }
/// Returns `equal` if all masses are the same, and not 0. O(N).
Masses masses_of(const Bodies& bodies);

/// Returns the best reproducible kernel for n bodies on the CPU. It depends only on the arguments, never on
/// the number of threads.
Choice choose_direct_kernel(std::size_t n, Precision precision, const Gravity& gravity);
/// Returns the best kernel for n bodies on a GPU, from a table of measurements on one GPU. UsageError if no
/// kernel of the catalogue can compute the problem.
Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity,
                            Masses masses = Masses::any, const Catalogue& from = catalogue());

}  // namespace pleiad
