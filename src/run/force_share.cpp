#include "run/force_share.hpp"

#include <algorithm>

namespace pleiad::run {

std::optional<double> force_share(const Options& o, double budget, std::size_t bodies) {
  constexpr std::size_t least = 50'000;
  constexpr double share = 4, finest = 1e-6, coarsest = 0.01;  // below the finest direct sums are not slower
  const bool stated = o.solver.stated.accuracy || o.solver.accuracy > 0 || o.solver.method != "auto" ||
                      o.engine.kernel != "auto";
  const auto& g = o.gravity;
  const bool plain = g.softening > 0 && g.softening_kernel == "plummer" && g.softening_by_type.empty() &&
                     !g.softening_of_bodies && g.semi_active.empty() && g.dimension == 3;
  if (stated || !plain || bodies < least || !(share * budget >= finest)) return std::nullopt;
  return std::min(share * budget, coarsest);
}

}  // namespace pleiad::run
