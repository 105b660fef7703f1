/// Places and masses of bodies as kernels see them, where nothing moves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/vec.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pleiad {

/// Rounded to T.
template <class T>
std::vector<Mass<T>> places_of(const Bodies& b) {
  std::vector<Mass<T>> x(b.size());
  constexpr std::size_t block = 16384;
  parallel_for((x.size() + block - 1) / block, [&](std::size_t k) {
    for (std::size_t i = k * block; i < std::min(x.size(), (k + 1) * block); ++i)
      x[i] = {T(b.x[i]), T(b.y[i]), T(b.z[i]), T(b.mass[i])};
  });
  return x;
}

}  // namespace pleiad
