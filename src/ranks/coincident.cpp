#include "ranks/coincident.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <tuple>
#include <vector>

namespace pleiad::ranks {
namespace {

struct Placed {
  double x, y, z;
  std::uint64_t id;
};

/// Two at one place, if there are any.
struct Pair {
  bool found = false;
  double x = 0, y = 0, z = 0;
  std::array<std::uint64_t, 2> ids{};
  auto place() const { return std::tuple(x, y, z); }
};

/// The rank that looks at a place; 0 and -0 are one.
std::size_t owner_of(const Placed& p, int ranks) {
  std::uint64_t hash = 0;
  for (const double v : {p.x, p.y, p.z}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(v + 0.0)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash % static_cast<std::uint64_t>(ranks));
}

/// The bodies of all ranks, in their order, whose places this rank looks at.
Bodies deal_out(Transport& transport, const Bodies& own) {
  const auto placed = [&](std::size_t i) { return Placed{own.x[i], own.y[i], own.z[i], own.id[i]}; };
  std::vector<std::size_t> begins(static_cast<std::size_t>(transport.ranks()) + 1);
  for (std::size_t i = 0; i < own.size(); ++i) ++begins[owner_of(placed(i), transport.ranks()) + 1];
  for (std::size_t r = 1; r < begins.size(); ++r) begins[r] += begins[r - 1];
  std::vector<Placed> sent(own.size());
  auto next = begins;
  for (std::size_t i = 0; i < own.size(); ++i)
    sent[next[owner_of(placed(i), transport.ranks())]++] = placed(i);
  const auto got = all_to_all<Placed>(transport, sent, begins).data;
  Bodies mine;
  for (const auto& p : got) {
    mine.add(1, {p.x, p.y, p.z}, {});
    mine.id.back() = p.id;
  }
  return mine;
}

}  // namespace

std::optional<std::array<std::uint64_t, 2>> coincident_ids(Transport& transport, const Bodies& own) {
  const auto dealt = deal_out(transport, own);
  Pair mine;
  if (const auto [i, j] = coincident_pair(dealt); i < dealt.size())
    mine = {true, dealt.x[i], dealt.y[i], dealt.z[i], {dealt.id[i], dealt.id[j]}};
  // All of one place are on one rank: the first place decides, as on one process.
  std::optional<Pair> first;
  for (const auto& pair : all_gather(transport, mine))
    if (pair.found && (!first || pair.place() < first->place())) first = pair;
  if (!first) return std::nullopt;
  return first->ids;
}

}  // namespace pleiad::ranks
