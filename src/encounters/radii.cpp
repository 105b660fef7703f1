#include "encounters/radii.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::encounters {

double Radii::of(std::uint64_t id, double mass) const {
  if (const auto own = stated_.find(id); own != stated_.end()) return own->second;
  return density_ > 0 ? std::cbrt(3 * mass / (4 * std::numbers::pi * density_)) : radius_;
}

std::string Radii::text() const {
  std::string text;
  for (const auto& [id, radius] : stated_) text += fmt::format("{} {:a}\n", id, radius);
  return text;
}

void Radii::restore(const std::string& text, std::string_view where) {
  stated_.clear();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::uint64_t id = 0;
    std::string radius;
    words >> id >> radius;
    const double value = std::strtod(radius.c_str(), nullptr);
    if (!words || !(value >= 0 && std::isfinite(value)))
      throw InputError(fmt::format("{}: '{}' is no id with a radius", where, line));
    stated_[id] = value;
  }
}

}  // namespace pleiad::encounters
