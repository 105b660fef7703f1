#include "structure/system_changes.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

const KnownSystem* find_stars(std::span<const KnownSystem> systems, const std::vector<std::uint64_t>& stars) {
  const auto at = std::ranges::lower_bound(systems, stars, {}, &KnownSystem::stars);
  return at != systems.end() && at->stars == stars ? &*at : nullptr;
}

/// Adds the ids of the stars of a component.
void add_stars(const Systems& all, const Component& c, const Bodies& bodies,
               std::vector<std::uint64_t>& ids) {
  if (!c.system) return ids.push_back(bodies.id[c.star]);
  const auto& s = all.systems[*c.system];
  add_stars(all, s.first, bodies, ids), add_stars(all, s.second, bodies, ids);
}

/// The star of a binary that is not in the other one, if they share one star.
std::optional<std::uint64_t> star_beside(const KnownSystem& binary, const KnownSystem& other) {
  const auto shared = [&](std::uint64_t id) {
    return std::ranges::find(other.stars, id) != other.stars.end();
  };
  const bool first = shared(binary.stars[0]), second = shared(binary.stars[1]);
  if (first == second) return std::nullopt;
  return binary.stars[first ? 1 : 0];
}

}  // namespace

std::vector<KnownSystem> known_systems(const Systems& systems, const Bodies& bodies, double kT) {
  std::vector<KnownSystem> known;
  for (std::size_t k = 0; k < systems.systems.size(); ++k) {
    const auto& s = systems.systems[k];
    auto& now = known.emplace_back(KnownSystem{.id_1 = bodies.id[s.first.star],
                                               .id_2 = bodies.id[s.second.star],
                                               .mass_1 = s.first.mass,
                                               .mass_2 = s.second.mass,
                                               .semi_major_axis = s.orbit.semi_major_axis,
                                               .eccentricity = s.orbit.eccentricity,
                                               .hardness = s.binding_energy / kT,
                                               .told_axis = s.orbit.semi_major_axis,
                                               .number = k});
    add_stars(systems, s.first, bodies, now.stars), add_stars(systems, s.second, bodies, now.stars);
    std::ranges::sort(now.stars);
  }
  std::ranges::sort(known, {}, &KnownSystem::stars);
  return known;
}

std::vector<SystemEvent> system_changes(std::span<const KnownSystem> before, std::vector<KnownSystem>& now,
                                        std::span<const std::uint64_t> ids) {
  const auto there = [&](std::uint64_t id) { return std::ranges::binary_search(ids, id); };
  std::vector<SystemEvent> events;
  // Binaries that have ended and whose stars are still there: one of them may have taken another partner.
  std::vector<std::pair<const KnownSystem*, bool>> ended;
  for (const auto& old : before) {
    if (find_stars(now, old.stars) != nullptr || !std::ranges::all_of(old.stars, there)) continue;
    if (old.binary()) ended.emplace_back(&old, false);
    else events.push_back({SystemChange::hierarchy_dissolved, old});
  }
  std::vector<SystemEvent> begun;
  for (auto& s : now) {
    if (const auto* old = find_stars(before, s.stars)) {
      s.told_axis = old->told_axis;
      const double ratio = s.semi_major_axis / s.told_axis;
      if (!s.binary() || (ratio > 1 - told_change && ratio < 1 + told_change)) continue;
      s.told_axis = s.semi_major_axis;
      begun.push_back({ratio < 1 ? SystemChange::binary_hardened : SystemChange::binary_softened, s});
      continue;
    }
    SystemEvent event{s.binary() ? SystemChange::binary_formed : SystemChange::hierarchy_formed, s};
    for (auto& [old, exchanged] : ended) {
      if (exchanged || !s.binary()) continue;
      event.left = star_beside(*old, s);
      if (!event.left) continue;
      event.change = SystemChange::binary_exchanged, exchanged = true;
      break;
    }
    begun.push_back(std::move(event));
  }
  for (const auto& [old, exchanged] : ended)
    if (!exchanged) events.push_back({SystemChange::binary_ionised, *old});
  for (auto& event : events) event.system.number.reset();
  events.insert(events.end(), begun.begin(), begun.end());
  std::ranges::sort(events, {}, [](const SystemEvent& e) {
    const bool over =
        e.change == SystemChange::binary_ionised || e.change == SystemChange::hierarchy_dissolved;
    return std::tuple(!over, e.change, e.system.stars);
  });
  return events;
}

std::string text_of(std::span<const KnownSystem> systems) {
  auto text = fmt::format("{}\n", systems.size());
  for (const auto& s : systems) {
    text += fmt::format("{} ", s.stars.size());
    for (const auto id : s.stars) text += fmt::format("{} ", id);
    text += fmt::format("{} {} {:a} {:a} {:a} {:a} {:a} {:a}\n", s.id_1, s.id_2, s.mass_1, s.mass_2,
                        s.semi_major_axis, s.eccentricity, s.hardness, s.told_axis);
  }
  return text;
}

std::vector<KnownSystem> known_systems_in(const std::string& text) {
  std::istringstream words(text);
  std::size_t count = 0;
  std::vector<KnownSystem> systems;
  words >> count;
  const auto number = [&](double& value) {
    std::string word;
    words >> word;
    char* end = nullptr;
    value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0') words.setstate(std::ios::failbit);
  };
  for (std::size_t k = 0; words && k < count; ++k) {
    auto& s = systems.emplace_back();
    std::size_t stars = 0;
    words >> stars;
    for (std::size_t i = 0; words && i < stars; ++i) words >> s.stars.emplace_back();
    words >> s.id_1 >> s.id_2;
    for (double* value :
         {&s.mass_1, &s.mass_2, &s.semi_major_axis, &s.eccentricity, &s.hardness, &s.told_axis})
      number(*value);
    if (s.stars.size() < 2 || !std::ranges::is_sorted(s.stars)) words.setstate(std::ios::failbit);
  }
  if (!words || !std::ranges::is_sorted(systems, {}, &KnownSystem::stars))
    throw InputError(fmt::format("the list of {} bound systems is not whole or not in order", count));
  return systems;
}

}  // namespace pleiad::structure
