#include "regular/post_newtonian.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::regular {

/// -(m / r^2) (A n + B v), with n = r / |r|.
Vec3<double> PostNewtonian::acceleration(double m1, double m2, const Vec3<double>& r,
                                         const Vec3<double>& v) const {
  const double m = m1 + m2, nu = m1 * m2 / (m * m), distance = norm(r), per_c2 = 1 / (c * c);
  const double g = m / distance, v2 = dot(v, v), rate = dot(r, v) / distance, rate2 = rate * rate;
  double A = 0, B = 0;
  if (first) {
    A += per_c2 * ((1 + 3 * nu) * v2 - 2 * (2 + nu) * g - 1.5 * nu * rate2);
    B -= per_c2 * 2 * (2 - nu) * rate;
  }
  if (second) {
    A += per_c2 * per_c2 *
         (0.75 * (12 + 29 * nu) * g * g + nu * (3 - 4 * nu) * v2 * v2 +
          1.875 * nu * (1 - 3 * nu) * rate2 * rate2 - 1.5 * nu * (3 - 4 * nu) * v2 * rate2 -
          0.5 * nu * (13 - 4 * nu) * g * v2 - (2 + 25 * nu + 2 * nu * nu) * g * rate2);
    B -= per_c2 * per_c2 * 0.5 * rate *
         (nu * (15 + 4 * nu) * v2 - (4 + 41 * nu + 8 * nu * nu) * g - 3 * nu * (3 + 2 * nu) * rate2);
  }
  if (radiation) {
    const double scale = 1.6 * nu * g * per_c2 * per_c2 / c;
    A -= scale * rate * (3 * v2 + 17 * g / 3);
    B += scale * (v2 + 3 * g);
  }
  const double pull = -g / distance;
  return (pull * A / distance) * r + (pull * B) * v;
}

double PostNewtonian::advance(double mass, const Vec3<double>& r, const Vec3<double>& v) const {
  const auto h = cross(r, v);
  return 3 * mass * mass / (c * c * dot(h, h));
}

bool PostNewtonian::averages(double mass, const Vec3<double>& r, const Vec3<double>& v) const {
  const bool bound = dot(v, v) / 2 < mass / norm(r);
  return bound && first && advance(mass, r, v) < average;
}

double PostNewtonian::angle(double mass, const Vec3<double>& r, const Vec3<double>& v, double time) const {
  const double per_a = std::max(0.0, 2 / norm(r) - dot(v, v) / mass);
  return advance(mass, r, v) * per_a * std::sqrt(per_a * mass) * time;
}

}  // namespace pleiad::regular
