#include "core/law.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace pleiad {

void check_law(const Gravity& gravity) {
  const auto need = [](bool fine, std::string_view name, double value, std::string_view range) {
    if (!fine) throw UsageError(fmt::format("{} = {} must be {}", name, value, range));
  };
  const double eps = gravity.softening.eps;
  need(eps >= 0 && std::isfinite(eps), "softening", eps, "finite and >= 0");
  need(eps <= 1e18, "softening", eps, "at most 1e+18, as coordinates: softening^2 overflows beyond");
  need(gravity.G > 0 && std::isfinite(gravity.G), "G", gravity.G, "finite and > 0");
  if (!gravity.boundary.periodic) return;
  const auto& side = gravity.boundary.length;
  for (const double length : {side.x, side.y, side.z})
    need(length > 0 && std::isfinite(length), "a side of the periodic box", length, "finite and > 0");
}

}  // namespace pleiad
