#include "core/splat.hpp"

#include <cmath>
#include <limits>

namespace pleiad::splat {

Luminosities luminosities_of(const Bodies& b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Luminosities shine;
  shine.least.fill(infinity);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto type = std::size_t(b.type[i]);
    const double m = std::isfinite(b.mass[i]) ? b.mass[i] : 0;
    ++shine.bodies[type];
    if (m > 0) shine.most[type] += m;
    if (m > 0 && m < shine.least[type]) shine.least[type] = m;
  }
  for (std::size_t k = 0; k < types; ++k) {
    if (shine.least[k] == infinity) shine.least[k] = 1;
    // In a periodic box nine images of each may be visible.
    shine.most[k] = 9 * (shine.most[k] + shine.least[k] * double(shine.bodies[k]));
  }
  return shine;
}

}  // namespace pleiad::splat
