#include "io/config/softening.hpp"

#include "io/config/named_number.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::config {

std::array<double, type_names.size()> softenings_of_types(const Options::Gravity& gravity) {
  std::array<double, type_names.size()> softenings{};
  std::array<bool, type_names.size()> stated{};
  softenings.fill(gravity.softening);
  for (const std::string_view text : gravity.softening_by_type) {
    const auto refuse = [&](const std::string& why) {
      throw UsageError(fmt::format("gravity.softening_by_type: '{}' {}", text, why));
    };
    const auto [name, length] =
        named_number(text, {"gravity.softening_by_type", "TYPE=LENGTH", "length", "halo=0.05"});
    const auto type = std::ranges::find(type_names, name);
    if (type == type_names.end())
      refuse(fmt::format("names no type; there are {}{}", fmt::join(type_names, ", "),
                         did_you_mean(name, type_names)));
    const auto k = static_cast<std::size_t>(type - type_names.begin());
    if (stated[k]) refuse("names a type for the second time");
    softenings[k] = length, stated[k] = true;
  }
  return softenings;
}

}  // namespace pleiad::config
