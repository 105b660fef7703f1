/// The requested accuracy of the forces of a simulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/solver_request.hpp"
#include "tune/tuning.hpp"

#include <cstdint>

namespace pleiad::control {

struct Demand {
  tune::SolverRequest request{};  ///< an accuracy, a solver, or whatever else is set
  std::uint64_t check_every = 0;  ///< steps between measurements of the error; 0: chosen
  tune::Tuning tuning = tune::Tuning::automatic;
  bool kernel_named = false;  ///< the force method was named whole, with its settings
  /// Whether theta, a tolerance or a kernel is stated: then it is kept.
  bool stated() const { return kernel_named || request.theta || request.tolerance; }
};

}  // namespace pleiad::control
