#include "ranks/validate.hpp"

#include "core/heaviest.hpp"
#include "core/place_hash.hpp"
#include "core/validate.hpp"
#include "ranks/agree.hpp"
#include "ranks/coincident.hpp"
#include "ranks/send_by_hash.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace pleiad::ranks {
namespace {

/// Whether ids rise from every body to the next, as those of most files do.
bool ids_rise(Communicator& comm, const Bodies& own) {
  struct Ids {
    std::uint64_t count, first, last, rising;
  };
  const bool rising = std::ranges::adjacent_find(own.id, std::greater_equal<>()) == own.id.end();
  const auto all = all_gather(
      comm, own.empty() ? Ids{0, 0, 0, 1} : Ids{own.size(), own.id.front(), own.id.back(), rising});
  const Ids* before = nullptr;
  for (const auto& ids : all) {
    if (ids.rising == 0 || (before != nullptr && ids.count > 0 && ids.first <= before->last)) return false;
    if (ids.count > 0) before = &ids;
  }
  return true;
}

struct Named {
  std::uint64_t id, body;
  auto operator<=>(const Named&) const = default;
};

/// The first body whose id one before it has; its place is the largest number when there is none.
Named repeating(Communicator& comm, const Bodies& own, std::size_t first) {
  auto named = send_by_hash<Named>(
      comm, own.size(),
      [&](std::size_t i) {
        return Named{own.id[i], first + i};
      },
      [](const Named& n) { return mixed(n.id); });
  std::ranges::sort(named);
  Named mine{0, std::numeric_limits<std::uint64_t>::max()};
  for (std::size_t i = 1; i < named.size(); ++i)
    if (named[i].id == named[i - 1].id && named[i].body < mine.body) mine = named[i];
  return std::ranges::min(all_gather(comm, mine), {}, &Named::body);
}

}  // namespace

void validate(Communicator& comm, const Division& division, const Bodies& own, const Gravity& gravity,
              std::string_view origin) {
  if (comm.ranks() == 1) return need_valid(own, gravity, origin);
  const std::size_t first = division.first(comm.rank());
  if (division.bodies == 0) throw no_bodies(origin);
  agree(comm, [&] { need_valid_numbers(own, origin, first); });
  if (gravity.potentials.empty() && !(max(comm, heaviest_of(own)) > 0))
    throw no_mass(origin, division.bodies);
  if (gravity.semi_active.any()) {
    const auto own_counts = counts_of_semi_active(own, gravity.semi_active);
    std::array<std::uint64_t, 2> counts{own_counts[0], own_counts[1]};
    comm.sum(counts);
    need_semi_active(gravity, counts[0], counts[1], origin);
  }
  if (!ids_rise(comm, own))
    if (const auto found = repeating(comm, own, first); found.body < division.bodies)
      throw repeated_id(origin, found.body, found.id);
  if (gravity.softening.eps != 0) return;
  if (const auto ids = coincident_ids(comm, own))
    throw InputError(fmt::format(
        "{}: the bodies with the ids {} and {} are at the same position; without softening their force is "
        "not defined",
        origin, (*ids)[0], (*ids)[1]));
}

}  // namespace pleiad::ranks
