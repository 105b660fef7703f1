/// The labels of a picture: a scale bar with its length, and the time, in units that give short numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/render.hpp"

#include <string>

namespace pleiad::render_detail {

/// A round length of about a fifth of the picture: in the snapshot's units, and in words ("20 kpc").
struct ScaleBar {
  double length = 0;
  std::string words;
};
ScaleBar scale_bar(const View& view, const Units& units);
/// "t = 1.250 Gyr"; the unit depends on the system of units as long as the number stays short, so that a
/// movie keeps it.
std::string time_label(double time, const Units& units);
/// "z = 1.25" of the time ln a.
std::string redshift_label(double log_a);

void draw_labels(Image& image, const View& view, double time, const Units& units);

}  // namespace pleiad::render_detail
