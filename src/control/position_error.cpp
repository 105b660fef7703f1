#include "control/position_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pleiad::control {
namespace {

/// The distance that the error of a body is relative to; 0 where there is none.
double scale_of(const Bodies& b, std::size_t body, std::size_t heaviest) {
  if (!(b.mass[heaviest] > 0) || b.size() == 1) return norm(b.position(body));
  if (body != heaviest) return norm(b.position(body) - b.position(heaviest));
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < b.size(); ++j)
    if (j != body) nearest = std::min(nearest, norm(b.position(j) - b.position(body)));
  return nearest;
}

}  // namespace

PositionError position_error(const Bodies& bodies, const Bodies& exact) {
  PositionError error;
  if (exact.size() == 0) return error;
  const auto heaviest = std::size_t(std::ranges::max_element(exact.mass) - exact.mass.begin());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double off = norm(bodies.position(i) - exact.position(i));
    if (off == 0) continue;
    const double relative = off / scale_of(exact, i, heaviest);
    // NaN is the largest error.
    if (!(relative <= error.largest)) error = {std::isnan(relative) ? INFINITY : relative, i};
  }
  return error;
}

}  // namespace pleiad::control
