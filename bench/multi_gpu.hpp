/// Full steps on several GPUs of one host: rate, speed-up, errors, and a state whose bits must not depend on
/// the number of GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/measure.hpp"
#include "bench/report.hpp"
#include "bench/scan.hpp"
#include "cuda/multi_gpu/exchange.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::bench {

/// GPUs that there are: 0 without, or in a build without CUDA.
int gpu_count();
/// Why the GPUs 0 to count - 1 cannot exchange in this way, or "".
std::string why_no_exchange(int count, cuda::Exchange exchange);
/// On the GPUs 0 to choice.gpus - 1, and on GPU 0 alone by the engine for one; without `exchange` by the best
/// way there is.
std::unique_ptr<Engine> make_engine_on_gpus(const Bodies& bodies, const Gravity& gravity,
                                            const Choice& choice, Precision precision,
                                            std::optional<cuda::Exchange> exchange = {});

/// Whatever makes leapfrog steps of bodies, as far as it is measured here.
struct Stepper {
  std::function<void(const Bodies&)> load;
  std::function<void(const StepPlan&, std::uint64_t)> advance;
  std::function<void(Bodies&)> copy_to_host;
  std::function<bool()> finite;
  /// Nothing but the forces of the present state, so many times; empty on the host, where bench::measure
  /// times them.
  std::function<void(std::uint64_t)> evaluate{};
};
/// `engine` must outlive it; the first without `evaluate`.
Stepper host_stepper_of(Engine& engine);
Stepper stepper_of(Engine& engine);
/// Of GPUs that add velocity increments into each other's memory (published/increments.hpp), in single
/// precision by the loop of cuda/unroll-by-hand-whole. ResourceError when they cannot.
Stepper make_increment_stepper(const Gravity& gravity, int gpus);

/// Steps that were measured, and passed every guard.
struct MultiGpuRow {
  Timing step;
  ForceError error;  ///< of the accelerations in the steps themselves
  double rate = 0, limit = 0;
  std::string hash;  ///< of the state after the first steps
  std::uint64_t hashed_steps = 0, batch = 0;
};
/// Leapfrog steps by `stepper`, which runs `what` on that many GPUs. The accelerations come from one step of
/// unit length from rest, by the same way as all others, and outputs that are not written are seen.
/// NumericalError as measure().
MultiGpuRow measure_multi_gpu(const Stepper& stepper, const Case& what, int gpus, const Bodies& bodies,
                              ForceProblem& problem, double budget_seconds, const PeakMeter& peak = {});
/// The time of an evaluation by stepper.evaluate, after measure_multi_gpu has judged its forces and steps.
Timing time_forces(const Stepper& stepper, double budget_seconds);

/// What to measure; an empty list means a default choice.
struct GpusOptions {
  std::vector<std::size_t> sizes;     ///< 256, 1024 ... 1048576
  std::vector<Precision> precisions;  ///< mixed
  std::vector<int> gpus;              ///< 1, 2, 4, as far as there are
  /// Names or texts of choices; auto: what the engine chooses when it may use so many. Empty: auto, and the
  /// best kernels that can be divided.
  std::vector<std::string> kernels;
  double budget_seconds = 0.25;  ///< per row
};
/// A row for each. One whose state has other bits than that of one GPU has no figure, and is listed in
/// `refused`. ResourceError without a GPU.
Report measure_gpus(const GpusOptions& options, const Progress& progress);
/// Its table without rows.
Table table_of_gpus();
/// Rate against N, a curve for each kernel and number of GPUs.
std::optional<Plot> plot_of_gpus(const Table& table);

}  // namespace pleiad::bench
