/// The field of external potentials, whatever their kinds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"
#include "potentials/kind.hpp"

#include <pleiad/potential.hpp>

#include <cstddef>
#include <potentials/kinds.hpp>  // written by CMake

namespace pleiad::potentials {

/// For with_kind: the field in the axes of the potential, relative to its centre.
template <class T>
struct AtOffset {
  const Instant<T>& now;
  double G;
  Vec3<T> offset;
  template <class Kind>
  PLEIAD_HD Field<T> operator()(Kind) const {
    if constexpr (Tabulated<Kind>) return Kind::template at<T>(now.rows, now.row_count, G, offset);
    else return Kind::template at<T>(now.numbers, G, offset);
  }
};

/// Bits of potentials that do not change with time are those of their kind.
template <class T>
PLEIAD_HD Field<T> field_of(const Instant<T>& now, double G, Vec3<T> position) {
  Vec3<T> d = position - now.centre;
  if (now.turned) d = {now.cosine * d.x + now.sine * d.y, now.cosine * d.y - now.sine * d.x, d.z};
  auto field = with_kind(now.kind, AtOffset<T>{now, G, d});
  auto& a = field.acceleration;
  if (now.turned) a = {now.cosine * a.x - now.sine * a.y, now.sine * a.x + now.cosine * a.y, a.z};
  if (now.scaled) {
    field.acceleration = a * now.strength;
    field.potential *= now.strength;
  }
  return field;
}
/// The sum of `count` fields.
template <class T>
PLEIAD_HD Field<T> field_of(const Instant<T>* instants, std::size_t count, double G, Vec3<T> position) {
  Field<T> sum;
  for (std::size_t k = 0; k < count; ++k) {
    const auto field = field_of(instants[k], G, position);
    sum.acceleration += field.acceleration;
    sum.potential += field.potential;
  }
  return sum;
}

}  // namespace pleiad::potentials
