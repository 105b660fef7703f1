/// Rung 4, threads: all threads process the rows of rung 3, a block of targets at a time. Each target has one
/// owner and a fixed order of sources, so the result is the same, bit for bit, for any number of threads.
/// Cost as rung 3.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cpu/direct/rows.hpp"

namespace pleiad {
namespace {
/// Below this many interactions (about 20 microseconds of work) waking another thread costs more than it
/// saves.
constexpr std::size_t worth_a_thread = 160'000;

template <class P>
void run(const PairProblem<P>& p, const LaunchShape&) {
  cpu::refuse_all_images(p.boundary, "cpu/threads");
  const std::size_t n = p.targets.size(), block = cpu::rows_at_once(n);
  const cpu::Scale scale = cpu::scale_of_rows(p);
  const auto one = [&](std::size_t b) { cpu::rows(p, scale, b * block, std::min(block, n - b * block)); };
  const std::size_t blocks = (n + block - 1) / block;
  if (n * p.sources.size() >= worth_a_thread) parallel_for(blocks, one);
  else
    for (std::size_t b = 0; b < blocks; ++b) one(b);
}
}  // namespace

extern constinit const DirectKernel direct_threads{
    .name = "cpu/threads",
    .rung = 4,
    .idea = "all threads process the rows of cpu/simd, a block of targets at a time",
    .traits = {.threaded = true, .simd = true},
    .fma_port_operations = {.f32 = 12, .f64 = 14, .mixed = 12},
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};
}  // namespace pleiad
