#include "structure/links.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

/// Ids with their groups, in ascending order.
using Places = std::vector<std::pair<std::uint64_t, std::size_t>>;

Places places_of(const GroupMembers& groups) {
  Places places;
  places.reserve(groups.ids.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const auto id : groups.of(g)) places.emplace_back(id, g);
  std::ranges::sort(places);
  for (std::size_t k = 1; k < places.size(); ++k)
    if (places[k].first == places[k - 1].first)
      throw InputError(
          fmt::format("the id {} is twice among the members of the groups of one time", places[k].first));
  return places;
}

/// Marks for each group on one side the link with the most members; `other`: ids of the groups on the other
/// side.
template <class Side, class Other>
void mark(std::vector<Link>& links, std::size_t groups, Side side, Other other, bool Link::*marked) {
  std::vector<Link*> best(groups, nullptr);
  for (auto& link : links) {
    Link*& now = best[side(link)];
    if (now == nullptr || link.shared > now->shared ||
        (link.shared == now->shared && other(link) < other(*now)))
      now = &link;
  }
  for (Link* link : best)
    if (link != nullptr) link->*marked = true;
}

}  // namespace

std::uint64_t GroupMembers::id_of(std::size_t group) const { return std::ranges::min(of(group)); }

std::vector<Link> links_between(const GroupMembers& earlier, const GroupMembers& later) {
  const auto before = places_of(earlier), after = places_of(later);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
  for (auto a = before.begin(), b = after.begin(); a != before.end() && b != after.end();) {
    if (a->first == b->first) ++shared[{a->second, b->second}];
    const bool forward = a->first <= b->first;
    if (b->first <= a->first) ++b;
    if (forward) ++a;
  }
  std::vector<Link> links;
  for (const auto& [groups, number] : shared)
    links.push_back({.earlier = groups.first, .later = groups.second, .shared = number});
  mark(
      links, earlier.size(), [](const Link& l) { return l.earlier; },
      [&](const Link& l) { return later.id_of(l.later); }, &Link::descendant);
  mark(
      links, later.size(), [](const Link& l) { return l.later; },
      [&](const Link& l) { return earlier.id_of(l.earlier); }, &Link::main_progenitor);
  return links;
}

std::string table_of_links(std::span<const GroupMembers> catalogues) {
  std::string text =
      "time,next_time,group,next_group,id,next_id,members,next_members,shared,descendant,main_progenitor\n";
  for (std::size_t k = 1; k < catalogues.size(); ++k) {
    const auto &earlier = catalogues[k - 1], &later = catalogues[k];
    for (const auto& link : links_between(earlier, later))
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", earlier.time, later.time, link.earlier,
                          link.later, earlier.id_of(link.earlier), later.id_of(link.later),
                          earlier.of(link.earlier).size(), later.of(link.later).size(), link.shared,
                          int(link.descendant), int(link.main_progenitor));
  }
  return text;
}

}  // namespace pleiad::structure
