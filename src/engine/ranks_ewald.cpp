#include "engine/ranks_ewald.hpp"

#include "core/threads.hpp"
#include "cpu/direct/ewald_parts.hpp"

#include <algorithm>
#include <array>

namespace pleiad {
namespace {

using cpu::ewald_rows;

/// Amplitudes of the waves, summed over the sources of all ranks. A piece is summed by the rank that has its
/// first source: the others send their part of it.
template <class P>
std::vector<double> collective_waves(const ranks::Collective& all, const cpu::EwaldParts<P>& parts,
                                     std::span<const Mass<typename P::Position>> own) {
  using S = Mass<typename P::Position>;
  const auto& division = all.division();
  const std::size_t piece = cpu::EwaldParts<P>::piece(all.bodies(own.size())), first = all.first();
  std::vector<std::size_t> begins;
  for (int r = 0; r <= division.ranks; ++r) {
    const std::size_t whole = (division.first(r) + piece - 1) / piece * piece;
    begins.push_back(std::clamp(whole, first, first + own.size()) - first);
  }
  begins.front() = 0, begins.back() = own.size();
  auto& comm = all.comm();
  const auto sources = ranks::all_to_all<S>(comm, own, begins).data;
  return ranks::all_gather<double>(comm, parts.waves_of(sources, piece)).data;
}

}  // namespace

template <class P>
void collective_ewald(const ranks::Collective& all, SourceBlocks<Mass<typename P::Position>>& blocks,
                      const PairProblem<P>& p, std::span<const Mass<typename P::Position>> own,
                      std::span<const std::size_t> begins) {
  using T = typename P::Position;
  const auto bounds = collective_bounds(all.comm(), own);
  const std::array corners{bounds.low, bounds.high};
  const auto scale = cpu::scale_of(PairProblem<P>{
      .targets = corners, .sources = corners, .sums = {}, .softening = p.softening, .boundary = p.boundary});
  cpu::EwaldParts<P> parts(p, scale);
  parts.set_waves(collective_waves<P>(all, parts, own));
  std::vector<double> totals(begins.size() * cpu::EwaldParts<P>::group_sums);
  const auto each = [&](const auto& work) {
    parallel_for(begins.size(), [&](std::size_t g) {
      work(begins[g], std::min(ewald_rows, p.targets.size() - begins[g]),
           &totals[g * cpu::EwaldParts<P>::group_sums]);
    });
  };
  blocks.each(own, [&](std::size_t first, std::span<const Mass<T>> block) {
    auto part = p;
    part.sources = block;
    // Blocks and ranks begin at multiples of a block: the difference is never the value of `none`.
    if (p.self != p.none) part.self = p.self - std::ptrdiff_t(first);
    each([&](std::size_t begin, std::size_t count, double* sums) {
      parts.add_pairs(part, begin, count, sums);
    });
  });
  each([&](std::size_t begin, std::size_t count, double* sums) { parts.finish(p, begin, count, sums); });
}
template void collective_ewald(const ranks::Collective&, SourceBlocks<Mass<float>>&, const PairProblem<F32>&,
                               std::span<const Mass<float>>, std::span<const std::size_t>);
template void collective_ewald(const ranks::Collective&, SourceBlocks<Mass<double>>&, const PairProblem<F64>&,
                               std::span<const Mass<double>>, std::span<const std::size_t>);
template void collective_ewald(const ranks::Collective&, SourceBlocks<Mass<double>>&,
                               const PairProblem<Mixed>&, std::span<const Mass<double>>,
                               std::span<const std::size_t>);

}  // namespace pleiad
