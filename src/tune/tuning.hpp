/// Selection of the kernel of a run: the requested one, or for auto the fastest, from the cache or by
/// measurement.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/device.hpp"
#include "tune/cache.hpp"
#include "tune/tuner.hpp"

#include <pleiad/engine.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::tune {

/// automatic: uses the cache, else measures once on a GPU, and uses the table on a CPU. force: measures
/// without reading the cache.
enum class Tuning { off, automatic, force };
/// "auto", "off", "force"; UsageError with the nearest.
Tuning tuning_named(std::string_view name);

/// Resources of the tuner; the defaults are those of this program.
struct TuningContext {
  std::filesystem::path cache{};  ///< empty: nothing is kept
  Effort effort{};
  /// Steps of the run that this is for, which bound the time of measurements (seconds_for); 0: their number
  /// is unknown; unset: only `effort` bounds it.
  std::optional<double> steps{};
  bool measures = true;  ///< false: only looks into the cache
  Progress progress{};
  std::function<void(const std::string&)> begins{};  ///< called before seconds of measurements
  std::function<void(const std::string&)> note{};    ///< called with notes for the user
  MakeEngine make = make_engine;
  Catalogue catalogue = pleiad::catalogue();
  int (*count_gpus)() = device_count;
};

/// Seconds that tuning may take for a run of `steps` steps of n bodies, 0: unknown: 60 steps, or a twentieth
/// of all, whatever is longer, and a second at most; 0 if that is too short to try more than a few. The time
/// of a step is that on any GPU, not on this one, so that it never depends on chance whether a run is tuned.
double seconds_for(std::size_t n, double steps);

/// Engine options with the kernel and the number of GPUs resolved. They stay as they are when the kernel was
/// named, when nothing is to be tuned, or when the cache could not store the result: the next run would then
/// select something else, and its result would differ.
EngineOptions resolved(EngineOptions options, const Bodies& bodies, const Gravity& gravity, Tuning tuning,
                       const TuningContext& tuning_context);

/// The case of a run: its device is the one that make_engine would take.
Case case_of(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
             const TuningContext& tuning_context);

Case on_one_gpu(Case what);

/// All candidates of a case, the fastest first; the winner is written to the cache, in place of an earlier
/// entry or not. On several GPUs: the winner on one GPU, from the cache or measured first, on more of them.
struct Tuned {
  Entry entry;
  ForceMethod method{};  ///< that of the entry
  std::vector<Measurement> table;
};
Tuned tune(const Case& what, const EngineOptions& options, const TuningContext& tuning_context, bool replace);

}  // namespace pleiad::tune
