/// Moving bodies on their way to other ranks, and as the columns that the kernels of jerks read.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/jerk.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

struct Moving {
  Mass<double> x;
  Vec4<double> v;
  std::array<double, 6> low;
  Vec4<double> a;
};
/// One of these bodies; its low parts and accelerations are 0 where they have none.
inline Moving moving(const cpu::MovingBodies& bodies, std::size_t i) {
  return {bodies.x[i], bodies.v[i], bodies.low.empty() ? std::array<double, 6>{} : bodies.low[i],
          bodies.a.empty() ? Vec4<double>{} : bodies.a[i]};
}

/// Bodies in the layout of the kernel.
struct Columns {
  std::vector<Mass<double>> x;
  std::vector<Vec4<double>> v;
  std::vector<std::array<double, 6>> low;
  std::vector<Vec4<double>> a;

  /// `lows`: with low parts.
  void add(const Moving& b, bool lows) {
    x.push_back(b.x), v.push_back(b.v), a.push_back(b.a);
    if (lows) low.push_back(b.low);
  }
  explicit Columns(std::span<const Moving> bodies = {}, bool lows = true) {
    for (const auto& b : bodies) add(b, lows);
  }
  cpu::MovingBodies bodies() const { return {x, v, low, a}; }
  cpu::MovingBodies part(std::size_t first, std::size_t count) const {
    auto some = bodies();
    some.x = some.x.subspan(first, count), some.v = some.v.subspan(first, count);
    some.a = some.a.subspan(first, count);
    if (!low.empty()) some.low = some.low.subspan(first, count);
    return some;
  }
};

}  // namespace pleiad
