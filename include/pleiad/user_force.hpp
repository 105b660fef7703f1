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
  double time = 0;    ///< time of the positions
  std::size_t n = 0;  ///< number of bodies
  /// False: `bodies` are n Mass<double> and `accelerations` n Vec4<double>. True (with Precision::f32): they
  /// are n Mass<float> and n Vec4<float>.
  bool single = false;
  const void* bodies = nullptr;   ///< x y z m
  void* accelerations = nullptr;  ///< output: x y z, G included, and an unused number; initially 0
  bool on_gpu = false;            ///< both pointers refer to GPU memory
  void* stream = nullptr;         ///< a stream of this GPU; queue the work there
};

/// A function that writes the additional accelerations, in the units of the bodies (length / time^2). It is
/// called once for each evaluation. It must depend on its arguments only, or runs are not reproducible. It
/// must not change the simulation. An exception from it ends the steps there.
using UserForce = std::function<void(const ForceCall&)>;

}  // namespace pleiad
