/// External potentials on bodies in the memory of the host. Each body's field is its own, so results depend
/// on neither threads nor ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"

#include <pleiad/potential.hpp>
#include <pleiad/snapshot.hpp>

#include <span>
#include <vector>

namespace pleiad::potentials {

/// The sum of the fields of some potentials at one time.
class HostField {
 public:
  HostField() = default;
  HostField(std::span<const Potential> potentials, double G, double time);

  FieldValue at(const Vec3<double>& position) const;
  /// Adds the accelerations, divided by G, to sums of pulls, which leave G out. T: float or double.
  template <class T>
  void add_to_sums(std::span<const Mass<T>> bodies, std::span<Vec4<T>> sums) const;

 private:
  double G_ = 1;
  std::vector<Instant<double>> now_;
};

/// Adds accelerations and their time derivatives along these velocities, G included.
void add_with_jerks(std::span<const Potential> potentials, double G, double time,
                    std::span<const Mass<double>> bodies, std::span<const Vec4<double>> velocities,
                    std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks);
/// Adds accelerations and potentials at the time of a snapshot, G included, to those of the snapshot; nothing
/// where it has none.
void add_to_fields(std::span<const Potential> potentials, Snapshot& snapshot);

}  // namespace pleiad::potentials
