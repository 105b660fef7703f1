#include "encounters/escape_sphere.hpp"

#include "core/threads.hpp"
#include "potentials/at_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <ranges>
#include <utility>
#include <vector>

namespace pleiad::encounters {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

/// The eigenvalues of a symmetric matrix, ascending: Jacobi's rotations, each of which makes one element
/// vanish.
std::array<double, 3> eigenvalues_of(Matrix m) {
  constexpr int rounds = 12;  // the elements fall quadratically
  for (int round = 0; round < rounds; ++round)
    for (const auto [p, q] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}}) {
      if (m[p][q] == 0) continue;
      const double slope = (m[q][q] - m[p][p]) / (2 * m[p][q]),
                   t = std::copysign(1 / (std::abs(slope) + std::hypot(1.0, slope)), slope),
                   c = 1 / std::hypot(1.0, t), s = t * c;
      const int r = 3 - p - q;
      const double to_p = m[r][p], to_q = m[r][q], off = m[p][q];
      m[p][p] -= t * off, m[q][q] += t * off, m[p][q] = m[q][p] = 0;
      m[r][p] = m[p][r] = c * to_p - s * to_q;
      m[r][q] = m[q][r] = s * to_p + c * to_q;
    }
  std::array<double, 3> values{m[0][0], m[1][1], m[2][2]};
  std::ranges::sort(values);
  return values;
}

/// Masses within distances from a centre.
class Within {
 public:
  Within(std::span<const double> mass, std::span<const Place> places, const Vec3<double>& centre) {
    std::vector<double> distance2(mass.size());
    for_each_index(mass.size(), [&](std::size_t i) {
      const auto d = places[i].x - centre;
      distance2[i] = dot(d, d);
    });
    std::vector<std::size_t> order(mass.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distance2[i]; });
    double sum = 0;
    for (const auto i : order) radius_.push_back(std::sqrt(distance2[i])), mass_.push_back(sum += mass[i]);
  }
  double all() const { return mass_.empty() ? 0 : mass_.back(); }
  double in(double radius) const {
    const auto beyond = std::ranges::upper_bound(radius_, radius) - radius_.begin();
    return beyond == 0 ? 0 : mass_[std::size_t(beyond) - 1];
  }
  /// The least radius that has this mass within it.
  double radius_of(double mass) const {
    return radius_[std::size_t(std::ranges::lower_bound(mass_, mass) - mass_.begin())];
  }

 private:
  std::vector<double> radius_, mass_;
};

/// The largest radius that has a mass within it of which it is the radius. `radius_of` must not fall with the
/// mass, so the radius falls from that of all bodies on, until no body is left behind.
template <class RadiusOf>
double own_radius(const Within& within, const RadiusOf& radius_of) {
  double mass = within.all(), radius = 0;
  for (bool falls = mass > 0; falls;) {
    radius = radius_of(mass);
    const double inside = within.in(radius);
    falls = inside < mass;
    mass = inside;
    if (mass == 0) return 0;
  }
  return radius;
}

double radius_of(const EscapeLimit& limit, const Gravity& gravity, const Within& within,
                 const Vec3<double>& centre, double time) {
  switch (limit.unit) {
    case EscapeUnit::length:
      break;
    case EscapeUnit::half_mass_radius:
      return own_radius(within, [&](double mass) { return limit.radius * within.radius_of(mass / 2); });
    case EscapeUnit::tidal_radius: {
      const double tide = tide_at(gravity, centre, time);
      if (!(tide > 0)) return std::numeric_limits<double>::infinity();
      return own_radius(within,
                        [&](double mass) { return limit.radius * std::cbrt(gravity.G * mass / tide); });
    }
  }
  return limit.radius;
}

/// The mean velocity of what is within a sphere, by mass; of all where that is nothing.
Vec3<double> motion_of(std::span<const double> mass, std::span<const Place> places,
                       const Vec3<double>& centre, double radius) {
  std::vector<double> inside(mass.size());
  for_each_index(mass.size(), [&](std::size_t i) {
    const auto d = places[i].x - centre;
    inside[i] = dot(d, d) <= radius * radius ? mass[i] : 0;
  });
  const bool any = std::ranges::any_of(inside, [](double m) { return m > 0; });
  return centre_of(any ? std::span<const double>(inside) : mass, places).v;
}

