#include "run/ranks/work.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::run {

RanksWork StepWork::of_all(double elapsed) const {
  auto mine = mine_;
  mine.traffic = comm_.traffic();
  const auto all = ranks::all_gather(comm_, mine);
  RanksWork work{.ranks = all.size()};
  double longest = 0, busiest = 0, busy = 0;
  for (const auto& each : all) {
    work.bytes += each.traffic.bytes, work.messages += each.traffic.messages;
    longest = std::max(longest, each.traffic.seconds);
    if (each.steps > 0) work.steps_in_messages += each.steps_in_messages / each.steps / double(all.size());
    const double computing = each.steps - each.steps_in_messages;
    busiest = std::max(busiest, computing), busy += computing / double(all.size());
  }
  work.longest_in_messages = elapsed > 0 ? longest / elapsed : 0;
  if (busy > 0) work.imbalance = busiest / busy;
  return work;
}

std::string work_note(const RanksWork& w) {
  return fmt::format(
      "{} ranks sent {:.3g} MB in {} messages; the one that waited longest was in messages for {:.0f} % of "
      "the time",
      w.ranks, double(w.bytes) / 1e6, w.messages, 100 * w.longest_in_messages);
}

}  // namespace pleiad::run
