/// See label.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/label.hpp"

#include "core/round_down.hpp"
#include "render/font.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::render_detail {
namespace {

/// A unit's name and size in cm.
struct Named {
  const char* name;
  double size;
};
constexpr std::array lengths{
    Named{"cm", 1},         Named{"m", 1e2},         Named{"km", 1e5},       Named{"au", 1.495978707e13},
    Named{"pc", 3.0857e18}, Named{"kpc", 3.0857e21}, Named{"Mpc", 3.0857e24}};

/// As people write it: 0.5, 20, 200000; 5e-7 and 2e9 where that is shorter.
std::string short_number(double value) {
  if (value >= 1e-3 && value < 1e6) return fmt::format("{:.12g}", value);
  const int power = int(std::floor(std::log10(value) + 1e-9));
  return fmt::format("{:.0f}e{}", value / std::pow(10.0, power), power);
}

}  // namespace

ScaleBar scale_bar(const View& view, const Units& units) {
  const double wanted = 0.24 * 2 * view.half_width;
  if (!units.physical) {
    const double length = round_down(wanted);
    return {length, short_number(length)};
  }
  const Named* unit = &lengths[0];
  for (const Named& n : lengths)
    if (wanted * units.length_cm >= n.size * (n.size > 1e13 ? 0.1 : 1)) unit = &n;
  const double length = round_down(wanted * units.length_cm / unit->size);
  return {length * unit->size / units.length_cm,
          short_number(length) + " " + unit->name + (view.comoving ? "/h" : "")};
}

std::string redshift_label(double log_a) {
  return std::isfinite(log_a) ? fmt::format("z = {:.2f}", std::abs(std::expm1(-log_a))) : "";
}

std::string time_label(double time, const Units& units) {
  if (!std::isfinite(time)) return "";
  if (!units.physical) return fmt::format("t = {:.3f}", time);
  const auto unit = time_unit_of(units, time);
  const double value = time * (units.time_s() / unit.seconds);
  return fmt::format("t = {:.{}f} {}", value, std::abs(value) < 100 ? 3 : 1, unit.name);
}

void draw_labels(Image& image, const View& view, double time, const Units& units) {
  const double size = image.width;
  if (size < 128) return;  // a thumbnail has no room for words
  const double height = std::max(8.0, size / 68), edge = size / 28, thickness = std::max(1.5, size / 500);
  const double base = size - edge;
  const ScaleBar bar = scale_bar(view, units);
  const double length = bar.length * 0.5 * size / view.half_width;
  draw_stroke(image, edge, base, edge + length, base, thickness);
  draw_text(image, bar.words, edge + 0.5 * (length - text_width(bar.words, height)),
            base - 0.75 * height - thickness, height);
  const std::string now = view.comoving ? redshift_label(time) : time_label(time, units);
  draw_text(image, now, size - edge - text_width(now, height), base, height);
}

}  // namespace pleiad::render_detail