/// The median of one coordinate.
double median_of(std::span<const Place> places, double Vec3<double>::*axis) {
  std::vector<double> values;
  for (const auto& place : places) values.push_back(place.x.*axis);
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The centre of mass of shrinking spheres, each with half of the bodies of the one before, down to a tenth
/// of all. The first is about the median place, which less than half of the bodies cannot draw away however
/// far they are. Of eight bodies or fewer, and without mass there, the centre of mass of all.
Vec3<double> dense_centre(std::span<const double> mass, std::span<const Place> places) {
  constexpr std::size_t few = 8;
  const std::size_t n = mass.size();
  if (n <= few) return centre_of(mass, places).x;
  Vec3<double> centre{median_of(places, &Vec3<double>::x), median_of(places, &Vec3<double>::y),
                      median_of(places, &Vec3<double>::z)};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> distance2(n), part_mass;
  std::vector<Place> part;
  for (std::size_t count = n / 2; count >= std::max(n / 10, few / 2); count /= 2) {
    for_each_index(n, [&](std::size_t i) {
      const auto d = places[i].x - centre;
      distance2[i] = dot(d, d);
    });
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(distance2[i], i); });
    part.clear(), part_mass.clear();
    for (const auto i : order | std::views::take(count))
      part.push_back(places[i]), part_mass.push_back(mass[i]);
    if (std::ranges::none_of(part_mass, [](double m) { return m > 0; })) return centre_of(mass, places).x;
    centre = centre_of(part_mass, part).x;
  }
  return centre;
}

}  // namespace

Place centre_of(std::span<const double> mass, std::span<const Place> places) {
  struct Sum {
    double m = 0;
    Vec3<double> x, v, all_x, all_v;
    Sum& operator+=(const Sum& o) {
      m += o.m, x += o.x, v += o.v, all_x += o.all_x, all_v += o.all_v;
      return *this;
    }
  };
  const auto sum = blocked_sum<Sum>(mass.size(), [&](std::size_t begin, std::size_t end) {
    Sum s;
    for (std::size_t i = begin; i < end; ++i) {
      const auto& [x, v] = places[i];
      s.m += mass[i], s.x += mass[i] * x, s.v += mass[i] * v, s.all_x += x, s.all_v += v;
    }
    return s;
  });
  if (sum.m > 0) return {sum.x * (1 / sum.m), sum.v * (1 / sum.m)};
  if (mass.empty()) return {};
  const double share = 1 / double(mass.size());
  return {sum.all_x * share, sum.all_v * share};
}

double tide_at(const Gravity& gravity, const Vec3<double>& position, double time) {
  using potentials::Dual;
  Matrix tensor{};
  const auto now = potentials::instants_of<Dual>(gravity.potentials, Dual(time));
  for (std::size_t j = 0; j < 3; ++j) {
    const Vec3<Dual> along{
        {position.x, j == 0 ? 1.0 : 0.0}, {position.y, j == 1 ? 1.0 : 0.0}, {position.z, j == 2 ? 1.0 : 0.0}};
    const auto a = potentials::field_of(now.data(), now.size(), gravity.G, along).acceleration;
    tensor[0][j] = a.x.rate, tensor[1][j] = a.y.rate, tensor[2][j] = a.z.rate;
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) tensor[i][j] = tensor[j][i] = (tensor[i][j] + tensor[j][i]) / 2;
  const auto values = eigenvalues_of(tensor);
  return values[2] - values[1];
}

EscapeSphere sphere_of(const EscapeLimit& limit, const Gravity& gravity, std::span<const double> mass,
                       std::span<const Place> places, double time) {
  EscapeSphere sphere{.centre = centre_of(mass, places), .radius = limit.radius};
  const bool measured = limit.unit != EscapeUnit::length,
             dense = limit.centre == EscapeCentre::density ||
                     (limit.centre == EscapeCentre::automatic && measured);
  if (dense) sphere.centre.x = dense_centre(mass, places);
  if (measured)
    sphere.radius = radius_of(limit, gravity, Within(mass, places, sphere.centre.x), sphere.centre.x, time);
  if (dense) sphere.centre.v = motion_of(mass, places, sphere.centre.x, sphere.radius);
  return sphere;
}

}  // namespace pleiad::encounters
