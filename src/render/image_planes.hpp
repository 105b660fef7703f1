/// Pictures from light that was projected where the bodies are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/splat.hpp"
#include "render/render.hpp"

#include <cstddef>
#include <span>

namespace pleiad {

/// Data of a picture other than its bodies.
struct Frame {
  double time = 0;
  Units units;
  Boundary boundary;
};

/// Whether this number of bodies is drawn as light on a plane, and the view is settled and small enough for a
/// device to store its planes: else a picture is drawn from a snapshot.
bool drawn_of_layers(std::size_t bodies, const View& view);
/// Makes the request of a picture. `type`: of each body; it must outlive the request. UsageError for an
/// impossible view.
splat::Request image_planes_for(const View& view, const Boundary& boundary, const splat::Luminosities& shine,
                                std::span<const Type> type);
/// The picture that render(snapshot, ...) draws of the same bodies, but for the last bits of sums.
Image render(const splat::ImagePlanes& layers, const Frame& frame, const View& view, Exposure& exposure);

}  // namespace pleiad
