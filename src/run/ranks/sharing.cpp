#include "run/ranks/sharing.hpp"

#include "ranks/agree.hpp"

namespace pleiad::run {

Bodies part_of(const Bodies& all, const ranks::Division& division, int rank) {
  const auto first = division.first(rank);
  Bodies part;
  const auto take = [&](auto& to, const auto& from) {
    const auto begin = from.begin() + std::ptrdiff_t(first);
    to.assign(begin, begin + std::ptrdiff_t(division.count(rank)));
  };
  take(part.x, all.x), take(part.y, all.y), take(part.z, all.z);
  take(part.vx, all.vx), take(part.vy, all.vy), take(part.vz, all.vz);
  take(part.mass, all.mass), take(part.id, all.id), take(part.type, all.type);
  return part;
}

Sharing::Part RankSharing::part_of(std::size_t n) {
  division_ = {n, transport_.ranks()};
  return {division_.first(transport_.rank()), division_.count(transport_.rank())};
}

std::vector<Moments> RankSharing::all(std::vector<Moments> own) {
  ranks::agree(transport_, [] {});  // some rank may have no room for its bodies
  return ranks::all_gather<Moments>(transport_, own).data;
}

}  // namespace pleiad::run
