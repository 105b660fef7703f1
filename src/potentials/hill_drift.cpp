#include "potentials/hill_drift.hpp"

#include "potentials/hill.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace pleiad::potentials {

HillFrame::HillFrame(const Potential& hill)
    : rate_(hill.parameters[0]), kappa_(hill.parameters[1]), nu_(hill.parameters[2]) {}

HillDrift HillFrame::drift_of(double time) const {
  const double half = std::sin(kappa_ * time / 2), sine_z = std::sin(nu_ * time);
  return {.time = time,
          .rate2 = 2 * rate_,
          .radial = 4 * rate_ * rate_ - kappa_ * kappa_,
          .per_kappa2 = 1 / (kappa_ * kappa_),
          .sine = std::sin(kappa_ * time),
          .versine = 2 * half * half,
          .kappa = kappa_,
          .sine_z = nu_ * sine_z,
          .cosine_z = std::cos(nu_ * time),
          .sine_z_per_nu = nu_ > 0 ? sine_z / nu_ : time};
}

bool is_hill(const Potential& p) {
  return potential_kinds()[static_cast<std::size_t>(p.kind)].name == Hill::kind.name;
}

std::optional<HillFrame> hill_frame_of(std::span<const Potential> potentials) {
  const auto hill = std::ranges::find_if(potentials, is_hill);
  return hill == potentials.end() ? std::nullopt : std::optional(HillFrame(*hill));
}

std::vector<Potential> kicking(std::span<const Potential> potentials) {
  std::vector<Potential> all;
  std::ranges::remove_copy_if(potentials, std::back_inserter(all), is_hill);
  return all;
}

}  // namespace pleiad::potentials
