/// Positions and masses of bodies in the layout of kernels, for evaluations without a state.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/arrays.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// Rounded to T; x has as many elements as there are bodies.
template <class T>
void to_places(const Bodies& b, std::span<Mass<T>> x) {
  for_each_index(x.size(), [&](std::size_t i) { x[i] = {T(b.x[i]), T(b.y[i]), T(b.z[i]), T(b.mass[i])}; });
}
template <class T>
std::vector<Mass<T>> places_of(const Bodies& b) {
  std::vector<Mass<T>> x(b.size());
  to_places<T>(b, x);
  return x;
}

/// The inverse: bodies at rest.
template <class T>
Bodies bodies_of(std::span<const Mass<T>> x) {
  Bodies bodies;
  bodies.reserve(x.size());
  for (const auto& b : x) bodies.add(double(b.m), {double(b.x), double(b.y), double(b.z)}, {});
  return bodies;
}

}  // namespace pleiad
