#include "sim/comoving_space.hpp"

#include <cmath>

namespace pleiad {

double ComovingSpace::kick(double from, double to) const {
  const double a = std::exp(from);
  if (from == to) return 1 / (a * hubble_ * cosmology::expansion_rate(cosmology_, a));
  return cosmology::kick(cosmology_, a, std::exp(to)) / (hubble_ * (to - from));
}

double ComovingSpace::drift(double from, double to) const {
  const double a = std::exp(from);
  if (from == to) return 1 / (a * a * hubble_ * cosmology::expansion_rate(cosmology_, a));
  return cosmology::drift(cosmology_, a, std::exp(to)) / (hubble_ * (to - from));
}

double ComovingSpace::eta_at(double time, double eta) const {
  const double a = std::exp(time);
  return hubble_ * cosmology::expansion_rate(cosmology_, a) * std::sqrt(2 * eta * a * a * a);
}

}  // namespace pleiad
