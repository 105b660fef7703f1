/// A picture of the light of very many bodies, where points would be too many to send.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/command.hpp"
#include "live/points.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pleiad::live {

/// More bodies than these are shown as pictures.
inline constexpr std::size_t most_as_points = 4'000'000;

/// The camera of a page that has sent none: it shows all of the box.
Camera camera_for(const Box& box);

struct Picture {
  std::string frame;
  std::vector<std::uint32_t> bodies{};  ///< numbers of those that are points of it
};

/// Bytes of the picture for a camera.
std::size_t bytes_of_light(const Camera& camera);
/// A frame with the light of the scene: mean bodies per pixel, each spread as far as its neighbours are. The
/// `points` bodies that are nearest to the camera's focus are points instead.
Picture encode_picture(const Scene& scene, std::uint32_t sequence, const Camera& camera, std::size_t points,
                       Colour colour);

}  // namespace pleiad::live
