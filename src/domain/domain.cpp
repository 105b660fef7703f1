#include "domain/domain.hpp"

#include "tree/cpu/pass.hpp"
#include "tree/scales.hpp"

#include <limits>
#include <utility>

namespace pleiad::domain {

bool Domain::evaluate(const TreeSettings& settings, std::uint64_t together, bool coarse_top) {
  work_ = {}, counted_ = comm_.traffic();
  const double start = tree::seconds();
  const bool finite = exchange_.exchange_particles(std::uint32_t(settings.leaf_size), together);
  work_.tree.build = tree::seconds() - start;
  if (!finite) return false;
  work_.migrated = exchange_.migrated();
  count_in(work_.routed);

  cells_.find_moments();
  let_.gather_top_tree(coarse_top ? tree::feel_the_same(std::uint32_t(part().all()))
                                  : std::numeric_limits<std::uint32_t>::max());
  count_in(work_.shared);
  if (settings.mac == Mac::error) {
    cells_.find_accelerations();
    let_.share_accelerations();
  }
  let_.fetch_cells();
  let_.fetch_bodies();
  work_.cells_fetched = let_.cells_fetched, work_.bodies_fetched = let_.bodies_fetched;
  work_.rounds = let_.rounds;
  cells_.find_forces();
  count_in(work_.fetched);
  cells_.return_forces(exchange_.lists());
  count_in(work_.routed);
  return true;
}

/// Counts the messages since the last call.
void Domain::count_in(ranks::Traffic& part) {
  const auto before = std::exchange(counted_, comm_.traffic());
  part.bytes += counted_.bytes - before.bytes, part.messages += counted_.messages - before.messages;
  part.seconds += counted_.seconds - before.seconds;
}

}  // namespace pleiad::domain
