#include "ranks/coincident.hpp"

#include "core/place_hash.hpp"
#include "ranks/send_by_hash.hpp"

#include <cstddef>
#include <tuple>

namespace pleiad::ranks {
namespace {

struct Placed {
  double x, y, z, mass;
  std::uint64_t id;
};

/// Two at one place, if there are any.
struct Pair {
  bool found = false;
  double x = 0, y = 0, z = 0;
  std::array<std::uint64_t, 2> ids{};
  auto place() const { return std::tuple(x, y, z); }
};

/// The bodies of all ranks, in their order, whose places this rank looks at.
Bodies dealt(Communicator& comm, const Bodies& own) {
  const auto got = send_by_hash<Placed>(
      comm, own.size(),
      [&](std::size_t i) {
        return Placed{own.x[i], own.y[i], own.z[i], own.mass[i], own.id[i]};
      },
      [](const Placed& p) {
        return hash_of_place({p.x, p.y, p.z});
      });
  Bodies mine;
  for (const auto& p : got) {
    mine.add(p.mass, {p.x, p.y, p.z}, {});
    mine.id.back() = p.id;
  }
  return mine;
}

}  // namespace

std::optional<std::array<std::uint64_t, 2>> coincident_ids(Communicator& comm, const Bodies& own) {
  if (comm.ranks() == 1) {
    const auto [i, j] = coincident_pair(own);
    if (i == own.size()) return std::nullopt;
    return std::array{own.id[i], own.id[j]};
  }
  const auto looked_at = dealt(comm, own);
  Pair mine;
  if (const auto [i, j] = coincident_pair(looked_at); i < looked_at.size())
    mine = {true, looked_at.x[i], looked_at.y[i], looked_at.z[i], {looked_at.id[i], looked_at.id[j]}};
  // All of one place are on one rank: the first place decides, as on one process.
  std::optional<Pair> first;
  for (const auto& pair : all_gather(comm, mine))
    if (pair.found && (!first || pair.place() < first->place())) first = pair;
  if (!first) return std::nullopt;
  return first->ids;
}

}  // namespace pleiad::ranks
