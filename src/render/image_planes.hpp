/// Pictures from light that was projected where the bodies are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/splat.hpp"
#include "render/render.hpp"

#include <cstddef>
#include <span>

namespace pleiad {

/// What a picture tells beside its bodies.
struct Frame {
  double time = 0;
  Units units;
  Boundary boundary;
};

/// Whether so many bodies are drawn as light on a plane, and the view is settled and small enough for a
/// device to hold its planes: else a picture is drawn from a snapshot.
bool drawn_of_layers(std::size_t bodies, const View& view);
/// What to ask for. `type`: of each body; it must outlive the request. UsageError when the view makes no
/// sense.
splat::Request image_planes_for(const View& view, const Boundary& boundary, const splat::Luminosities& shine,
                                std::span<const Type> type);
/// The picture that render(snapshot, ...) draws of the same bodies, but for the last bits of sums.
Image render(const splat::ImagePlanes& layers, const Frame& frame, const View& view, Exposure& exposure);

}  // namespace pleiad
