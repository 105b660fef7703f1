/// Rung 2, blocked: a tile of sources is applied to a block of targets while both are in L1. Targets are
/// stored component by component. The inner loop runs over them and their sums are independent, so the
/// compiler can use its baseline vectors: 4 floats or 2 doubles on x86-64 and Arm. Cost: the 12 operations of
/// rung 1, divided by this number.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/direct/scalar.hpp"

namespace pleiad {
namespace {
constexpr std::size_t block = 64;

/// Positions of the targets of a block, and the contributions of a tile to their sums.
template <class P>
struct Block {
  typename P::Position x[block], y[block], z[block];
  typename P::Math sum[4][block];
};

template <bool plain, class P>
void pull_all(cpu::ScalarPair<P> pair, Block<P>& b, std::size_t from, std::size_t to,
              Mass<typename P::Position> source) {
  for (std::size_t i = from; i < to; ++i) {
    const auto f = pair.template of<plain>({b.x[i], b.y[i], b.z[i]}, source);
    b.sum[0][i] += f.x;
    b.sum[1][i] += f.y;
    b.sum[2][i] += f.z;
    b.sum[3][i] += f.w;
  }
}

template <bool plain, class P>
void run_all(const PairProblem<P>& p) {
  const cpu::ScalarPair<P> pair(p);
  for (std::size_t begin = 0; begin < p.targets.size(); begin += block) {
    const std::size_t count = std::min(block, p.targets.size() - begin);
    Block<P> b{};
    Vec4<double> sums[block];
    for (std::size_t i = 0; i < count; ++i) {
      const auto t = p.targets[begin + i];
      b.x[i] = t.x, b.y[i] = t.y, b.z[i] = t.z;
    }
    for (std::size_t first = 0; first < p.sources.size(); first += cpu::tile) {
      for (auto& component : b.sum) std::fill_n(component, block, 0);
      for (std::size_t j = first; j < std::min(first + cpu::tile, p.sources.size()); ++j) {
        // The target that is this source, if one is: it is left out.
        const std::ptrdiff_t own = p.self == p.none ? -1 : std::ptrdiff_t(j) - p.self - std::ptrdiff_t(begin);
        if (own < 0 || own >= std::ptrdiff_t(count)) pull_all<plain>(pair, b, 0, count, p.sources[j]);
        else {
          pull_all<plain>(pair, b, 0, std::size_t(own), p.sources[j]);
          pull_all<plain>(pair, b, std::size_t(own) + 1, count, p.sources[j]);
        }
      }
      for (std::size_t i = 0; i < count; ++i)
        cpu::add(sums[i], Vec4<typename P::Math>{b.sum[0][i], b.sum[1][i], b.sum[2][i], b.sum[3][i]});
    }
    for (std::size_t i = 0; i < count; ++i) p.sums[begin + i] = pair.unscaled(sums[i]);
  }
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  cpu::refuse_all_images(p.boundary, "cpu/blocked");
  // Branches for images and coincident pairs would keep the compiler from vectorising.
  if (p.boundary.periodic || cpu::is_careful(p, cpu::scale_of(p))) run_all<false>(p);
  else run_all<true>(p);
}
}  // namespace

extern constinit const DirectKernel direct_blocked{
    .name = "cpu/blocked",
    .rung = 2,
    .idea = "tiles of sources meet blocks of targets in L1; the inner loop runs over targets",
    .fma_port_operations = {.f32 = 3, .f64 = 6, .mixed = 3},
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};
}  // namespace pleiad
