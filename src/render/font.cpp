/// See font.hpp. A glyph is a list of strokes on a grid where capitals are 6 high, small letters 4, y
/// upwards: "l x0 y0 x1 y1" is a line, "a cx cy rx ry from to" an arc of an ellipse in degrees,
/// counter-clockwise when to > from.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/font.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace pleiad::render_detail {
namespace {

constexpr double capital = 6, gap = 1.5, space = 2.2, stroke = 0.72;  // in grid units

struct Point {
  double x, y;
};
using Polyline = std::vector<Point>;
struct Glyph {
  double width = 0;
  std::vector<Polyline> lines;
};
struct Definition {
  char letter;
  double width;
  const char* strokes;
};

constexpr Definition definitions[] = {
    {'0', 4, "a 2 3 2 3 0 360"},
    {'1', 4, "l 0.7 4.7 2.3 6 l 2.3 6 2.3 0"},
    {'2', 4, "a 2 4.1 1.9 1.9 165 -35 l 3.556 3.01 0.1 0 l 0.1 0 4 0"},
    {'3', 4, "a 1.9 4.5 1.7 1.5 150 -90 a 1.9 1.5 2 1.5 90 -150"},
    {'4', 4, "l 3.1 0 3.1 6 l 3.1 6 0 1.8 l 0 1.8 4.2 1.8"},
    {'5', 4, "l 3.6 6 0.8 6 l 0.8 6 0.5 3.4 a 1.95 1.95 2 1.95 133 -150"},
    {'6', 4, "a 2 1.95 2 1.95 0 360 a 3.7 2.1 3.7 3.9 180 93"},
    {'7', 4, "l 0 6 4 6 l 4 6 1.4 0"},
    {'8', 4, "a 2 4.5 1.65 1.5 0 360 a 2 1.5 2 1.5 0 360"},
    {'9', 4, "a 2 4.05 2 1.95 0 360 a 0.3 3.9 3.7 3.9 0 -87"},
    {'.', 0.6, "l 0.3 0.05 0.3 0.3"},
    {'-', 3, "l 0 2.6 3 2.6"},
    {'+', 3.4, "l 0 2.7 3.4 2.7 l 1.7 1 1.7 4.4"},
    {'/', 2.4, "l 0 -0.8 2.4 6.8"},
    {'=', 3.6, "l 0 3.6 3.6 3.6 l 0 1.8 3.6 1.8"},
    {'G', 5, "a 2.7 3 2.7 3 48 360 l 5.4 3 3.2 3"},
    {'M', 5.2, "l 0 0 0 6 l 0 6 2.6 1.6 l 2.6 1.6 5.2 6 l 5.2 6 5.2 0"},
    {'a', 3.6, "a 1.8 2 1.8 2 0 360 l 3.6 4 3.6 0"},
    {'c', 3.3, "a 2 2 2 2 48 312"},
    {'d', 3.6, "a 1.8 2 1.8 2 0 360 l 3.6 6.3 3.6 0"},
    {'e', 3.8, "l 0 2 3.8 2 a 1.9 2 1.9 2 0 315"},
    {'h', 3.2, "l 0 0 0 6.3 a 1.6 2.4 1.6 1.6 180 0 l 3.2 2.4 3.2 0"},
    {'k', 3.2, "l 0 0 0 6.3 l 0 1.6 2.9 4 l 1.1 2.5 3.2 0"},
    {'m', 5, "l 0 0 0 4 a 1.25 2.7 1.25 1.3 180 0 l 2.5 2.7 2.5 0 a 3.75 2.7 1.25 1.3 180 0 l 5 2.7 5 0"},
    {'n', 3.2, "l 0 0 0 4 a 1.6 2.4 1.6 1.6 180 0 l 3.2 2.4 3.2 0"},
    {'p', 3.6, "l 0 4 0 -2 a 1.8 2 1.8 2 0 360"},
    {'r', 1.9, "l 0 0 0 4 a 1.7 2.2 1.7 1.8 180 75"},
    {'s', 3, "a 1.5 3 1.25 1 35 270 a 1.5 1 1.5 1 90 -145"},
    {'t', 2.3, "l 0.9 5.6 0.9 1 a 1.9 1 1 1 180 290 l 0 4 2.2 4"},
    {'u', 3.2, "l 0 4 0 1.6 a 1.6 1.6 1.6 1.6 180 360 l 3.2 4 3.2 0"},
    {'y', 3.4, "l 0 4 1.75 0 l 3.4 4 1 -1.9"},
    {'z', 3.2, "l 0.1 4 3.1 4 l 3.1 4 0 0 l 0 0 3.2 0"},
};

std::vector<Polyline> strokes_of(const char* text) {
  std::vector<Polyline> lines;
  std::istringstream in(text);
  for (char kind; in >> kind;) {
    Polyline line;
    if (kind == 'l') {
      Point a{}, b{};
      in >> a.x >> a.y >> b.x >> b.y;
      line = {a, b};
    } else {
      double cx = 0, cy = 0, rx = 0, ry = 0, from = 0, to = 0;
      in >> cx >> cy >> rx >> ry >> from >> to;
      const int pieces = int(std::abs(to - from) / 10) + 2;
      for (int k = 0; k <= pieces; ++k) {
        const double angle = (from + (to - from) * k / pieces) * std::numbers::pi / 180;
        line.push_back({cx + rx * std::cos(angle), cy + ry * std::sin(angle)});
      }
    }
    lines.push_back(line);
  }
  return lines;
}

const Glyph* glyph_of(char letter) {
  static const auto font = [] {
    std::map<char, Glyph> f;
    for (const Definition& d : definitions) f[d.letter] = {d.width, strokes_of(d.strokes)};
    return f;
  }();
  const auto found = font.find(letter);
  return found == font.end() ? nullptr : &found->second;
}

/// The nearest distance of a set of lines per pixel, over the part of the image that they touch.
void ink(Image& image, const std::vector<Polyline>& lines, double thickness) {
  constexpr double infinity = 1e30;
  const double rim = std::max(1.5, 1.6 * thickness), reach = 0.5 * thickness + rim + 1;
  double x0 = infinity, y0 = infinity, x1 = -infinity, y1 = -infinity;
  for (const Polyline& line : lines)
    for (const Point p : line)
      x0 = std::min(x0, p.x), y0 = std::min(y0, p.y), x1 = std::max(x1, p.x), y1 = std::max(y1, p.y);
  const int left = std::max(0, int(x0 - reach)), right = std::min(image.width - 1, int(x1 + reach));
  const int top = std::max(0, int(y0 - reach)), bottom = std::min(image.height - 1, int(y1 + reach));
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      double away = infinity;
      for (const Polyline& line : lines)
        for (std::size_t k = 0; k + 1 < line.size(); ++k) {
          const double dx = line[k + 1].x - line[k].x, dy = line[k + 1].y - line[k].y,
                       px = x + 0.5 - line[k].x, py = y + 0.5 - line[k].y;
          const double length2 = dx * dx + dy * dy,
                       along = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
          away = std::min(away, std::hypot(px - along * dx, py - along * dy));
        }
      const double shade = 0.75 * std::clamp((0.5 * thickness + rim - away) / rim, 0.0, 1.0);
      const double cover = std::clamp(0.5 * thickness + 0.5 - away, 0.0, 1.0);
      for (std::size_t c = 0; c < 3; ++c) {
        std::uint8_t& v = image.rgb[3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) + c];
        const double dark = v * (1 - shade);
        v = std::uint8_t(std::lround(dark + cover * ((c == 2 ? 242.0 : 236.0) - dark)));
      }
    }
}

}  // namespace

bool has_letter(char letter) { return letter == ' ' || glyph_of(letter) != nullptr; }

double text_width(std::string_view text, double height) {
  double width = 0;
  for (const char letter : text) {
    const Glyph* glyph = glyph_of(letter);
    width += (glyph ? glyph->width + gap : space);
  }
  return std::max(0.0, width - gap) * height / capital;
}

void draw_text(Image& image, std::string_view text, double x, double y, double height) {
  const double scale = height / capital;
  std::vector<Polyline> lines;
  for (const char letter : text) {
    const Glyph* glyph = glyph_of(letter);
    if (glyph)
      for (Polyline line : glyph->lines) {
        for (Point& p : line) p = {x + scale * p.x, y - scale * p.y};
        lines.push_back(std::move(line));
      }
    x += scale * (glyph ? glyph->width + gap : space);
  }
  if (!lines.empty()) ink(image, lines, std::max(1.1, stroke * scale));
}

void draw_stroke(Image& image, double x0, double y0, double x1, double y1, double thickness) {
  ink(image, {{{x0, y0}, {x1, y1}}}, thickness);
}

}  // namespace pleiad::render_detail
