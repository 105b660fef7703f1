/// Frames of points for one client: which bodies, and their positions as small numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/frame.hpp"

#include <pleiad/snapshot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pleiad::live {

enum class Colour { type, speed, density };

/// The bodies at one time, ready to be drawn from.
struct Scene {
  const Snapshot* snapshot = nullptr;
  std::shared_ptr<const std::vector<std::uint32_t>> order;  ///< see key_order
  std::uint64_t generation = 0;                             ///< of the order and the box
  Box box{};
  std::array<float, 3> centre{};  ///< of density; NaN: unknown
};

/// Every how many bodies one is drawn, so that about `points` are.
std::uint16_t stride_for(std::size_t bodies, std::size_t points);

class PointCoder {
 public:
  /// The next frame, with every stride-th body of the order: the changes since the frame before it, or all
  /// positions, if that is not longer or `key` requests it.
  std::string encode(const Scene& scene, std::uint32_t sequence, std::uint16_t stride, Colour colour,
                     bool key);
  /// Bytes of a point in frames without full positions.
  static std::size_t bytes_per_point(Colour colour) { return colour == Colour::speed ? 4 : 3; }

 private:
  bool changes(const Scene& scene, std::vector<std::int8_t>& deltas);
  void set_limits(const std::vector<float>& values);
  void append_colours(const Scene& scene, Colour colour, bool key, std::string& out);

  std::vector<std::uint16_t> sent_;  ///< three a point, as the client has them
  std::uint32_t base_ = 0;           ///< the frame that gave it them
  std::uint64_t generation_ = 0;
  std::uint16_t stride_ = 0;
  Colour colour_ = Colour::type;
  float low_ = 0, high_ = 0;
};

/// The number of a coordinate in its box: 1 to 65534, and 0 or 65535 beyond it, where nothing is drawn.
std::uint16_t quantised(double x, float corner, float size);

}  // namespace pleiad::live
