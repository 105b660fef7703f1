#include "core/magnitude.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  const auto s = static_cast<long long>(std::llround(seconds));
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  if (s < 48 * 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string metric(double value) {
  constexpr std::array<std::pair<double, const char*>, 4> scales{
      {{1e12, "T "}, {1e9, "G "}, {1e6, "M "}, {1e3, "k "}}};
  for (const auto& [scale, prefix] : scales)
    if (value >= scale) return fmt::format("{:.3g} {}", value / scale, prefix);
  return fmt::format("{:.3g} ", value);
}

}  // namespace pleiad
