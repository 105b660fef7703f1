/// See colour.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/colour.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::render_detail {
namespace {

constexpr std::size_t stops = 6;
/// Colours from the faintest to the brightest, evenly spaced; the first stop is black so that light ends
/// without an edge.
constexpr std::array<std::array<std::uint32_t, stops>, 6> ramps{{
    {0x000000, 0x06262b, 0x0b5f63, 0x1fa79a, 0x86e6cf, 0xf2fffa},  // gas: teal
    {0x000000, 0x1b1846, 0x3a338c, 0x6f5cc4, 0xb99be6, 0xfff3f6},  // halo: violet
    {0x000000, 0x3d2618, 0x815331, 0xc78f55, 0xf5d49c, 0xfffaf0},  // disc: white gold
    {0x000000, 0x431b0d, 0x933d17, 0xdb6f27, 0xffb877, 0xfff2e2},  // bulge: orange
    {0x000000, 0x14264e, 0x2d529b, 0x5f8fe0, 0xb4d3ff, 0xffffff},  // star: blue-white
    {0x000000, 0x1c1c1c, 0x4a4a4a, 0x8a8a8a, 0xc8c8c8, 0xffffff},  // boundary: grey
}};
constexpr std::array<std::uint32_t, 10> distinct{0xffcf6b, 0x6bb8ff, 0xff7d6e, 0x7ee0a8, 0xc79bff,
                                                 0xffa05a, 0x62e0e6, 0xff9ed0, 0xd7e36a, 0xe8e8f0};
constexpr std::uint32_t ground = 0x05060a;

double linear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }

/// The sRGB curve, tabulated once: 8-bit output needs no more than 12 bits of input where the curve is
/// straight enough.
struct Encoder {
  static constexpr int steps = 4096;
  std::array<float, steps + 2> table;
  Encoder() {
    for (int i = 0; i < steps + 2; ++i) {
      const double root = double(i) / steps,
                   v = root * root;  // evenly spaced in sqrt(light): fine where the eye is
      table[std::size_t(i)] =
          float(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055));
    }
  }
  double operator()(double v) const {
    const double at = std::sqrt(std::clamp(v, 0.0, 1.0)) * steps;
    const int i = int(at);
    return table[std::size_t(i)] + (at - i) * (table[std::size_t(i) + 1] - table[std::size_t(i)]);
  }
};

/// Between 0 and 1, without visible pattern: interleaved gradient noise (Jimenez, SIGGRAPH 2014).
double dither(int x, int y) {
  const double f = 0.06711056 * x + 0.00583715 * y, g = 52.9829189 * (f - std::floor(f));
  return g - std::floor(g);
}

/// Sums of 2 x 2 pixels of one colour, for `side` pixels a side, of which those beyond the film are black.
Plane coarse_channel(const Film& film, double Light::*part, int side) {
  Plane p(side / 2, side / 2);
  const auto at = [&](int x, int y) {
    return x < film.size && y < film.size
               ? film.pixels[std::size_t(y) * std::size_t(film.size) + std::size_t(x)].*part
               : 0;
  };
  for (int j = 0; j < p.height; ++j)
    for (int i = 0; i < p.width; ++i)
      p.at(i, j) = at(2 * i, 2 * j) + at(2 * i + 1, 2 * j) + at(2 * i, 2 * j + 1) + at(2 * i + 1, 2 * j + 1);
  return p;
}

}  // namespace

Light light_of(std::uint32_t srgb) {
  return {linear(double(srgb >> 16 & 255) / 255), linear(double(srgb >> 8 & 255) / 255),
          linear(double(srgb & 255) / 255)};
}

Light ramp(Type type, double brightness) {
  static const auto table = [] {
    std::array<std::array<Light, stops>, 6> t;
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t s = 0; s < stops; ++s) {
        const Light l = light_of(ramps[k][s]);
        t[k][s] = {std::sqrt(l.x), std::sqrt(l.y), std::sqrt(l.z)};
      }
    return t;
  }();
  // Catmull-Rom between the stops, in the square root of light, which is closer to perceived brightness: a
  // kink in a ramp would look like an edge.
  const double at = std::clamp(brightness, 0.0, 1.0) * (stops - 1);
  const std::size_t s = std::min(std::size_t(at), stops - 2);
  const auto& c = table[std::size_t(type)];
  const double u = at - double(s), v = 1 - u;
  const Light a = c[s] + (c[s + 1] - c[s > 0 ? s - 1 : 0]) * (s > 0 ? 1 / 6.0 : 1 / 3.0);
  const Light b = c[s + 1] - (c[std::min(s + 2, stops - 1)] - c[s]) * (s + 2 < stops ? 1 / 6.0 : 1 / 3.0);
  const Light root = c[s] * (v * v * v) + a * (3 * v * v * u) + b * (3 * v * u * u) + c[s + 1] * (u * u * u);
  return {root.x * root.x, root.y * root.y, root.z * root.z};
}

Light distinct_colour(std::size_t k) { return light_of(distinct[k % distinct.size()]); }

void bloom(Film& film, double strength) {
  // Halved three times, each octave's blur added on the way back up: near glow strong, far glow weak.
  constexpr int octaves = 4, unit = 1 << octaves;
  const int side = (film.size + unit - 1) / unit * unit;
  for (double Light::*part : {&Light::x, &Light::y, &Light::z}) {
    std::vector<Plane> levels{coarse_channel(film, part, side)};
    for (int k = 1; k < octaves; ++k) levels.push_back(coarsen(levels.back()));
    for (std::size_t k = octaves - 1; k >= 1; --k) add_refined(levels[k], levels[k - 1]);
    each_refined(levels.front(), [&](int x, int y, double glow) {
      if (x >= film.size || y >= film.size) return;
      double& v = film.pixels[std::size_t(y) * std::size_t(film.size) + std::size_t(x)].*part;
      const double g = std::min(strength / octaves * glow, 1.0);
      v = v + g - v * g;
    });
  }
}

Image develop(const Film& film) {
  static const Encoder encode;
  const Light floor = light_of(ground);
  Image image{film.size, film.size, std::vector<std::uint8_t>(film.pixels.size() * 3)};
  parallel_for(std::size_t(film.size), [&](std::size_t row) {
    for (int x = 0; x < film.size; ++x) {
      const std::size_t i = row * std::size_t(film.size) + std::size_t(x);
      const Light v = Film::screen(film.pixels[i], floor);
      const double d = dither(x, int(row));
      // The ground itself stays flat: dithering it would only make the file larger.
      const bool dark = film.pixels[i].x + film.pixels[i].y + film.pixels[i].z < 1e-5;
      const double add = dark ? 0.5 : d;
      const std::array<double, 3> parts{v.x, v.y, v.z};
      for (std::size_t c = 0; c < 3; ++c)
        image.rgb[3 * i + c] = std::uint8_t(std::min(encode(parts[c]) + add, 255.0));
    }
  });
  return image;
}

}  // namespace pleiad::render_detail
