/// Mass loss of stars by a table of the user: the mass that is left of each initial mass at each age.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "ranks/communicator.hpp"
#include "sim/encounter_watch.hpp"

#include <pleiad/simulation.hpp>
#include <pleiad/units.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pleiad::run {

/// Tracks of some initial masses: the part of the mass that is left at each age. It is linear in the age on a
/// track and, between two tracks, in the logarithm of the initial mass; 1 before the first age, and constant
/// after the last. Stars beyond the range have the part of the nearest track.
class MassTracks {
 public:
  /// Rows of initial mass, age and mass. UsageError unless initial masses do not fall, ages rise from >= 0
  /// on each track, masses are > 0, at most the initial one, and do not rise.
  explicit MassTracks(std::span<const double> rows);
  /// The part of its mass that a star has left.
  double part_left(double initial_mass, double age) const;

 private:
  struct Track {
    double initial = 0;
    std::vector<std::pair<double, double>> points;  ///< ages and parts
    double at(double age) const;
  };
  std::vector<Track> tracks_;
};

/// The file stars.mass_loss_file becomes rows of `stars.mass_loss` in units of the run: its masses are in
/// Msun and its ages in Myr, or in units of the run where these have no physical scale.
void settle_mass_loss(Options& options, const Units& units);

/// The mass loss of a run. All stars are born at its start. At the end of the first step at or after each
/// multiple of the interval every star gets the mass of its age. Positions and velocities stay. All calls are
/// collective, and every rank finds the same.
class MassLoss {
 public:
  /// `ranks` must outlive this object. The present masses are the initial ones. UsageError for what cannot be
  /// combined with it.
  MassLoss(const Options::Stars& options, Simulation& simulation, ranks::Communicator& ranks);
  /// After a step: the bodies with their new masses, with what the energy and the angular momentum of all
  /// have lost by it, in direct sums in double precision; empty where no mass changes.
  std::optional<ChangedBodies> after_step(Simulation& simulation);
  /// The initial masses by id, for a checkpoint, and back. InputError for other texts.
  std::string text() const;
  void restore(const std::string& text);

 private:
  std::uint64_t intervals_until(const Clock& clock) const;

  MassTracks tracks_;
  double interval_;
  ranks::Communicator& ranks_;
  std::vector<std::pair<std::uint64_t, double>> initial_;  ///< masses by id, ascending
  std::uint64_t done_ = 0;                                 ///< intervals
};

}  // namespace pleiad::run
