#include "live/picture.hpp"

#include "core/threads.hpp"
#include "render/splat.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pleiad::live {
namespace {

constexpr std::uint32_t longest_side = 1024;

using render_detail::Spot;

/// From space to the square about the picture.
struct Projected {
  const Camera& camera;
  double scale = 1;  ///< pixels per length
  int side = 0;

  Spot operator()(Vec3<double> at, double weight) const {
    const auto d = at - camera.centre;
    return {0.5 * side + scale * dot(d, camera.right), 0.5 * side - scale * dot(d, camera.up), weight};
  }
  bool holds(const Spot& spot) const {
    const double margin = splat::margin(side);
    return spot.x > -margin && spot.y > -margin && spot.x < side + margin && spot.y < side + margin;
  }
};

/// A fair sample of the bodies in and about the picture.
std::vector<Spot> spots_of(const Scene& scene, const Projected& projected) {
  const auto& bodies = scene.snapshot->bodies;
  const std::size_t n = bodies.size(), stride = n / most_as_points + 1;
  double mass = 0;
  for (std::size_t i = 0; i < n; i += stride) mass += bodies.mass[i];
  const double mean = mass > 0 ? mass / static_cast<double>((n + stride - 1) / stride) : 1;
  std::vector<Spot> spots;
  for (std::size_t i = 0; i < n; i += stride) {
    const auto spot =
        projected(bodies.position(i), static_cast<double>(stride) * (mass > 0 ? bodies.mass[i] / mean : 1.0));
    if (projected.holds(spot)) spots.push_back(spot);
  }
  return spots;
}

}  // namespace

Camera camera_for(const Box& box) {
  Camera camera{.across = 768, .down = 768};
  camera.centre = {box.corner[0] + 0.5 * box.size[0], box.corner[1] + 0.5 * box.size[1],
                   box.corner[2] + 0.5 * box.size[2]};
  camera.width = std::max({box.size[0], box.size[1], box.size[2]});
  return camera;
}

std::string encode_picture(const Scene& scene, std::uint32_t sequence, const Camera& camera) {
  const double shrink =
      std::min(1.0, double{longest_side} / static_cast<double>(std::max(camera.across, camera.down)));
  FrameHeader header;
  header.kind = FrameKind::picture;
  header.width = std::max(8U, static_cast<std::uint32_t>(shrink * camera.across));
  header.height = std::max(8U, static_cast<std::uint32_t>(shrink * camera.down));
  header.sequence = header.base = sequence;
  header.time = scene.snapshot->time, header.step = scene.snapshot->step;
  header.bodies = scene.snapshot->bodies.size();
  header.box = scene.box, header.centre = scene.centre;

  const int side = static_cast<int>(std::max(header.width, header.height));
  const Projected projected{camera, header.width / camera.width, side};
  const auto spots = spots_of(scene, projected);
  const auto plane = render_detail::image_of(
      render_detail::layer_of(spots, side, render_detail::smoothing_for(spots.size(), side)), side);

  std::string frame;
  frame.reserve(FrameHeader::bytes + header.payload());
  append(frame, header);
  const int left = (side - static_cast<int>(header.width)) / 2,
            top = (side - static_cast<int>(header.height)) / 2;
  for (int y = 0; y < static_cast<int>(header.height); ++y)
    for (int x = 0; x < static_cast<int>(header.width); ++x) {
      const auto light = std::min(plane.at(left + x, top + y), 65000.0);
      const auto half = half_of(static_cast<float>(light));
      frame.push_back(static_cast<char>(half & 0xffU));
      frame.push_back(static_cast<char>(half >> 8));
    }
  return frame;
}

}  // namespace pleiad::live
