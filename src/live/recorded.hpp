/// A recording as a timeline: frames back to bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/frame.hpp"
#include "live/timeline.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace pleiad::live {

/// What a browser has after some frames: numbers of positions and types.
struct Shown {
  FrameHeader header{};
  std::vector<std::uint16_t> positions;
  std::vector<std::uint8_t> types;
};

/// Applies the next frame; false where it does not follow from what is shown, or is no frame of points.
bool add_frame(std::string_view frame, Shown& shown);

/// Bodies of one mass at the positions that are shown, all masses 1 together. Velocities: what has moved
/// since `before`, if it is a frame of the same bodies.
Snapshot snapshot_of(const Shown& shown, const Shown* before);

/// InputError for a recording without frames.
Timeline recorded_film(const std::filesystem::path& file);

}  // namespace pleiad::live
