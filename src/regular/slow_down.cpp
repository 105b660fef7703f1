#include "regular/slow_down.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pleiad::regular {

PairOrbit pair_orbit(double mass, const Vec3<double>& x, const Vec3<double>& v) {
  const double r = norm(x), inverse = 2 / r - dot(v, v) / mass;  // 1 / a
  if (!(inverse > 0)) return {};
  const double a = 1 / inverse, radial = dot(x, v), e_cos = 1 - r / a;
  const double e = std::sqrt(e_cos * e_cos + radial * radial / (mass * a));
  return {true, 2 * std::numbers::pi * a * std::sqrt(a / mass), a * (1 + e)};
}

double slow_down_factor(const SlowDown& slow, double mass, const PairOrbit& orbit,
                        std::span<const Outside> others) {
  if (!orbit.bound) return 1;
  double tide = 0, soonest = std::numeric_limits<double>::infinity();
  for (const auto& other : others) {
    const double r = norm(other.x), speed = norm(other.v), all = mass + other.mass;
    tide += other.mass / (r * r * r);
    // Until it has moved or fallen by its distance.
    soonest = std::min(soonest, 1 / (speed / r + std::sqrt(all / (r * r * r))));
  }
  if (!(tide > 0)) return 1;
  const double apocentre = orbit.apocentre;
  const double by_strength = slow.reference * mass / (apocentre * apocentre * apocentre) / tide;
  return std::max(1.0, std::min(by_strength, slow.share * soonest / orbit.period));
}

}  // namespace pleiad::regular
