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

/// automatic: what the cache says, else on a GPU measure once, and without one what the table says. force:
/// measure, whatever the cache says.
enum class Tuning { off, automatic, force };
/// "auto", "off", "force"; UsageError with the nearest.
Tuning tuning_named(std::string_view name);

/// What the tuner works with; the defaults are this program's.
struct TuningContext {
  std::filesystem::path cache{};  ///< empty: nothing is kept
  Effort effort{};
  /// Steps of the run that this is for, which bound what measuring may take (seconds_for); 0: it is unknown
  /// how many, unset: nothing bounds it but `effort`.
  std::optional<double> steps{};
  bool measures = true;  ///< false: only looks into the cache
  Progress progress{};
  std::function<void(const std::string&)> begins{};  ///< told before seconds of measuring
  std::function<void(const std::string&)> note{};    ///< told what the user should know
  MakeEngine make = make_engine;
  Catalogue catalogue = pleiad::catalogue();
  int (*count_gpus)() = device_count;
};

/// Seconds that tuning may take for a run of so many steps of n bodies, 0: unknown: 60 steps, or a twentieth
/// of all, whatever is longer, and a second at most; 0 where that is too short to try more than a few. From
/// what a step takes on any GPU, not on this, so that it never depends on luck whether a run is tuned.
double seconds_for(std::size_t n, double steps);

/// Engine options with the kernel and the number of GPUs resolved. They stay as they are when the kernel was
/// named, when nothing is to be tuned, or when the cache could not keep what would be found: then the next
/// run would find something else, and its bits would differ.
EngineOptions resolved(EngineOptions options, const Bodies& bodies, const Gravity& gravity, Tuning tuning,
                       const TuningContext& tuning_context);

/// The case of a run: its device is the one that make_engine would take.
Case case_of(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
             const TuningContext& tuning_context);

Case on_one_gpu(Case what);

/// All candidates of a case, the fastest first, and the winner put into the cache, in place of what is there
/// or not. On several GPUs: the winner on one, as the cache has it or measured first, on more of them.
struct Tuned {
  Entry entry;
  ForceMethod method{};  ///< that of the entry
  std::vector<Measurement> table;
};
Tuned tune(const Case& what, const EngineOptions& options, const TuningContext& tuning_context, bool replace);

}  // namespace pleiad::tune
