/// Requests of the page as JSON texts. Everything in them is checked.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/points.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace pleiad::live {

/// Capacity of the page.
struct Budget {
  std::optional<double> bytes_per_second, frames_per_second;
};
/// A frame has been drawn.
struct Seen {
  std::uint32_t sequence = 0;
};
struct NeedKey {};
struct ColourBy {
  Colour colour = Colour::type;
};
/// The view of the page: a picture of this width about the centre, with this number of pixels. The focus is
/// the point of interest, which need not be in the middle.
struct Camera {
  Vec3<double> centre{}, focus{}, right{1, 0, 0}, up{0, 1, 0};
  double width = 1;
  std::uint32_t across = 0, down = 0;
  std::uint32_t number = 0;  ///< the page's own number of the view
};
/// A point of a key frame, or of the deltas after it.
struct Pick {
  std::uint32_t request = 0, sequence = 0, index = 0;
};
/// Requests the position of a picked body with each frame; none: ends this.
struct Follow {
  std::optional<std::uint32_t> request;
};
/// Requests the bound systems with each frame, or ends this.
struct Binaries {
  bool on = false;
};
enum class Control { pause, resume, step, stop };
/// One of the files that are played.
struct Show {
  std::size_t index = 0;
};
struct Play {
  bool on = false;
  double rate = 1;  ///< files a second
};

using Command =
    std::variant<Budget, Seen, NeedKey, ColourBy, Camera, Pick, Follow, Binaries, Control, Show, Play>;

/// None where the text is no command of ours.
std::optional<Command> command_of(std::string_view text);

}  // namespace pleiad::live
