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

/// State of a browser after some frames: numbers of positions and types.
struct Shown {
  FrameHeader header{};
  std::vector<std::uint16_t> positions;
  std::vector<std::uint8_t> types;
};

/// Applies the next frame; false if it does not follow the present one, or is no frame of points.
bool add_frame(std::string_view frame, Shown& shown);

/// Bodies of equal mass at the shown positions, with total mass 1. Velocities: the motion since `before`, if
/// it is a frame of the same bodies.
Snapshot snapshot_of(const Shown& shown, const Shown* before);

/// InputError for a recording without frames.
Timeline recorded_film(const std::filesystem::path& file);

}  // namespace pleiad::live
