/// Colours: a ramp per particle type in linear light, sums of light, bloom, and conversion to 8 bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/render.hpp"
#include "render/splat.hpp"

#include <pleiad/bodies.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace pleiad::render_detail {

/// Linear light: red, green, blue, 1 is the brightest.
using Light = Vec3<double>;
/// Converts 0xrrggbb in sRGB.
Light light_of(std::uint32_t srgb);
/// The colour of a type at brightness 0 ... 1.
Light ramp(Type type, double brightness);
/// One of ten colours that are easily distinguished.
Light distinct_colour(std::size_t k);

/// The picture in linear light.
struct Film {
  int size = 0;
  std::vector<Light> pixels;
  explicit Film(int s) : size(s), pixels(zeros_in_large_pages<Light>(std::size_t(s) * std::size_t(s))) {}
  /// Light over light: screens, so that it never exceeds 1.
  static Light screen(Light a, Light b) {
    return {a.x + b.x - a.x * b.x, a.y + b.y - a.y * b.y, a.z + b.z - a.z * b.z};
  }
};

/// Lets bright parts glow into their surroundings.
void bloom(Film& film, double strength);
/// sRGB with a near-black ground; a fixed dither of half a step keeps faint gradients from banding.
Image develop(const Film& film);

}  // namespace pleiad::render_detail
