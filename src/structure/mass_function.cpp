#include "structure/mass_function.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::structure {

std::vector<MassBin> mass_function(std::span<const double> masses, double volume, std::size_t per_decade) {
  if (!(volume > 0 && std::isfinite(volume)))
    throw UsageError(fmt::format(
        "a mass function needs a volume above 0, such as that of a periodic box, not {}", volume));
  if (per_decade == 0) throw UsageError("a mass function needs at least one bin for each decade of mass");
  for (const double mass : masses)
    if (!(mass > 0 && std::isfinite(mass)))
      throw UsageError(fmt::format("the masses of a mass function must be above 0, not {}", mass));
  if (masses.empty()) return {};
  const auto edge = [&](double k) { return std::pow(10.0, k / double(per_decade)); };
  const auto [least, most] = std::ranges::minmax(masses);
  // Of the edges themselves, so that a mass at the rounding of an edge is in the bin that has it.
  const auto bin_of = [&](double mass) {
    double k = std::floor(std::log10(mass) * double(per_decade));
    if (mass < edge(k)) k -= 1;
    if (mass >= edge(k + 1)) k += 1;
    return k;
  };
  const double first = bin_of(least);
  std::vector<MassBin> bins(std::size_t(bin_of(most) - first) + 1);
  for (const double mass : masses) {
    auto& bin = bins[std::size_t(bin_of(mass) - first)];
    ++bin.groups, bin.mean += mass;
  }
  std::size_t above = 0;
  for (std::size_t k = bins.size(); k-- > 0;) {
    auto& bin = bins[k];
    bin.low = edge(first + double(k)), bin.high = edge(first + double(k) + 1);
    bin.mean = bin.groups > 0 ? bin.mean / double(bin.groups) : std::sqrt(bin.low * bin.high);
    bin.density = double(bin.groups) / volume * double(per_decade);
    bin.error = bin.groups > 0 ? bin.density / std::sqrt(double(bin.groups)) : 0;
    above += bin.groups;
    bin.above = double(above) / volume;
  }
  return bins;
}

}  // namespace pleiad::structure
