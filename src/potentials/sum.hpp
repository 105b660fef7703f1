/// The field of external potentials, whatever their kinds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>

#include <cstddef>
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
/// The sum of `count` fields.
template <class T>
PLEIAD_HD Field<T> field_of(const Potential* potentials, std::size_t count, double G, Vec3<T> position) {
  Field<T> sum;
  for (std::size_t k = 0; k < count; ++k) {
    const auto field = field_of(potentials[k], G, position);
    sum.acceleration += field.acceleration;
    sum.potential += field.potential;
  }
  return sum;
}

}  // namespace pleiad::potentials
