/// One row: warm up, mark the outputs, time, check. If a rate is too high, the peak is measured again first.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr int few_trials = 12, many_trials = 500;

/// Of cuda/periodic-2d in single precision in a periodic box: its file counts them.
constexpr double periodic_plane_slots = 22;

double operations(const Case& what) {
  if (what.space == Space::periodic_plane && what.precision == Precision::f32) return periodic_plane_slots;
  const auto& cost = what.ensemble != nullptr ? what.ensemble->fma_port_operations
                     : what.steps != nullptr  ? what.steps->fma_port_operations
                                              : what.kernel->fma_port_operations;
  switch (what.precision) {
    case Precision::f32:
      return cost.f32;
    case Precision::f64:
      return cost.f64;
    case Precision::mixed:
      break;
  }
  return cost.mixed;
}

void need_all_written(const Case& what, const ForceProblem& problem) {
  if (const auto fault = problem.unwritten(); !fault.empty())
    throw NumericalError(fmt::format("no figure for {}: it {}", name_of(what, problem.size()), fault));
}

/// Throws when the rate is impossible; when it seems so, the peak is first measured again with patience.
double judged_limit(const Case& what, std::size_t n, double rate, double limit, const PeakMeter& peak) {
  if (rate <= clock_tolerance * limit) return limit;
  limit = std::max(limit, formulation_limit(what, peak, many_trials));
  if (rate <= clock_tolerance * limit) return limit;
  if (!(limit > 0))
    throw NumericalError(
        fmt::format("no figure for {}: its threads never ran together, so the machine's limit is not known",
                    name_of(what, n)));
  throw NumericalError(
      fmt::format("no figure for {}: its rate is {:.3g} times what the {} of this machine allow ({:.4g} G/s)",
                  name_of(what, n), rate / limit,
                  what.device() == Device::cuda ? "instruction slots" : "multiply-add ports", 1e-9 * limit));
}

/// Evaluations that take a sample's time, where one takes so many seconds.
int batch_of(const TimingRules& rules, double once) {
  return int(std::clamp(std::ceil(rules.sample_seconds / std::max(once, 1e-9)), 1.0, 1000.0));
}

}  // namespace

std::string_view name_of(Space space) {
  return space == Space::plane ? "plane" : space == Space::periodic_plane ? "periodic plane" : "";
}

std::string_view Case::name() const {
  return ensemble != nullptr ? ensemble->name : steps != nullptr ? steps->name : kernel->name;
}
Device Case::device() const {
  return ensemble != nullptr || steps != nullptr ? Device::cuda : kernel->device;
}

Case case_of(const EngineDescription& engine, Precision precision) {
  const auto& method = engine.method;
  if (method.tree)
    throw UsageError(fmt::format("'{}' has no rate of pairs to compare; pleiad_tree_gpus measures trees",
                                 engine.kernel()));
  return {.kernel = method.kernel,
          .precision = precision,
          .threads = engine.threads,
          .shape = method.steps != nullptr ? method.step_shape : method.shape,
          .steps = method.steps,
          .ensemble = method.ensemble};
}

std::string name_of(const Case& what, std::size_t n) {
  if (what.device() == Device::cuda)
    return fmt::format("{} {} at N = {} on the GPU", what.name(), name_of(what.precision), n);
  return fmt::format("{} {} at N = {} on {} thread{}", what.name(), name_of(what.precision), n, what.threads,
                     what.threads == 1 ? "" : "s");
}

double formulation_limit(const Case& what, const PeakMeter& peak, int trials) {
  const double each = operations(what);
  if (!(each > 0))
    throw UsageError(
        fmt::format("kernel '{}' declares no multiply-add operations for {}: its rate could not be judged",
                    what.name(), name_of(what.precision)));
  const FmaKind kind{.vector = what.kernel != nullptr && what.kernel->traits.simd,
                     .f64 = what.precision == Precision::f64,
                     .threads = what.threads};
  if (peak) return peak(kind, trials) / each;
  return (what.device() == Device::cuda ? gpu_peak(kind, trials) : peak_fma(kind, trials)) / each;
}

ForceError sound_forces(const Case& what, ForceProblem& problem) {
  need_all_written(what, problem);
  const ForceError error = problem.error();
  if (!(error.excess <= 1))
    throw NumericalError(fmt::format(
        "no figure for {}: its force errors (rms {:.3g}, max {:.3g}) are {:.3g} times what rounding explains",
        name_of(what, problem.size()), error.rms, error.max, error.excess));
  return error;
}

OnDisc measure_disc(const Case& what, ForceProblem& disc, const TimingRules& rules) {
  const Threads threads(what.threads);
  const WithThreads ours(threads);
  disc.poison();
  double seconds = disc.seconds(*what.kernel, what.shape, 1, false);
  const auto error = sound_forces(what, disc);
  for (int k = 0; k < 4; ++k) {
    const int batch = batch_of(rules, seconds);
    seconds = std::min(seconds, disc.seconds(*what.kernel, what.shape, batch, batch == 1) / batch);
  }
  return {error, seconds};
}

double possible_limit(const Case& what, std::size_t n, double rate, const PeakMeter& peak) {
  return judged_limit(what, n, rate, formulation_limit(what, peak, few_trials), peak);
}

Row measure(const Case& what, ForceProblem& problem, const TimingRules& rules, const PeakMeter& peak) {
  const std::size_t n = problem.size();
  const Threads threads(what.threads);
  const WithThreads ours(threads);
  // Warm up: pages, caches, threads, clock. The first evaluations also say how many make a batch.
  double once = 0, warm = 0;
  for (int k = 0; k < 1000 && (k < 2 || warm < rules.sample_seconds); ++k) {
    problem.poison();
    warm += once = problem.seconds(*what.kernel, what.shape, 1, false);
    need_all_written(what, problem);
  }
  const int batch = batch_of(rules, once);

  const double before = formulation_limit(what, peak, few_trials);
  Timing timing = repeat(
      [&] {
        problem.poison();
        const double seconds = problem.seconds(*what.kernel, what.shape, batch, batch == 1);
        need_all_written(what, problem);
        return seconds;
      },
      rules);
  for (double* t : {&timing.median, &timing.low_quartile, &timing.high_quartile}) *t /= batch;
  const double after = formulation_limit(what, peak, few_trials);

  Row row{.what = what,
          .n = n,
          .masses = problem.masses(),
          .timing = timing,
          .error = sound_forces(what, problem),
          .fill = {},
          .disc = {}};
  if (what.device() == Device::cuda) row.fill = problem.fill();
  row.limit = judged_limit(what, n, row.interactions_per_second(), std::max(before, after), peak);
  return row;
}

}  // namespace pleiad::bench
