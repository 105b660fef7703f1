/// A few bodies in Newtonian gravity, regularised: they may come as close as they like; with post-Newtonian
/// terms of their pairs as close as these hold.
///
/// Algorithmic regularisation: the leapfrog of a time-transformed Hamiltonian has no error but that of the
/// time for two bodies, whatever their eccentricity; a chain keeps the digits of small distances;
/// extrapolation gives the order. The end time is met by a search in the fictitious time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regular/double_sum.hpp"
#include "regular/extrapolation.hpp"
#include "regular/leapfrog.hpp"
#include "regular/slow_down.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pleiad::regular {

class Group {
 public:
  struct Body {
    double mass = 0;  ///< times G; > 0 where there are two bodies or more
    DoubleVec x{}, v{};
  };
  struct Options {
    double tolerance = 5e-15;      ///< relative error of a step, at least 1e-15
    std::optional<Clock> clock{};  ///< left out: by masses from three bodies on if their ratio is above 1000
    std::optional<SlowDown> slow_down{};  ///< of Clock::logarithmic; left out: none
    /// Terms of all pairs, each as if it were alone; without slow-down, by which orbits would turn too
    /// slowly.
    std::optional<PostNewtonian> terms{};
  };

  /// `time`: of the bodies, which perturbations depend on. UsageError for masses that are not positive.
  Group(std::vector<Body> bodies, const Options& options, double time = 0);

  /// Moves the bodies for a time dt, forward or back. Accelerations by bodies outside are those of the
  /// perturbation, if there is one. NumericalError where no step converges: of two bodies at one place; and
  /// where post-Newtonian terms do not hold.
  void advance(double dt, const Perturbation* perturbation = nullptr);
  /// The same with bodies outside that are pulled back, and take part in the slow-down: `tides` are those
  /// that pull binaries, in the frame of the bodies. Returns by how much each has moved, and its velocity has
  /// changed.
  struct Moved {
    Vec3<double> x{}, v{};
  };
  std::vector<Moved> advance(double dt, const Surroundings& surroundings, std::span<const Outside> tides);

  /// What is looked for in the steps of an advance.
  struct Watched {
    std::vector<double> radii{};  ///< of the bodies; two of them touch within the sum
    double distance = 0;          ///< of closest approaches; 0: none
    bool stops = false;           ///< an advance ends where two bodies touch that approach each other
  };
  /// A closest approach, or a first contact, of two bodies.
  struct Met {
    std::size_t one = 0, other = 0;  ///< their numbers, the lower one first
    double time = 0;                 ///< after the beginning of the advance
    bool contact = false;
    Vec3<double> x[2], v[2];  ///< of both then, in the frame of the bodies
  };
  /// Looks for this from now on: in the steps of the fictitious time, at the ends of which it is found out
  /// whether two bodies pass each other, and which are then made again, shorter, until they end there.
  void watch(Watched watched) { watched_ = std::move(watched); }
  /// What the last advance has met, in the order in which it was found. One that has stopped ends with the
  /// contact, and has moved the bodies to its time.
  const std::vector<Met>& met() const { return met_; }
  bool stopped() const { return stopped_; }

  const std::vector<Body>& bodies() const { return bodies_; }
  std::vector<Body>& bodies() { return bodies_; }
  double time() const { return time_; }
  /// The work of post-Newtonian terms on the bodies, masses times G.
  double work() const { return work_.value(); }
  /// How often all pulls were computed.
  std::uint64_t evaluations() const { return evaluations_; }
  /// Attempted steps of the fictitious time.
  std::uint64_t steps() const { return steps_; }
  /// The binaries that were slowed down in the last step, by the numbers of their bodies.
  struct Slowed {
    std::size_t first = 0, second = 0;
    double factor = 1;
  };
  const std::vector<Slowed>& slowed() const { return slowed_; }
  /// A binary with the time at which its factor was chosen, and for how long.
  struct Chosen {
    Slowed pair{};
    double time = 0, until = 0;
  };
  /// What a group remembers beside its bodies.
  const std::vector<Chosen>& chosen() const { return chosen_; }
  /// Takes another time for the present one, and what was remembered then.
  void begin(double time, std::vector<Chosen> chosen) { time_ = time, chosen_ = std::move(chosen); }

 private:
  struct State;
  class Passages;
  void choose_slow(State& state, double time, std::span<const Outside> tides);
  std::vector<Moved> move(double dt, const Surroundings* surroundings, std::span<const Outside> tides);

  std::vector<Body> bodies_;
  Options options_;
  double time_ = 0;
  DoubleSum work_{};
  std::uint64_t evaluations_ = 0, steps_ = 0;
  std::vector<Slowed> slowed_;
  std::vector<Chosen> chosen_;
  std::optional<Watched> watched_;
  std::vector<Met> met_;
  bool stopped_ = false;
};

}  // namespace pleiad::regular
