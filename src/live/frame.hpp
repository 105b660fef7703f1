/// The bytes of a frame, which browsers receive and recordings consist of. docs/live-protocol.md has the
/// table of the header.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::live {

/// Corner and size of the box of the positions.
struct Box {
  std::array<float, 3> corner{}, size{1, 1, 1};
  bool operator==(const Box&) const = default;
};

enum class FrameKind : std::uint8_t {
  key = 0,      ///< positions, 16 bits each
  delta = 1,    ///< increments of the positions of an earlier frame, 8 bits each
  picture = 2,  ///< light of pixels in half precision, and a key frame of points
};

struct FrameHeader {
  static constexpr std::size_t bytes = 96;
  static constexpr std::uint8_t has_colours = 1, has_types = 2;

  FrameKind kind = FrameKind::key;
  std::uint8_t flags = 0;  ///< a picture's: those of its key frame
  std::uint16_t stride = 1;
  /// base: the frame that a delta adds to, or the number of a picture's camera.
  std::uint32_t sequence = 0, base = 0;
  double time = 0;
  std::uint64_t step = 0, bodies = 0;
  std::uint32_t points = 0, width = 0, height = 0;
  Box box{};
  std::array<float, 3> centre{std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::quiet_NaN()};
  float high = 0, low = 0;  ///< values that the colours 255 and 0 stand for

  /// Bytes of the arrays that follow.
  std::uint64_t payload() const;
};

/// Appends a header, little-endian, as in the table.
void append(std::string& out, const FrameHeader& header);
/// Reads the header of a complete frame; none if `frame` is not one, or has another length.
std::optional<FrameHeader> header_of(std::string_view frame);

/// The nearest number in half precision.
std::uint16_t half_of(float value);

}  // namespace pleiad::live
