#include "doctor/self_test.hpp"

#include <pleiad/kernel/pull.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace pleiad::doctor {

std::string wrong_pulls(const Evaluate& evaluate) {
  constexpr std::size_t n = 1000;
  constexpr double eps = 0.05;
  // A reciprocal root good to 2 ulp, cubed, and some ten roundings more for each term; the terms are added in
  // groups, n deep at worst in one chain but with errors of both signs: the conformance tests hold every
  // kernel to 48 roundings of the sum of the magnitudes.
  constexpr double roundings = 48;
  std::vector<Mass<float>> bodies;
  for (std::size_t i = 0; i < n; ++i) {
    Random r(1, i);
    const auto x = float(r.uniform()), y = float(r.uniform()), z = float(r.uniform());
    bodies.push_back({x, y, z, 1.0f / n});
  }
  constexpr float poison = std::numeric_limits<float>::quiet_NaN();
  std::vector<Vec4<float>> sums(n, {poison, poison, poison, poison});
  evaluate({.targets = bodies, .sources = bodies, .sums = sums, .softening = {eps}});
  for (std::size_t i = 0; i < n; ++i) {
    Vec3<double> sum{}, size{};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const Vec3<double> d{double(bodies[j].x) - double(bodies[i].x),
                           double(bodies[j].y) - double(bodies[i].y),
                           double(bodies[j].z) - double(bodies[i].z)};
      const auto one = pull(d, double(bodies[j].m), eps * eps);
      sum += Vec3<double>{one.x, one.y, one.z};
      size += Vec3<double>{std::abs(one.x), std::abs(one.y), std::abs(one.z)};
    }
    const Vec3<double> error{sums[i].x - sum.x, sums[i].y - sum.y, sums[i].z - sum.z};
    const double bound = roundings * 0x1p-24 * norm(size);
    if (!(norm(error) <= bound))
      return fmt::format("the pull on body {} of {} is wrong by {:.3g}, more than rounding can do ({:.3g})",
                         i, n, norm(error), bound);
  }
  return "";
}

}  // namespace pleiad::doctor
