/// Rung 1, scalar: two plain loops over the pair formula, with one thread and no vector unit. It is the
/// baseline of all speed-ups. Cost per interaction: 3 multiplications for d^2, square root and division, 6
/// operations for the pull, 1 for the potential = 12 scalar operations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/direct/scalar.hpp"

namespace pleiad {
namespace {
template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  cpu::refuse_all_images(p.boundary, "cpu/scalar");
  const cpu::ScalarPair<P> pair(p);
  for (std::size_t i = 0; i < p.targets.size(); ++i) {
    const std::size_t own = p.self == p.none ? p.sources.size() : i + std::size_t(p.self);
    Vec4<double> sum;
    for (std::size_t first = 0; first < p.sources.size(); first += cpu::tile) {
      Vec4<typename P::Math> part;
      for (std::size_t j = first; j < std::min(first + cpu::tile, p.sources.size()); ++j)
        if (j != own) cpu::add(part, pair(p.targets[i], p.sources[j]));
      cpu::add(sum, part);
    }
    p.sums[i] = pair.unscaled(sum);
  }
}
}  // namespace

extern constinit const DirectKernel direct_scalar{
    .name = "cpu/scalar",
    .rung = 1,
    .idea = "two plain loops over the pair formula, one thread, no vector unit",
    .fma_port_operations = {.f32 = 12, .f64 = 12, .mixed = 12},
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};
}  // namespace pleiad
