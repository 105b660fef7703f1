#include "engine/ranks_pairs.hpp"

#include "core/threads.hpp"
#include "cpu/direct/tournament.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

/// The owner of each block.
std::vector<int> owners_of(const ranks::Division& division, std::size_t block, std::size_t blocks) {
  std::vector<int> owners(blocks);
  int rank = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    while (k * block >= division.first(rank + 1)) ++rank;
    owners[k] = rank;
  }
  return owners;
}

/// Divides some matches among ranks: an owner of one of the two blocks computes a match, as long as it has
/// not more than its share, and the rank with the fewest does otherwise.
void divide(std::vector<Match>& matches, std::span<const int> owners, int ranks) {
  std::vector<std::size_t> load(static_cast<std::size_t>(ranks), 0);
  const std::size_t share = (matches.size() + load.size() - 1) / load.size();
  const auto give = [&](Match& m, int to) { m.by = to, ++load[static_cast<std::size_t>(to)]; };
  const auto load_of = [&](int rank) { return load[static_cast<std::size_t>(rank)]; };
  // Matches within a rank come first: they need no messages.
  for (const bool within : {true, false})
    for (auto& m : matches) {
      const int one = owners[m.a], other = owners[m.b];
      if ((one == other) != within) continue;
      const int owner = load_of(one) <= load_of(other) ? one : other;
      if (load_of(owner) < share) give(m, owner);
      else give(m, static_cast<int>(std::ranges::min_element(load) - load.begin()));
    }
}

}  // namespace

template <class P>
std::size_t RankPairs<P>::bytes() const {
  return memory_.bytes() + bodies_.capacity() * sizeof(Mass<T>) +
         sums_.capacity() * sizeof(Vec4<typename P::Sum>) + (kept_.capacity() + sent_.capacity()) * sizeof(M);
}

template <class P>
bool RankPairs<P>::evaluate(const PairProblem<P>& own) {
  auto& comm = all_.comm();
  bodies_ = ranks::all_gather<Mass<T>>(comm, own.sources).data;
  if (bodies_.empty()) return true;
  sums_.resize(bodies_.size());
  PairProblem<P> p = own;
  p.sources = p.targets = bodies_, p.sums = sums_, p.self = 0;
  if (!cpu::by_pairs(p)) return false;
  const cpu::SymmetricEvaluation<P> evaluation(p, memory_);
  owners_ = owners_of(all_.division(), evaluation.block(), evaluation.blocks());
  // The results of a batch fit some 20 MB on each rank.
  const std::size_t most = 1024 * static_cast<std::size_t>(comm.ranks());
  std::vector<Match> batch;
  cpu::for_each_match(evaluation.blocks(), [&](std::size_t a, std::size_t b) {
    batch.push_back({a, b, 0});
    if (batch.size() == most) play(evaluation, batch), batch.clear();
  });
  play(evaluation, batch);
  const std::size_t first = all_.first(), last = first + own.targets.size();
  evaluation.finish(first, last);
  std::ranges::copy(std::span(sums_).subspan(first, last - first), own.sums.begin());
  return true;
}

/// Computes the matches of a batch, sends the results to the owners of the blocks, and adds them in the
/// order of turns.
template <class P>
void RankPairs<P>::play(const cpu::SymmetricEvaluation<P>& evaluation, std::vector<Match>& batch) {
  if (batch.empty()) return;
  auto& comm = all_.comm();
  const int me = comm.rank(), ranks = comm.ranks();
  divide(batch, owners_, ranks);
  const std::size_t each = evaluation.block() * static_cast<std::size_t>(evaluation.components());

  // Results for own blocks are kept; those for others are sent, in the order of the receiving ranks.
  std::vector<std::size_t> begins(static_cast<std::size_t>(ranks) + 1, 0);
  std::size_t kept = 0;
  const auto sides = [&](const Match& m, const auto& use) { use(owners_[m.a]), use(owners_[m.b]); };
  for (const auto& m : batch)
    if (m.by == me)
      sides(m, [&](int owner) {
        if (owner == me) kept += each;
        else begins[static_cast<std::size_t>(owner) + 1] += each;
      });
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks); ++r) begins[r + 1] += begins[r];
  kept_.resize(kept), sent_.resize(begins.back());
  struct Task {
    const Match* match;
    M *to_a, *to_b;
  };
  std::vector<Task> tasks;
  auto next = begins;
  M* here = kept_.data();
  const auto room_for = [&](int owner) {
    if (owner == me) return std::exchange(here, here + each);
    return sent_.data() +
           std::exchange(next[static_cast<std::size_t>(owner)], next[static_cast<std::size_t>(owner)] + each);
  };
  for (const auto& m : batch)
    if (m.by == me) {
      M* const to_a = room_for(owners_[m.a]);
      tasks.push_back({&m, to_a, room_for(owners_[m.b])});
    }

  const std::size_t block = evaluation.block(), components = each / block;
  parallel_for(tasks.size(), [&](std::size_t k) {
    thread_local cpu::Sums<M> to_a, to_b;
    const auto& t = tasks[k];
    evaluation.meet(t.match->a, t.match->b, to_a, to_b);
    for (std::size_t c = 0; c < components; ++c) {
      std::copy_n(to_a.of[c], block, t.to_a + c * block);
      std::copy_n(to_b.of[c], block, t.to_b + c * block);
    }
  });
  const auto received = ranks::all_to_all<M>(comm, sent_, begins);
  add(evaluation, batch, received, each);
}

/// Adds the results for own blocks: those of a block in the order of its matches, a match with itself
/// twice.
template <class P>
void RankPairs<P>::add(const cpu::SymmetricEvaluation<P>& evaluation, const std::vector<Match>& batch,
                       const ranks::Received<M>& received, std::size_t each) {
  const int me = all_.comm().rank();
  std::vector<std::vector<const M*>> results(evaluation.blocks());
  std::vector<const M*> next;
  for (int r = 0; r < all_.comm().ranks(); ++r)
    next.push_back(r == me ? kept_.data() : received.of(r).data());
  for (const auto& m : batch)
    for (const auto block : {m.a, m.b})
      if (owners_[block] == me) {
        auto& from = next[static_cast<std::size_t>(m.by)];
        results[block].push_back(from);
        from += each;
      }
  const std::size_t block = evaluation.block(), components = each / block;
  parallel_for(results.size(), [&](std::size_t k) {
    thread_local cpu::Sums<M> sums;
    for (const M* from : results[k]) {
      for (std::size_t c = 0; c < components; ++c) std::copy_n(from + c * block, block, sums.of[c]);
      evaluation.add(k, sums);
    }
  });
}

template class RankPairs<F32>;
template class RankPairs<F64>;
template class RankPairs<Mixed>;

}  // namespace pleiad
