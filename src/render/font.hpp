/// A small font of lines and arcs, drawn smooth at any size: enough for numbers and units.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/render.hpp"

#include <string_view>

namespace pleiad::render_detail {

/// Whether the font has a letter; a space is one.
bool has_letter(char letter);
/// Width in pixels of a text whose capitals are `height` pixels high.
double text_width(std::string_view text, double height);
/// Writes with the left end of the baseline at (x, y); a dark rim keeps it legible on bright ground. Letters
/// it does not have are blank.
void draw_text(Image& image, std::string_view text, double x, double y, double height);
/// A straight stroke in the same ink.
void draw_stroke(Image& image, double x0, double y0, double x1, double y1, double thickness);

}  // namespace pleiad::render_detail
