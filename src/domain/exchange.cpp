#include "domain/exchange.hpp"

#include "domain/blocks.hpp"
#include "ranks/send_buffer.hpp"
#include "tree/scales.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace pleiad::domain {

bool DomainExchange::exchange_particles(std::uint32_t leaf_size, std::uint64_t together) {
  const auto ranks = std::uint64_t(comm_.ranks());
  const auto me = std::size_t(comm_.rank());
  const auto all = ranks::sum(comm_, particles_.given().bodies);
  if (all > std::numeric_limits<std::uint32_t>::max())
    throw UsageError("trees have at most 4294967295 bodies; these are " + std::to_string(all));
  if (!particles_.find_keys(all)) return false;

  constexpr std::uint64_t parts_of_a_part = 64;  // resolution of the cuts
  const auto most = std::max(
      {together, std::uint64_t{tree::feel_the_same(std::uint32_t(all))}, all / (parts_of_a_part * ranks)});
  const auto below = [this](std::span<const std::uint64_t> bounds) { return particles_.count_below(bounds); };
  part_.rank = comm_.rank();
  part_.cuts = find_cuts(comm_, particles_.given(), below, most, part_.cuts.octants);

  lists_ = {};
  for (const auto& count : particles_.count_below(part_.cuts.keys)) lists_.sent.push_back(count.bodies);
  // Each rank reports to all others how many elements it sends.
  const auto of_all = ranks::all_gather<std::size_t>(comm_, lists_.sent);
  lists_.came.push_back(0);
  for (int r = 0; r < comm_.ranks(); ++r)
    lists_.came.push_back(lists_.came.back() + of_all.of(r)[me + 1] - of_all.of(r)[me]);
  particles_.migrate(part_, lists_);
  part_.firsts = firsts(comm_, lists_.came.back());
  find_levels_near_dense(leaf_size);
  particles_.divide(part_);
  return true;
}

SendLists SendLists::times(std::size_t bytes) const {
  auto in_bytes = *this;
  for (auto* begins : {&in_bytes.sent, &in_bytes.came})
    for (auto& begin : *begins) begin *= bytes;
  return in_bytes;
}

std::uint64_t DomainExchange::migrated() const {
  const auto me = std::size_t(part_.rank);
  return lists_.sent.back() - (lists_.sent[me + 1] - lists_.sent[me]);
}

/// As tree::levels_near_dense, whose keys are all in one memory.
void DomainExchange::find_levels_near_dense(std::uint32_t leaf_size) {
  using Samples = Particles::Samples;
  const auto dense = std::uint32_t(tree::dense_count(leaf_size));
  const auto samples = ranks::all_gather(
      comm_, particles_.sample_keys(before_first_block(part_.first(), lists_.came.back(), dense), dense));
  const auto here = samples.begin() + part_.rank;
  std::vector<tree::NearDense> elsewhere;
  if (here->count > 0) {
    const auto some = [](const Samples& s) { return s.count > 0; };
    const auto last = std::find_if(std::make_reverse_iterator(here), samples.rend(), some);
    const auto next = std::find_if(here + 1, samples.end(), some);
    elsewhere =
        particles_.mark_near_dense(part_, last == samples.rend() ? std::nullopt : std::optional(last->last),
                                   next == samples.end() ? std::nullopt : std::optional(next->first));
  }
  // Octants of several ranks are divided anyway. Some are there more than once, which costs less than to find
  // them.
  const auto owner_of = [&](const tree::NearDense& o) {
    const int first = part_.cuts.owner_of(o.first_key),
              last = part_.cuts.owner_of(o.first_key + tree::KeyRange::width(int(o.level)) - 1);
    return first == last ? std::optional(first) : std::nullopt;
  };
  const auto sent = ranks::grouped<tree::NearDense>(comm_.ranks(), elsewhere, owner_of);
  particles_.raise_levels(ranks::all_to_all<tree::NearDense>(comm_, sent.elements, sent.begins).data);
}

}  // namespace pleiad::domain
