/// Micro-benchmarks of the pieces: peak multiply-adds, each rung at one size, a leapfrog step, sums, random
/// numbers, hashes. For a figure that may be published use `pleiad bench`: it checks what it times.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/force_problem.hpp"
#include "bench/peak.hpp"
#include "core/threads.hpp"
#include "cpu/update.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace pleiad::bench {
namespace {

const Gravity gravity{.G = 1, .softening = {.eps = 0.05}, .boundary = {}, .dimension = 3};

Bodies plummer(std::int64_t n) {
  const std::string settings[] = {fmt::format("n={}", n)};
  return make_model("plummer", settings, 1).bodies;
}

void peak(benchmark::State& state, FmaKind kind) {
  double best = 0;
  for (auto _ : state) best = std::max(best, peak_fma(kind, 1));
  state.counters["fma/s"] = best;
}

void rung(benchmark::State& state, const DirectKernel* kernel, Precision precision) {
  const auto n = state.range(0);
  set_threads(0);
  const auto problem = make_force_problem(plummer(n), gravity.softening, precision);
  problem->poison();
  for (auto _ : state) problem->evaluate(*kernel, {});
  if (const auto fault = problem->unwritten(); !fault.empty()) state.SkipWithError(fault.c_str());
  state.counters["interactions/s"] =
      benchmark::Counter(double(n) * double(n), benchmark::Counter::kIsIterationInvariantRate);
}

void leapfrog_step(benchmark::State& state, Precision precision) {
  const auto engine =
      make_engine(plummer(state.range(0)), gravity, {.precision = precision, .backend = "cpu", .threads = 1});
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1e-4, .damping = 1};
  for (auto _ : state) engine->advance(plan, 1);
}

/// The update of the state in a leapfrog step: two kicks and a drift in one pass.
template <class T>
void kicks_and_drift(benchmark::State& state) {
  const auto n = std::size_t(state.range(0));
  std::vector<Mass<T>> x(n);
  std::vector<Vec4<T>> v(n), sums(n, Vec4<T>{1, 2, 3, 0});
  for (auto _ : state) {
    cpu::kick2_drift<T>(x, v, sums, T(1e-6), T(1e-6), T(1e-6));
    benchmark::DoNotOptimize(x.data());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0) * std::int64_t(5 * sizeof(Vec4<T>)));
}

void hash_of_state(benchmark::State& state) {
  const auto bodies = plummer(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(state_hash(bodies));
  state.SetBytesProcessed(state.iterations() * state.range(0) * 8 * 8);
}

void sum_of_blocks(benchmark::State& state) {
  const auto bodies = plummer(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(centre_of_mass(bodies));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void uniform_numbers(benchmark::State& state) {
  Random random(1, 2);
  for (auto _ : state) benchmark::DoNotOptimize(random.uniform());
}

void model_plummer_bodies(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(plummer(state.range(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(peak, vector_f32, FmaKind{.vector = true, .f64 = false, .threads = 1});
BENCHMARK_CAPTURE(peak, vector_f64, FmaKind{.vector = true, .f64 = true, .threads = 1});
BENCHMARK_CAPTURE(peak, scalar_f32, FmaKind{.vector = false, .f64 = false, .threads = 1});
BENCHMARK_CAPTURE(peak, scalar_f64, FmaKind{.vector = false, .f64 = true, .threads = 1});
BENCHMARK_CAPTURE(leapfrog_step, f32, Precision::f32)->Arg(64)->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(leapfrog_step, mixed, Precision::mixed)->Arg(64)->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(leapfrog_step, f64, Precision::f64)->Arg(64)->Arg(256)->Arg(1024);
BENCHMARK(kicks_and_drift<float>)->Arg(256)->Arg(1 << 16);
BENCHMARK(kicks_and_drift<double>)->Arg(256)->Arg(1 << 16);
BENCHMARK(hash_of_state)->Arg(1 << 16);
BENCHMARK(sum_of_blocks)->Arg(1 << 16);
BENCHMARK(uniform_numbers);
BENCHMARK(model_plummer_bodies)->Arg(1 << 12);

/// The catalogue is read when the program starts, so a new rung needs no line here.
[[maybe_unused]] const bool rungs_registered = [] {
  for (const auto* kernel : direct_kernels())
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
      if (kernel->device == Device::cpu && kernel->traits.open && kernel->has(precision))
        benchmark::RegisterBenchmark(fmt::format("rung/{}/{}", kernel->name, name_of(precision)).c_str(),
                                     rung, kernel, precision)
            ->Arg(256)
            ->Arg(2048)
            ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace pleiad::bench
