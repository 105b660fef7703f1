#include "encounters/path.hpp"

#include "encounters/roots.hpp"

namespace pleiad::encounters {
namespace {

double distance2(const Path& path, double s) {
  const auto x = path.at(s).x;
  return dot(x, x);
}

/// The point between a and b at which `before` becomes false.
template <class Before>
double boundary(double a, double b, const Before& before) {
  for (int k = 0; k < 200; ++k) {
    const double s = 0.5 * (a + b);
    if (!(a < s && s < b)) break;
    (before(s) ? a : b) = s;
  }
  return b;
}

}  // namespace

Path::Path(const Place& from, const Place& to, double h) : h_(h) {
  const auto way = to.x - from.x, begins = h * from.v, ends = h * to.v;
  c_ = {from.x, begins, 3.0 * way - 2.0 * begins - ends, begins + ends - 2.0 * way};
}

Place Path::at(double s) const {
  return {c_[0] + s * (c_[1] + s * (c_[2] + s * c_[3])),
          (c_[1] + s * (2.0 * c_[2] + (3 * s) * c_[3])) * (1 / h_)};
}

std::array<double, 6> Path::approach() const {
  std::array<double, 6> sum{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 1; j < 4; ++j) sum[i + j - 1] += double(j) * dot(c_[i], c_[j]);
  return sum;
}

std::array<Vec3<double>, 4> hull_of(const Place& from, const Place& to, double h) {
  return {from.x, from.x + (h / 3) * from.v, to.x - (h / 3) * to.v, to.x};
}

Descents descents_of(const Place& from, const Place& to, double h) {
  const Path path(from, to, h);
  const auto change = path.approach();
  std::array<double, 5> curvature{};
  for (std::size_t k = 0; k < 5; ++k) curvature[k] = double(k + 1) * change[k + 1];
  Descents found;
  bool falls = dot(from.x, from.v) < 0;
  Descent now{.from2 = dot(from.x, from.x)};
  constexpr double least_sharpness = 1.0 / 50;
  const auto end_of = [&](double s, double to2, bool to_minimum) {
    const auto v = h * path.at(s).v;
    now.end = s, now.to2 = to2, now.to_minimum = to_minimum;
    now.sharp = to_minimum && value(curvature, s) > least_sharpness * dot(v, v);
    if (found.count < found.parts.size()) found.parts[found.count++] = now;
  };
  double a = 0;
  const auto part = [&](double b, bool falls_at_b) {
    if (falls_at_b != falls) {
      // The velocity at the end of the step may stand still, or turn there to rounding.
      const double s = sign_change(change, a, b, falls);
      const double r2 = distance2(path, s);
      if (falls) end_of(s, r2, true);
      else now = {.begin = s, .from2 = r2};
      falls = falls_at_b;
    }
    a = b;
  };
  const auto changes = sign_changes(curvature);
  for (const double s : changes.all()) part(s, value(change, s) < 0);
  part(1, dot(to.x, to.v) < 0);
  if (falls) end_of(1, dot(to.x, to.x), false);
  return found;
}

std::optional<double> crossing(const Path& path, const Descent& d, double distance) {
  const double limit2 = distance * distance;
  if (!(d.from2 > limit2 && d.to2 <= limit2)) return std::nullopt;
  return boundary(d.begin, d.end, [&](double s) { return distance2(path, s) > limit2; });
}

double leaving(const Path& path, double first, double last) {
  return boundary(0, 1, [&](double s) {
    const double distance = first + s * (last - first);
    return distance2(path, s) <= distance * distance;
  });
}

}  // namespace pleiad::encounters
