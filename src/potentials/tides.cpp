#include "potentials/tides.hpp"

#include "potentials/at_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pleiad::potentials {
namespace {

/// Differences over less than this share of the distance from the centre are integrals of derivatives, by two
/// nodes, with an error of (share of the scale of the field)^4 / 4320; differences over more lose at most
/// four of sixteen digits.
constexpr double close = 1e-4;
/// Those over less than this need one node: an error of (share of the scale of the field)^2 / 24.
constexpr double closest = 1e-6;

/// The derivative of the acceleration along a direction.
Vec3<double> along(const Instant<Dual>& now, double G, const Vec3<double>& at, const Vec3<double>& way) {
  const auto a = field_of<Dual>(now, G, {{at.x, way.x}, {at.y, way.y}, {at.z, way.z}}).acceleration;
  return {a.x.rate, a.y.rate, a.z.rate};
}

}  // namespace

Tides::Tides(std::vector<Potential> potentials, double G) : potentials_(std::move(potentials)), G_(G) {
  std::ranges::stable_partition(potentials_, is_static);
  for (const auto& p : potentials_)
    if (is_static(p)) still_.push_back(at_time(p, 0));
}

Tides::Still Tides::at_time(const Potential& potential, double time) const {
  Still now{instant_of<double>(potential, time), instant_of<Dual>(potential, {time, 0}), {}};
  now.centre = std::exchange(now.of_values.centre, {});
  now.of_derivatives.centre = {};
  return now;
}

template <class Use>
void Tides::for_each(double time, const Use& use) const {
  for (const auto& each : still_) use(each);
  for (std::size_t k = still_.size(); k < potentials_.size(); ++k) use(at_time(potentials_[k], time));
}

Vec3<double> Tides::about(double time, const Vec3<double>& place, std::span<const Vec3<double>> offsets,
                          std::span<Vec3<double>> differences) const {
  Vec3<double> sum{};
  for_each(time, [&](const Still& now) {
    const auto d = place - now.centre;
    const auto here = field_of(now.of_values, G_, d).acceleration;
    sum += here;
    const double far2 = dot(d, d);
    for (std::size_t k = 0; k < offsets.size(); ++k) {
      const auto& x = offsets[k];
      const double share2 = dot(x, x) / far2;  // infinite, or no number, at the centre
      if (!(share2 <= close * close)) {
        differences[k] += field_of(now.of_values, G_, d + x).acceleration - here;
      } else if (share2 <= closest * closest) {
        differences[k] += along(now.of_derivatives, G_, d + 0.5 * x, x);
      } else {
        const double node = 0.5 / std::sqrt(3.0);
        differences[k] += 0.5 * (along(now.of_derivatives, G_, d + (0.5 - node) * x, x) +
                                 along(now.of_derivatives, G_, d + (0.5 + node) * x, x));
      }
    }
  });
  return sum;
}

double Tides::strength(double time, const Vec3<double>& place, double length) const {
  const Vec3<double> offsets[]{{length, 0, 0}, {0, length, 0}, {0, 0, length}};
  Vec3<double> tides[3]{};
  (void)about(time, place, offsets, tides);
  double sum = 0;
  for (const auto& t : tides) sum += dot(t, t);
  return std::sqrt(sum) / length;
}

}  // namespace pleiad::potentials
