#include "run/ranks/sharing.hpp"

#include "core/part.hpp"
#include "ranks/agree.hpp"

namespace pleiad::run {

Bodies part_of(const Bodies& all, const ranks::Division& division, int rank) {
  Bodies part;
  append_part(part, all, division.first(rank), division.count(rank));
  return part;
}

BodyRange RankSharing::part_of(std::size_t n) {
  division_ = {n, comm_.ranks()};
  return {division_.first(comm_.rank()), division_.count(comm_.rank())};
}

std::vector<Moments> RankSharing::all(std::vector<Moments> own) {
  ranks::agree(comm_, [] {});  // some rank may have no room for its bodies
  return ranks::all_gather<Moments>(comm_, own).data;
}

}  // namespace pleiad::run
