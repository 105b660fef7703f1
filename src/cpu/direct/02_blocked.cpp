/// Rung 2, blocked: a tile of sources meets a block of targets while both stay in L1, and the inner loop runs
/// over targets, whose sums are independent of each other, so that the compiler may use whatever vectors its
/// baseline has. Cost as rung 1.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/direct/scalar.hpp"

namespace pleiad {
namespace {
constexpr std::size_t block = 64, tile = 256;

template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  const cpu::ScalarPair<P> pair(p);
  for (std::size_t begin = 0; begin < p.targets.size(); begin += block) {
    const std::size_t end = std::min(begin + block, p.targets.size());
    Vec4<double> sums[block];
    for (std::size_t first = 0; first < p.sources.size(); first += tile)
      for (std::size_t j = first; j < std::min(first + tile, p.sources.size()); ++j) {
        const auto pull_all = [&](std::size_t from, std::size_t to) {
          for (std::size_t i = from; i < to; ++i) cpu::add(sums[i - begin], pair(p.targets[i], p.sources[j]));
        };
        const std::ptrdiff_t own =
            p.self == p.none ? -1 : std::ptrdiff_t(j) - p.self;  // the target that is this source
        if (own < std::ptrdiff_t(begin) || own >= std::ptrdiff_t(end)) pull_all(begin, end);
        else pull_all(begin, std::size_t(own)), pull_all(std::size_t(own) + 1, end);
      }
    for (std::size_t i = begin; i < end; ++i) p.sums[i] = pair.unscaled(sums[i - begin]);
  }
}
}  // namespace

extern constinit const DirectKernel direct_blocked{
    .name = "cpu/blocked",
    .rung = 2,
    .idea = "tiles of sources meet blocks of targets in L1; the inner loop runs over targets",
    .fma_port_operations = {.f32 = 12, .f64 = 12, .mixed = 12},
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};
}  // namespace pleiad
