/// Which integrators give each body steps of its own and sum the pulls of all bodies on it, and the accuracy
/// of their steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace pleiad {

/// Whether this one, if there is one, does: hermite4-block. (block-kdk evaluates sets of bodies.)
constexpr bool has_individual_steps(const Integrator* integrator) {
  return in_blocks(integrator) && integrator->needs_jerks;
}

/// Whether such steps on a GPU are made by a scheme on the host: those of groups, and in external potentials.
/// Those of single bodies in open space are made by one kernel.
constexpr bool steps_by_host(const Integrator* integrator, bool close_groups, bool potentials) {
  return has_individual_steps(integrator) && (close_groups || potentials);
}

/// The number of bodies with mass from which on the pulls of neighbours by themselves take less time at the
/// same error of the energy.
inline constexpr std::size_t least_for_neighbours = 2000;
/// Whether hermite4-block does so, with this number of them.
constexpr bool sums_neighbours(const BlockSteps& blocks, std::size_t massive) {
  return blocks.neighbours == Neighbours::on ||
         (blocks.neighbours == Neighbours::automatic && blocks.groups == CloseGroups::off &&
          massive >= least_for_neighbours);
}

/// How many neighbours each body has then, about.
inline std::size_t wanted_neighbours(std::size_t massive) {
  return std::max<std::size_t>(8, static_cast<std::size_t>(std::pow(double(massive) / 8, 0.75) / 2));
}

/// What eta is unless it is stated: hermite4-block then keeps the energy of ten thousand stars to 1e-8 in a
/// unit of time.
constexpr double usual_eta(std::string_view integrator) {
  return integrator == "hermite4-block" ? 0.005 : 0.02;
}

}  // namespace pleiad
