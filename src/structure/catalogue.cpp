#include "structure/catalogue.hpp"

#include "core/threads.hpp"
#include "structure/periodic.hpp"

#include <pleiad/radii.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace pleiad::structure {
namespace {

constexpr double ball = 4 * std::numbers::pi / 3;

/// Bodies by their distance.
struct ByDistance {
  std::vector<double> radii, masses;
  explicit ByDistance(std::vector<std::pair<double, double>> all) {
    std::ranges::sort(all);
    for (const auto& [r, m] : all) radii.push_back(r), masses.push_back(m);
  }
};

/// `a`: physical lengths are a times those of the snapshot; `flow`: the expansion adds this velocity for each
/// unit of these.
GroupProperties properties_of(std::span<const std::size_t> members, const Snapshot& s, double a,
                              double flow) {
  const auto& b = s.bodies;
  GroupProperties p;
  p.members = members.size();
  p.id = std::numeric_limits<std::uint64_t>::max();
  const auto origin = b.position(members.front());
  Bodies own;
  own.reserve(members.size());
  for (const auto i : members) {
    p.id = std::min(p.id, b.id[i]);
    const auto t = std::size_t(b.type[i]);
    ++p.of_type[t], p.mass_of_type[t] += b.mass[i], p.mass += b.mass[i];
    own.add(b.mass[i], shortest(b.position(i) - origin, s.boundary), b.velocity(i), b.type[i]);
  }
  const auto whole = centre_of_mass(own);
  const auto centre = p.mass > 0 ? density_centre(own) : Vec3<double>{};
  p.centre = into_box(origin + centre, s.boundary),
  p.centre_of_mass = into_box(origin + whole.position, s.boundary), p.velocity = whole.velocity;
  std::vector<std::pair<double, double>> by_distance;
  double squares = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto x = own.position(k) - centre;
    auto v = own.velocity(k) - whole.velocity;
    if (flow != 0) v += flow * (own.position(k) - whole.position);
    squares += own.mass[k] * dot(v, v);
    p.angular_momentum += own.mass[k] * cross(x, v);
    by_distance.emplace_back(norm(x), own.mass[k]);
  }
  if (p.mass > 0) {
    p.velocity_dispersion = std::sqrt(squares / (3 * p.mass));
    p.angular_momentum = (a / p.mass) * p.angular_momentum;
  }
  const ByDistance sorted(std::move(by_distance));
  p.extent = sorted.radii.back();
  double enclosed = 0;
  for (std::size_t k = 0; k < sorted.radii.size(); ++k) {
    enclosed += sorted.masses[k];
    const double v2 = s.G * enclosed / (a * sorted.radii[k]);
    if (k + 1 >= 10 && sorted.radii[k] > 0 && v2 > p.circular_velocity * p.circular_velocity)
      p.circular_velocity = std::sqrt(v2), p.circular_radius = sorted.radii[k];
  }
  return p;
}

/// The sphere of one density about the centre of a group, among all bodies.
Sphere sphere_about(const GroupProperties& group, const Cells& cells, const Snapshot& s, double density) {
  const auto& l = s.boundary.length;
  const double most =
      s.boundary.periodic ? std::min({l.x, l.y, l.z}) / 2 : std::numeric_limits<double>::infinity();
  // A group holds about the mass of its sphere; a search that was too small is made again.
  for (double radius = 1.5 * std::cbrt(group.mass / (ball * density));; radius *= 1.5) {
    radius = std::min(radius, most);
    std::vector<std::pair<double, double>> near;
    cells.visit(group.centre, radius, [&](std::size_t k, const Vec3<double>& d) {
      near.emplace_back(norm(d), s.bodies.mass[cells.bodies()[k]]);
    });
    const ByDistance sorted(std::move(near));
    const auto found = sphere_of(sorted.radii, sorted.masses, density);
    if (found.radius <= radius) return found;
    if (radius >= most) return {};  // it would not fit into the box
  }
}

}  // namespace

Sphere sphere_of(std::span<const double> radii, std::span<const double> masses, double density) {
  double enclosed = 0;
  bool above = false;
  for (std::size_t k = 0; k < radii.size(); ++k) {
    if (above && enclosed < ball * density * std::pow(radii[k], 3)) break;  // before this body is within
    enclosed += masses[k];
    above = above || enclosed >= ball * density * std::pow(radii[k], 3);
  }
  if (!above) return {};
  return {enclosed, std::cbrt(enclosed / (ball * density))};
}

std::vector<GroupProperties> properties_of(const Groups& groups, const Snapshot& snapshot,
                                           std::span<const double> densities,
                                           const std::optional<Comoving>& comoving) {
  std::vector<GroupProperties> all(groups.size());
  const double a = comoving ? comoving->a : 1, flow = comoving ? comoving->flow() : 0;
  parallel_for(groups.size(), [&](std::size_t g) {
    const OnThisThread one;
    all[g] = properties_of(groups.of(g), snapshot, a, flow);
    all[g].spheres.resize(densities.size());
  });
  if (densities.empty() || all.empty()) return all;
  std::vector<std::size_t> everybody(snapshot.bodies.size());
  std::iota(everybody.begin(), everybody.end(), std::size_t{0});
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& group : all)
    if (group.mass > 0)
      smallest = std::min(smallest, std::cbrt(group.mass / (ball * std::ranges::max(densities))));
  if (!std::isfinite(smallest)) return all;
  const Cells cells(snapshot.bodies, everybody, snapshot.boundary, smallest);
  parallel_for(all.size(), [&](std::size_t g) {
    for (std::size_t d = 0; d < densities.size() && all[g].mass > 0; ++d)
      all[g].spheres[d] = sphere_about(all[g], cells, snapshot, densities[d]);
  });
  return all;
}

}  // namespace pleiad::structure
