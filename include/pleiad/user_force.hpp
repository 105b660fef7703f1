/// A force of the user's own, added to gravity at each evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <functional>

namespace pleiad {

/// The bodies at one evaluation, in the memory where the engine has them, in the order in which they were
/// given. The pointers hold during the call alone.
struct ForceCall {
  double time = 0;
  std::size_t n = 0;
  /// False: `bodies` are n Mass<double> and `accelerations` n Vec4<double>; true: the same of floats, in
  /// Precision::f32.
  bool single = false;
  const void* bodies = nullptr;   ///< x y z m
  void* accelerations = nullptr;  ///< x y z and a number that is not read; all 0 at first
  bool on_gpu = false;            ///< both pointers are those of a GPU's memory
  void* stream = nullptr;         ///< of that GPU: work that is queued there is in order
};

/// Writes the accelerations that it adds, in the units of the bodies. It must depend on its arguments alone
/// for runs to have the same bits again. It must not change the simulation. What it throws ends the steps
/// there.
using UserForce = std::function<void(const ForceCall&)>;

}  // namespace pleiad
