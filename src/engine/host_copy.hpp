/// A copy of the state on the host, made between two steps and read while the steps continue.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/arrays.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

template <class T>
class HostCopy {
 public:
  /// Whether the content is no longer needed.
  bool free() const { return !busy_; }

  /// Copies the state; without `sums` if no fields are requested. `low`, `series`: see Bodies.
  void begin(std::span<const Mass<T>> x, std::span<const Vec4<T>> v, std::span<const Vec4<T>> sums,
             const std::vector<std::array<double, 6>>& low,
             const std::vector<std::array<double, 21>>& series) {
    busy_ = true;
    copy(x, x_), copy(v, v_), copy(sums, sums_);
    low_ = low, series_ = series;
  }

  /// Makes a snapshot of it; in any thread.
  void finish(double G, Snapshot& snapshot) {
    to_bodies<T>(x_, v_, snapshot.bodies);
    to_fields<T>(sums_, G, snapshot);
    snapshot.bodies.low = low_, snapshot.bodies.series = series_;
    busy_ = false;
  }

 private:
  template <class V>
  static void copy(std::span<const V> from, std::vector<V>& to) {
    to.resize(from.size());
    for_each_index(from.size(), [&](std::size_t i) { to[i] = from[i]; });
  }

  std::atomic<bool> busy_ = false;  ///< begun and not finished
  std::vector<Mass<T>> x_;
  std::vector<Vec4<T>> v_, sums_;
  std::vector<std::array<double, 6>> low_;
  std::vector<std::array<double, 21>> series_;
};

}  // namespace pleiad
