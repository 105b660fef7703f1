#include "tune/case.hpp"

#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {
/// Wide enough that hardly a body of the sphere, which has most of its mass within 1, is wrapped.
constexpr double box = 64;
}  // namespace

std::size_t rounded_up(std::size_t n) {
  for (int k = 0;; ++k) {
    const auto size = static_cast<std::size_t>(std::exp2(k / 4.0));
    if (size >= std::min(n, most_bodies)) return size;
  }
}

std::string name_of(const Case& what) {
  return fmt::format("{} bodies, {}{}{}{}", what.n, pleiad::name_of(what.precision),
                     what.masses == Masses::equal ? ", equal masses" : "",
                     what.periodic ? ", in a periodic box" : "",
                     what.gpus > 1 ? fmt::format(", up to {} GPUs", what.gpus) : "");
}

Bodies bodies_of(const Case& what) {
  const std::array<std::string, 1> settings{fmt::format("n={}", what.n)};
  auto bodies = make_model("plummer", settings, 1).bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (what.masses == Masses::any) bodies.mass[i] *= 0.5 + double(i % 8) / 7;
    if (what.periodic) bodies.x[i] += box / 2, bodies.y[i] += box / 2, bodies.z[i] += box / 2;
  }
  return bodies;
}

Gravity gravity_of(const Case& what) {
  return {.G = 1, .softening = {0.02}, .boundary = {what.periodic, {box, box, box}}, .dimension = 3};
}

}  // namespace pleiad::tune
