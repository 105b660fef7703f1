/// The field of one external potential, whatever its kind.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>

#include <potentials/kinds.hpp>  // written by CMake

namespace pleiad::potentials {

/// For with_kind.
template <class T>
struct AtPosition {
  const Potential& potential;
  double G;
  Vec3<T> position;
  template <class Kind>
  PLEIAD_HD Field<T> operator()(Kind) const {
    const auto& c = potential.centre;
    return Kind::template at<T>(potential.parameters, G,
                                Vec3<T>{position.x - T(c.x), position.y - T(c.y), position.z - T(c.z)});
  }
};

template <class T>
PLEIAD_HD Field<T> field_of(const Potential& potential, double G, Vec3<T> position) {
  return with_kind(potential.kind, AtPosition<T>{potential, G, position});
}

}  // namespace pleiad::potentials
