#include "io/config/radii.hpp"

#include <pleiad/error.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace pleiad {

std::map<std::uint64_t, double> radii_of(const std::vector<std::string>& texts) {
  std::map<std::uint64_t, double> radii;
  for (const auto& text : texts) {
    std::uint64_t id = 0;
    double radius = 0;
    const char *const begin = text.data(), *const end = begin + text.size();
    const auto name = std::from_chars(begin, end, id);
    const bool named = name.ec == std::errc() && name.ptr != end && *name.ptr == '=';
    const auto number = std::from_chars(named ? name.ptr + 1 : end, end, radius);
    if (!named || number.ec != std::errc() || number.ptr != end || !(radius >= 0) || !std::isfinite(radius))
      throw UsageError(fmt::format(
          "encounters.radii: '{}' must be \"ID=RADIUS\" with a radius >= 0, such as \"0=0.00465\"", text));
    if (!radii.try_emplace(id, radius).second)
      throw UsageError(fmt::format("encounters.radii has body {} twice; leave one of the two out", id));
  }
  return radii;
}

}  // namespace pleiad
