#include "sim/lost_body.hpp"

#include <cmath>

#include <fmt/format.h>

namespace pleiad {

std::size_t first_lost(const Bodies& b) {
  std::size_t i = 0;
  while (i < b.size() && std::isfinite(b.x[i] + b.y[i] + b.z[i] + b.vx[i] + b.vy[i] + b.vz[i])) ++i;
  return i;
}

NumericalError lost_body(std::size_t number, std::uint64_t id, std::uint64_t step, double time) {
  return NumericalError(
      fmt::format("body {} (id {}) is no longer finite at step {}, t = {:g}: the step is too long for a "
                  "close encounter; use softening or a smaller dt",
                  number, id, step, time));
}

NumericalError coincident_bodies(std::uint64_t one, std::uint64_t other, std::uint64_t step, double time) {
  return NumericalError(
      fmt::format("bodies with ids {} and {} have come to the same position at step {}, t = {:g}; "
                  "without softening their force is not defined",
                  one, other, step, time));
}

}  // namespace pleiad
