#include "live/picture.hpp"

#include "core/threads.hpp"
#include "live/nearest.hpp"
#include "live/order.hpp"
#include "render/splat.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace pleiad::live {
namespace {

constexpr std::uint32_t longest_side = 1024;

using render_detail::Spot;

/// Projection from space to the square about the picture.
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

/// A fair sample of the bodies in and about the picture, without some, whose numbers are sorted.
std::vector<Spot> spots_of(const Scene& scene, const Projected& projected,
                           const std::vector<std::uint32_t>& without) {
  const auto& bodies = scene.snapshot->bodies;
  const std::size_t n = bodies.size(), stride = n / most_as_points + 1;
  const std::size_t sampled = (n + stride - 1) / stride;
  const auto mass = blocked_sum<double>(sampled, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += bodies.mass[k * stride];
    return sum;
  });
  const double mean = mass > 0 ? mass / static_cast<double>(sampled) : 1;
  return joined_blocks<Spot>(sampled, [&](std::size_t begin, std::size_t end, std::vector<Spot>& spots) {
    auto next = std::ranges::lower_bound(without, begin * stride);
    for (std::size_t i = begin * stride; i < end * stride && i < n; i += stride) {
      while (next != without.end() && *next < i) ++next;
      if (next != without.end() && *next == i) continue;
      const auto spot = projected(drawn_at(*scene.snapshot, i),
                                  static_cast<double>(stride) * (mass > 0 ? bodies.mass[i] / mean : 1.0));
      if (projected.holds(spot)) spots.push_back(spot);
    }
  });
}

/// About all of these, with some room for rounding.
Box box_about(const Bodies& bodies) {
  Box box;
  const std::vector<double>* axes[] = {&bodies.x, &bodies.y, &bodies.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::ranges::minmax(*axes[axis]);
    const double room = std::max({1e-3 * (high - low), 1e-6 * std::abs(low), 1e-6 * std::abs(high), 1e-30});
    box.corner[axis] = static_cast<float>(low - room);
    box.size[axis] = static_cast<float>(high - low + 2 * room);
  }
  return box;
}

/// A key frame of these bodies in a box of their own, so that 16 bits are enough however near one looks. They
/// are put in the order of its points.
std::string points_of(const Scene& scene, std::uint32_t sequence, Colour colour,
                      std::vector<std::uint32_t>& numbers) {
  const auto& all = scene.snapshot->bodies;
  Snapshot near;
  near.time = scene.snapshot->time, near.step = scene.snapshot->step;
  for (const auto i : numbers)
    near.bodies.add(all.mass[i], drawn_at(*scene.snapshot, i), all.velocity(i), all.type[i]);
  Scene part{
      .snapshot = &near, .order = {}, .generation = 1, .box = box_about(near.bodies), .centre = scene.centre};
  const auto order = std::make_shared<const std::vector<std::uint32_t>>(key_order(near.bodies, part.box));
  part.order = order;
  std::vector<std::uint32_t> ordered;
  ordered.reserve(order->size());
  for (const auto k : *order) ordered.push_back(numbers[k]);
  numbers = std::move(ordered);
  return PointCoder().encode(part, sequence, 1, colour, true);
}

struct Extent {
  std::uint32_t width = 0, height = 0;
};
Extent extent_of(const Camera& camera) {
  const double shrink =
      std::min(1.0, double{longest_side} / static_cast<double>(std::max(camera.across, camera.down)));
  return {.width = std::max(8U, static_cast<std::uint32_t>(shrink * camera.across)),
          .height = std::max(8U, static_cast<std::uint32_t>(shrink * camera.down))};
}

}  // namespace

std::size_t bytes_of_light(const Camera& camera) {
  const auto extent = extent_of(camera);
  return std::size_t{2} * extent.width * extent.height;
}

Camera camera_for(const Box& box) {
  Camera camera{.across = 768, .down = 768};
  camera.centre = {box.corner[0] + 0.5 * box.size[0], box.corner[1] + 0.5 * box.size[1],
                   box.corner[2] + 0.5 * box.size[2]};
  camera.focus = camera.centre;
  camera.width = std::max({box.size[0], box.size[1], box.size[2]});
  return camera;
}

Picture encode_picture(const Scene& scene, std::uint32_t sequence, const Camera& camera, std::size_t points,
                       Colour colour) {
  Picture picture;
  if (points > 0) picture.bodies = nearest_bodies(*scene.snapshot, camera.focus, points);
  FrameHeader header;
  header.kind = FrameKind::picture;
  const auto extent = extent_of(camera);
  header.width = extent.width, header.height = extent.height;
  header.sequence = sequence, header.base = camera.number;
  header.time = scene.snapshot->time, header.step = scene.snapshot->step;
  header.bodies = scene.snapshot->bodies.size();
  header.box = scene.box, header.centre = scene.centre;

  const int side = static_cast<int>(std::max(header.width, header.height));
  const Projected projected{camera, header.width / camera.width, side};
  const auto spots = spots_of(scene, projected, picture.bodies);
  std::string near;
  if (!picture.bodies.empty()) {
    near = points_of(scene, sequence, colour, picture.bodies);
    header.points = static_cast<std::uint32_t>(picture.bodies.size());
    header.flags = header_of(near)->flags;
  }
  const auto plane = render_detail::image_of(
      render_detail::layer_of(spots, side, render_detail::smoothing_for(spots.size(), side)), side);

  auto& frame = picture.frame;
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
  frame += near;
  return picture;
}

}  // namespace pleiad::live
