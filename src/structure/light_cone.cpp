#include "structure/light_cone.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

/// In [0, side). A small negative number and the side round to the side.
double within(double x, double side) {
  const double in = x - side * std::floor(x / side);
  return in < side ? in : 0;
}
Vec3<double> within(const Vec3<double>& x, const Vec3<double>& side) {
  return {within(x.x, side.x), within(x.y, side.y), within(x.z, side.z)};
}

/// The place of an image. A moment computes it from the same two numbers whether it is the end of a step or
/// the start of the next.
Vec3<double> image_at(const Vec3<double>& place, const Vec3<int>& image, const Vec3<double>& side) {
  return {place.x + image.x * side.x, place.y + image.y * side.y, place.z + image.z * side.z};
}

/// Two places of a body in the box, and the faces that it has gone through between them.
struct Path {
  Vec3<double> from, to;
  Vec3<int> faces;
};

/// Where in [0, 1] the distance of an image that moves from y0 to y1 is the radius that goes from r0 to r1.
/// It is nearer than r0 at first, and not than r1 at last.
double crossing(const Vec3<double>& y0, const Vec3<double>& y1, double r0, double r1) {
  const Vec3<double> d = y1 - y0;
  const double shrinks = r1 - r0, A = dot(d, d) - shrinks * shrinks, B = 2 * (dot(y0, d) - r0 * shrinks),
               C = dot(y0, y0) - r0 * r0;
  const double root = std::sqrt(std::max(0.0, B * B - 4 * A * C)), below = B + root;
  return below > 0 ? std::clamp(-2 * C / below, 0.0, 1.0) : 1;
}

}  // namespace

LightCone::LightCone(const cosmology::Cosmology& universe, double light_distance, const Boundary& boundary)
    : universe_(universe), light_distance_(light_distance), side_(boundary.length) {
  if (!boundary.periodic)
    throw UsageError("a light cone has the images of bodies in a periodic box; set gravity.box");
}

double LightCone::distance(double a) const {
  return a >= 1 ? 0 : light_distance_ * cosmology::kick(universe_, a, 1);
}

/// The images of the box that reach into a shell about the origin.
std::vector<Vec3<int>> LightCone::images_of(double nearest, double furthest) const {
  std::vector<Vec3<int>> images;
  const auto reach = [&](double side) { return int(std::ceil(furthest / side)); };
  // Of the interval [k side, (k + 1) side], the distance of its nearer and of its further end.
  const auto near = [](int k, double side) { return k > 0 ? k * side : k < -1 ? -(k + 1) * side : 0.0; };
  const auto far = [](int k, double side) { return std::max(std::abs(k * side), std::abs((k + 1) * side)); };
  const int nx = reach(side_.x), ny = reach(side_.y), nz = reach(side_.z);
  for (int i = -nx; i < nx; ++i)
    for (int j = -ny; j < ny; ++j)
      for (int k = -nz; k < nz; ++k) {
        const double low = std::hypot(near(i, side_.x), near(j, side_.y), near(k, side_.z)),
                     high = std::hypot(far(i, side_.x), far(j, side_.y), far(k, side_.z));
        if (low <= furthest && high >= nearest) images.push_back({i, j, k});
      }
  return images;
}

std::vector<SeenBody> LightCone::seen(const Bodies& before, double from, const Bodies& after,
                                      double to) const {
  const double r0 = distance(from), r1 = distance(to);
  const auto path_of = [&](std::size_t i) {
    const auto x0 = within(before.position(i), side_), x1 = within(after.position(i), side_);
    // The shortest way, over a face of the box where the place jumps.
    const auto turns = [](double way, double side) { return int(std::round(way / side)); };
    return Path{
        x0, x1, {turns(x1.x - x0.x, side_.x), turns(x1.y - x0.y, side_.y), turns(x1.z - x0.z, side_.z)}};
  };
  const double way = blocked_fold(
      before.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double longest = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const auto path = path_of(i);
          longest = std::max(
              longest,
              norm(image_at(path.to, {-path.faces.x, -path.faces.y, -path.faces.z}, side_) - path.from));
        }
        return longest;
      },
      [](double a, double b) { return std::max(a, b); });
  // An image that is within r0 before and not within r1 after was further than r1 less its way.
  const auto images = images_of(r1 - way - 1e-9 * r0, r0);
  const auto rate = [&](double a) {
    return a * a * cosmology::expansion_rate(universe_, a) * (r0 - r1) / light_distance_;
  };
  const double rise0 = rate(from), rise1 = rate(to);
  // a is a cubic in the fraction s of the conformal time, with da/d eta = a^2 H at both ends.
  const auto scale_factor = [&](double s) {
    const double t = 1 - s,
                 a = t * t * (1 + 2 * s) * from + s * s * (3 - 2 * s) * to + s * t * (t * rise0 - s * rise1);
    return std::clamp(a, from, to);
  };
  auto all = joined_blocks<SeenBody>(before.size(), [&](std::size_t begin, std::size_t end, auto& found) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [x0, x1, faces] = path_of(i);
      for (const auto& n : images) {
        const auto y0 = image_at(x0, n, side_);
        if (!(dot(y0, y0) < r0 * r0)) continue;
        const auto y1 = image_at(x1, {n.x - faces.x, n.y - faces.y, n.z - faces.z}, side_);
        if (dot(y1, y1) < r1 * r1) continue;
        const double s = crossing(y0, y1, r0, r1), a = scale_factor(s);
        const auto p0 = before.velocity(i), p1 = after.velocity(i);
        found.push_back({.id = before.id[i],
                         .image = {n.x, n.y, n.z},
                         .type = before.type[i],
                         .a = a,
                         .mass = before.mass[i],
                         .position = y0 + s * (y1 - y0),
                         .velocity = (1 / a) * (p0 + s * (p1 - p0))});
      }
    }
  });
  std::ranges::sort(all, {}, [](const SeenBody& b) { return std::tuple(b.id, b.image); });
  return all;
}

double light_in(const Units& units) {
  constexpr double light_cm_s = 2.99792458e10;
  return light_cm_s / units.velocity_cm_s;
}

std::string bytes_of(std::span<const SeenBody> bodies) {
  static_assert(std::is_trivially_copyable_v<SeenBody>);
  std::string bytes;
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const auto& b : bodies) {
    put(b.id), put(b.image), put(b.type), put(b.a), put(b.mass);
    put(b.position), put(b.velocity);
  }
  return bytes;
}

std::vector<SeenBody> seen_bodies_in(const std::string& bytes, const std::string& origin) {
  std::vector<SeenBody> bodies;
  std::size_t at = 0;
  const auto take = [&](auto& value) {
    if (bytes.size() - at < sizeof value)
      throw InputError(fmt::format("{}: the bodies of the light cone end too early", origin));
    std::memcpy(&value, bytes.data() + at, sizeof value), at += sizeof value;
  };
  while (at < bytes.size()) {
    auto& b = bodies.emplace_back();
    take(b.id), take(b.image), take(b.type), take(b.a), take(b.mass), take(b.position), take(b.velocity);
    if (std::size_t(b.type) >= type_names.size())
      throw InputError(fmt::format("{}: a body of the light cone has no type", origin));
  }
  return bodies;
}

}  // namespace pleiad::structure
