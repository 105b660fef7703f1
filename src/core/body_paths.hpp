/// Bodies as polynomials in time, each from a time of its own: what schemes predict from, in which each body
/// has steps of its own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad {

/// Arrays of one number for each body, and zeros behind them up to whole vectors. Bodies with mass come
/// first.
struct BodyPaths {
  /// The longest vector, in numbers.
  static constexpr std::size_t lanes = 8;
  using Numbers = std::vector<double>;

  std::size_t bodies = 0, pulling = 0;  ///< those with mass
  double unit = 0;                      ///< of `from`
  Numbers mass;                         ///< times G
  Numbers from;                         ///< the time of x, v, a and j
  std::array<Numbers, 3> x, v, a, j;    ///< position and its derivatives, to the third
  std::array<Numbers, 3> x_now, v_now;  ///< predicted ones
  /// Which paths or masses have changed since the last evaluation, for engines that have copies elsewhere; a
  /// body may occur twice.
  std::vector<std::uint32_t> changed;
  bool all_changed = true;  ///< and all bodies are at one time
  bool all_now = false;     ///< predicted places of all bodies are read, not only those of chosen ones

  static constexpr std::size_t padded(std::size_t n) { return (n + lanes - 1) / lanes * lanes; }
  void resize(std::size_t n) {
    bodies = n;
    changed.clear(), all_changed = true;
    mass.assign(padded(n), 0), from.assign(padded(n), 0);
    for (auto* field : {&x, &v, &a, &j, &x_now, &v_now})
      for (auto& numbers : *field) numbers.assign(padded(n), 0);
  }
  static Vec3<double> at(const std::array<Numbers, 3>& field, std::size_t k) {
    return {field[0][k], field[1][k], field[2][k]};
  }
  static void set(std::array<Numbers, 3>& field, std::size_t k, const Vec3<double>& value) {
    field[0][k] = value.x, field[1][k] = value.y, field[2][k] = value.z;
  }
};

}  // namespace pleiad
