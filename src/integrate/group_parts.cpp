#include "integrate/group_parts.hpp"

#include "regular/slow_down.hpp"

#include <algorithm>
#include <limits>

namespace pleiad {

bool close_together(const GroupPart& a, const GroupPart& b, double distance, double scale, double tide) {
  // A group is a point for others: in a dense region, where it is not, bodies are better alone. Beside a
  // pair, which is a group already, a stronger tide is allowed.
  constexpr double tide_of_bodies = 1e-4, tide_of_pairs = 0.05;
  const double radii = a.radius + b.radius, touch = radii > 0 ? radii_to_join * (radii + a.size + b.size) : 0;
  if (distance < touch) return true;
  const double mass = a.mass + b.mass, share = tide * distance * distance * distance / mass;
  return (distance < scale * mass && share < tide_of_bodies) ||
         (distance < sizes_to_join * std::max(a.size, b.size) && share < tide_of_pairs);
}

std::vector<GroupPart> parts_of(std::span<const regular::Group::Body> members, double scale) {
  const std::size_t n = members.size();
  std::vector<std::size_t> nearest(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double d = norm(regular::rounded(members[j].x - members[i].x));
      if (d < least) least = d, nearest[i] = j;
    }
  }
  std::vector<GroupPart> parts;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& m = members[i];
    GroupPart part{m.mass, regular::rounded(m.x),           regular::rounded(m.v),
                   0,      {static_cast<std::uint32_t>(i)}, 0};
    if (const std::size_t j = nearest[i]; j < n && nearest[j] == i) {
      const auto& other = members[j];
      const double mass = m.mass + other.mass;
      const auto d = regular::rounded(other.x - m.x), u = regular::rounded(other.v - m.v);
      const auto orbit = regular::pair_orbit(mass, d, u);
      if (orbit.bound && orbit.apocentre <= 2 * scale * mass) {
        if (j < i) continue;
        const double share = other.mass / mass;
        part = {mass, part.x + share * d, part.v + share * u, orbit.apocentre, part.members, 0};
        part.members.push_back(static_cast<std::uint32_t>(j));
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace pleiad
