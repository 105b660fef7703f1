/// A kernel, a number of bodies, a precision, a number of threads: one row of a table, or the reason why
/// there is none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/force_problem.hpp"
#include "bench/peak.hpp"
#include "bench/timing.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/ensemble_steps.hpp>
#include <pleiad/kernel/steps.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::bench {

/// How much faster than its limit a kernel may seem: the clock of a core can drift by some per cent between a
/// measurement and its peak.
inline constexpr double clock_tolerance = 1.10;

/// Floating-point operations counted per interaction, by convention: 20 in single and mixed precision, 30 in
/// double.
constexpr double flops_per_interaction(Precision p) { return p == Precision::f64 ? 30 : 20; }

/// Where the bodies of a row are: the sphere in open space, or what a kernel for the plane is for.
enum class Space { open, plane, periodic_plane };
/// "plane", "periodic plane"; "" for open space.
std::string_view name_of(Space space);

struct Case {
  const DirectKernel* kernel = nullptr;
  Precision precision = Precision::mixed;
  int threads = 1;
  LaunchShape shape{};
  /// When full steps are measured that a kernel of their own makes, of one system or of many: that one;
  /// `shape` is its shape.
  const StepKernel* steps = nullptr;
  const EnsembleKernel* ensemble = nullptr;
  Space space = Space::open;

  std::string_view name() const;
  Device device() const;
};
/// What an engine, or an ensemble, runs.
Case case_of(const EngineDescription& engine, Precision precision);
/// "cuda/tile f32 at N = 4096 on the GPU", for messages.
std::string name_of(const Case& what, std::size_t n);

/// On Problems::disc, whose bodies are in no order: the errors, and the seconds of an evaluation.
struct OnDisc {
  ForceError error;
  double seconds = 0;
};

/// A figure that passed every guard. An evaluation of n bodies counts as n^2 interactions.
struct Row {
  Case what;
  std::size_t n = 0;
  Masses masses = Masses::equal;
  Timing timing;     ///< of one evaluation
  double limit = 0;  ///< interactions per second at which the multiply-add ports would never wait
  ForceError error;
  std::optional<GpuFill> fill;
  std::optional<OnDisc> disc;  ///< of mixed precision
  double interactions_per_second() const { return double(n) * double(n) / timing.median; }
  double evaluations_per_second() const { return 1 / timing.median; }
  double fraction_of_limit() const { return interactions_per_second() / limit; }
  double gflops() const { return 1e-9 * flops_per_interaction(what.precision) * interactions_per_second(); }
};

/// The limit of a kernel's formulation: the measured peak over the multiply-add operations (on a GPU: the
/// instruction slots) that it declares per interaction. Without a meter: peak_fma or gpu_peak. UsageError
/// when it declares none: its figures could not be judged.
double formulation_limit(const Case& what, const PeakMeter& peak, int trials);

/// Measures a case. NumericalError, and no figure, when an evaluation leaves outputs unwritten or not finite,
/// when errors are above what rounding explains, or when the rate is above clock_tolerance times the limit of
/// the formulation.
Row measure(const Case& what, ForceProblem& problem, const TimingRules& rules, const PeakMeter& peak = {});

/// The same of the disc, with fewer guards: the shortest of a few evaluations.
OnDisc measure_disc(const Case& what, ForceProblem& disc, const TimingRules& rules);

/// The first two guards of measure alone, on the outputs of the last evaluation: all written, finite, and
/// within rounding of the reference.
ForceError sound_forces(const Case& what, ForceProblem& problem);

/// The last of these guards alone, for rates measured in another way: returns the limit, or throws.
double possible_limit(const Case& what, std::size_t n, double interactions_per_second,
                      const PeakMeter& peak = {});

}  // namespace pleiad::bench
