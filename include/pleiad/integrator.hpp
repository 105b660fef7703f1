/// Integrators: the properties, requirements and coefficients of each scheme.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace pleiad {

class StepWatch;     // src/integrate/step_watch.hpp
class Stepper;       // src/integrate/stepper.hpp
class SteppedState;  // src/integrate/state.hpp

/// One step of a splitting: kick[0] drift[0] kick[1] drift[1] ... Coefficients are in units of dt; those that
/// are zero are skipped. A kick is v += c dt a(x), a drift x += c dt v. `kick` has as many entries as
/// `drift`, or one more.
struct Splitting {
  std::span<const double> kick, drift;
};

/// What the step of a body follows from, where each has steps of its own. `acceleration`: sqrt(2 eta eps /
/// |a|) with its softening eps. `pairs`: eta times the shortest time in which it and another body would fall
/// together, or change their distance; both bodies of a pair then have its step. `automatic`: pairs without
/// softening, else acceleration.
enum class BlockCriterion : std::uint8_t { automatic, acceleration, pairs };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 3> block_criterion_names{"auto", "acceleration", "pairs"};
/// Returns "auto", "acceleration" or "pairs".
constexpr std::string_view name_of(BlockCriterion criterion) {
  return block_criterion_names[static_cast<std::size_t>(criterion)];
}

/// What becomes of bodies that come close to each other: nothing special, or regularised groups.
enum class CloseGroups : std::uint8_t { off, regularised };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 2> close_groups_names{"off", "regularised"};
/// Returns "off" or "regularised".
constexpr std::string_view name_of(CloseGroups groups) {
  return close_groups_names[static_cast<std::size_t>(groups)];
}

/// Whether the pulls of a body's neighbours and those of all others are summed at steps of their own: never,
/// always, or from the number of bodies on from which that takes less time.
enum class Neighbours : std::uint8_t { off, on, automatic };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 3> neighbours_names{"off", "on", "auto"};
/// Returns "off", "on" or "auto".
constexpr std::string_view name_of(Neighbours neighbours) {
  return neighbours_names[static_cast<std::size_t>(neighbours)];
}

/// Block time steps: the longest one is dt, and each level halves it.
struct BlockSteps {
  int levels = 16;  ///< at most, from 1 to 31: bodies that need a shorter step have that of the last level
  BlockCriterion criterion = BlockCriterion::automatic;
  bool single_step = false;               ///< all bodies have the shortest step that one of them needs
  CloseGroups groups = CloseGroups::off;  ///< of hermite4-block
  double group_radius = 0;  ///< at which a pair of mean mass becomes a group; 0: chosen from the bodies
  bool slow_down = true;    ///< weakly perturbed binaries in groups take fewer, slower orbits
  Neighbours neighbours = Neighbours::off;  ///< of hermite4-block
  /// Whether steps follow from pairs of bodies, for a softening eps.
  constexpr bool by_pairs(double eps) const {
    return criterion == BlockCriterion::pairs || (criterion == BlockCriterion::automatic && !(eps > 0));
  }
  bool operator==(const BlockSteps&) const = default;
};

/// An integrator.
struct Integrator {
  std::string_view name;
  std::string_view idea;  ///< one sentence with the source of the scheme
  int order = 0;
  bool symplectic = true, time_reversible = true;
  int evaluations = 1;  ///< force evaluations per step
  /// Steps the bodies on the host in double precision, with the low parts of positions and velocities
  /// (Bodies::low), by direct sums.
  bool needs_doubles = false;
  bool needs_jerks = false;  ///< needs the time derivatives of the accelerations, too
  bool needs_snaps = false;  ///< and the second ones
  /// Moves the bodies on Kepler orbits about the heaviest one, or regularised as one group, and computes
  /// their pulls itself: for mutual Newtonian gravity in open space, in one process.
  bool on_orbits = false;
  /// Each body has steps of its own, dt 2^-k, by StepPlan::eta and StepPlan::blocks.
  bool in_blocks = false;
  bool takes_damping = false;    ///< allows a factor for the velocities after each kick
  bool takes_corrector = false;  ///< has symplectic correctors: see StepPlan::corrector
  /// True: its adaptive step is eta min sqrt(eps / |a|), which needs a softening. False: the scheme has its
  /// own criterion.
  bool adapts_by_softening = true;
  Splitting splitting{};  ///< empty: the scheme is not a splitting
  /// Makes the stepper of this scheme for the bodies of one engine, which must outlive it. UsageError if the
  /// engine lacks what the scheme needs. Both types are internal: programs use Simulation.
  std::unique_ptr<Stepper> (*make)(SteppedState& state) = nullptr;
};
/// Whether this integrator, if there is one, steps bodies on the host in double precision.
constexpr bool needs_doubles(const Integrator* integrator) {
  return integrator != nullptr && integrator->needs_doubles;
}
/// Whether this integrator, if there is one, has block time steps.
constexpr bool in_blocks(const Integrator* integrator) {
  return integrator != nullptr && integrator->in_blocks;
}
/// Whether a step is a splitting that reads the same backwards.
constexpr bool reads_backwards(const Integrator& integrator) {
  return integrator.time_reversible && !integrator.splitting.drift.empty();
}
/// Returns whether a step ends with a kick. Its last force evaluation is then that of the state after the
/// step.
constexpr bool ends_with_kick(const Integrator& integrator) {
  const auto& [kick, drift] = integrator.splitting;
  return kick.size() > drift.size() && kick.back() != 0;
}

