/// Forces of bodies whose memory on a GPU is someone else's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/kernel/force_method.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/vectors.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace pleiad {

/// All pointers are the device's.
template <class T>
struct DeviceArrays {
  Vectors<const T> positions{};
  const T* masses = nullptr;
  std::size_t mass_stride = 1;
  std::optional<Vectors<const T>> targets{};  ///< none: the bodies
  Vectors<T> accelerations{};                 ///< of the targets, and so are potentials
  T* potentials = nullptr;                    ///< null: not computed
  std::size_t potential_stride = 1;
  bool potential = false;  ///< false: 0 where there is a place for them
  void* stream = nullptr;
};

/// T: the caller's numbers. It keeps its memory on the device between calls.
template <class T>
class DeviceForces {
 public:
  virtual ~DeviceForces() = default;
  /// Computes accelerations by `method`, a method for GPUs whose step kernel is ignored. The work is queued
  /// in the stream. With targets the kernel must allow them; a tree includes them as bodies without mass.
  /// Arrays in the layout of Mass and Vec4 records are not copied, except in a periodic box and with targets.
  virtual void find(const DeviceArrays<T>& bodies, const Gravity& gravity, const ForceMethod& method) = 0;
  /// The bodies on the host; waits for them. Their velocities are 0.
  virtual Bodies copy(const DeviceArrays<T>& bodies) = 0;
};

/// T: float or double. Of this build, whether or not it has kernels for real GPUs.
template <class T>
std::unique_ptr<DeviceForces<T>> make_device_forces_of(Precision precision);
/// Makes DeviceForces with this precision; ResourceError without a GPU.
template <class T>
std::unique_ptr<DeviceForces<T>> make_device_forces(Precision precision);

}  // namespace pleiad
