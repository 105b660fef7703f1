#include "io/config/encounters.hpp"

#include "io/config/named_number.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace pleiad {

std::map<std::uint64_t, double> radii_of(const std::vector<std::string>& texts) {
  std::map<std::uint64_t, double> radii;
  constexpr config::NamedForm form{"encounters.radii", "ID=RADIUS", "radius", "0=0.00465"};
  for (const auto& text : texts) {
    const auto [name, radius] = config::named_number(text, form);
    std::uint64_t id = 0;
    const char* const end = name.data() + name.size();
    if (const auto read = std::from_chars(name.data(), end, id); read.ec != std::errc{} || read.ptr != end)
      throw UsageError(
          fmt::format("{}: '{}' in '{}' is no id of a body, a whole number >= 0", form.key, name, text));
    if (!radii.try_emplace(id, radius).second)
      throw UsageError(fmt::format("encounters.radii has body {} twice; leave one of the two out", id));
  }
  return radii;
}

EncounterSettings settings_of(const Options::Encounters& o) {
  const auto place_in = [](const auto& names, const std::string& name) {
    return std::ranges::find(names, name) - names.begin();
  };
  const auto reaction = [&](const std::string& name) {
    return static_cast<Reaction>(place_in(reaction_names, name));
  };
  return {.distance = o.distance,
          .radius = o.radius,
          .density = o.density,
          .radii = radii_of(o.radii),
          .escape_radius = o.escape_radius,
          .escape_unit = static_cast<EscapeUnit>(place_in(escape_unit_names, o.escape_unit)),
          .escape_centre = static_cast<EscapeCentre>(place_in(escape_centre_names, o.escape_centre)),
          .on_approach = reaction(o.on_approach),
          .on_collision = reaction(o.on_collision),
          .on_escape = reaction(o.on_escape)};
}

}  // namespace pleiad