/// Lengths of kicks and drifts, relative to the time that they take. In static space both are 1. In an
/// expanding universe with positions x and momenta a^2 dx/dt they are the means of 1/a and of 1/a^2 over that
/// time (Quinn et al. 1997, arXiv:astro-ph/9710043). Times are those of the simulation; a negative step has
/// to < from.
class StepFactors {
 public:
  virtual ~StepFactors() = default;
  /// Factor of a kick that takes the time from `from` to `to`.
  virtual double kick(double from, double to) const = 0;
  /// Factor of a drift that takes the time from `from` to `to`.
  virtual double drift(double from, double to) const = 0;
  /// Whether equal steps have equal factors at all times. If so, an engine may fuse and replay them.
  virtual bool constant() const { return false; }
};
/// The factors of static space, 1 and 1.
const StepFactors& static_space();

/// Returns the time after `step` fixed steps: start + step dt, or the nearest decimal number of 15 digits if
/// it differs by no more than the rounding error of that sum, so that three steps of 0.3 end at 0.9.
double time_of_step(double start, double dt, std::uint64_t step);

/// Where the first step of a batch stands among fixed steps: `done` steps after the time `start`.
struct StepCount {
  double start = 0;
  std::uint64_t done = 0;
};

/// The units of a lattice of states: positions are whole numbers of a length, velocities of a velocity, both
/// powers of two, and coordinates are at most 2^62 of them. Steps of a splitting that reads the same
/// backwards then lead back, bit for bit.
struct LatticeUnits {
  double length = 0, velocity = 0;  ///< 0: not chosen yet
  bool chosen() const { return length > 0; }
  bool operator==(const LatticeUnits&) const = default;
};

/// Instructions for a batch of equal steps. The engine may fuse, capture and replay the steps of one batch.
struct StepPlan {
  const Integrator* integrator = nullptr;
  double dt = 0;
  double damping = 1;  ///< factor for the velocities after the kick of each step (semi-implicit Euler only)
  double time = 0;     ///< time of the bodies before the first step
  const StepFactors* factors = &static_space();
  /// The times of the steps are then those of their count, however the steps are divided into batches; else
  /// they are time + k dt. Forces that depend on time are evaluated at these times.
  std::optional<StepCount> count{};
  std::optional<double> end{};  ///< time after the only step of a batch, if it is not time + dt

  /// The time after k steps.
  double time_of(std::uint64_t k) const;
  /// The accuracy parameter of adaptive steps, by which a scheme may make a step in parts, and of block time
  /// steps; 0: fixed steps.
  double eta = 0;
  /// Chosen: the steps are made on this lattice, where the bodies must be. Of splittings.
  LatticeUnits lattice{};
  BlockSteps blocks{};  ///< of integrators that have them
  /// Block time steps: a step in which bodies turn out to need a shorter one at its end is made again with
  /// it.
  bool symmetric_steps = false;
  /// Order of the symplectic corrector, one of corrector_orders: steps are then made in coordinates in which
  /// the error of the map is smaller by the ratio of masses, and the bodies are shown in their own. Of
  /// integrators that take one.
  int corrector = 0;
  /// Looks inside the steps of integrators that show it (hermite4-block, ar-chain), and may change bodies
  /// there; null: nobody does.
  StepWatch* watch = nullptr;
};

/// The orders of symplectic correctors; 0: none.
inline constexpr std::array<int, 5> corrector_orders{0, 3, 5, 7, 11};

/// All integrators, in the order of the course.
std::span<const Integrator* const> integrators();
/// Returns the integrator with this name ("kdk", "dkd", "euler", "forest-ruth", "blanes-moan4",
/// "yoshida6", "kahan-li8", "hermite4", "hermite4-block", "hermite6", "gauss-radau", "ar-chain",
/// "wisdom-holman", "wisdom-holman-jacobi", "wisdom-holman-hybrid", "block-kdk"); "leapfrog" is kdk, "ias15"
/// gauss-radau. UsageError with the nearest name.
const Integrator& integrator_named(std::string_view name);

}  // namespace pleiad
