/// A user force, which is added to gravity at each evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <functional>

namespace pleiad {

/// The bodies at one evaluation, in the memory of the engine and in their original order. The pointers are
/// valid during the call only.
struct ForceCall {
  double time = 0;
  std::size_t n = 0;
  /// False: `bodies` are n Mass<double> and `accelerations` n Vec4<double>. True (with Precision::f32): the
  /// same with floats.
  bool single = false;
  const void* bodies = nullptr;   ///< x y z m
  void* accelerations = nullptr;  ///< x y z and an unused number; initially 0
  bool on_gpu = false;            ///< both pointers are to GPU memory
  void* stream = nullptr;         ///< a stream of this GPU; queue the work there
};

/// Writes the additional accelerations, in the units of the bodies. It must depend on its arguments only, or
/// runs are not reproducible. It must not change the simulation. An exception from it ends the steps
/// there.
using UserForce = std::function<void(const ForceCall&)>;

}  // namespace pleiad
