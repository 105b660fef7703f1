/// The energies of massless bodies, which the energy of all bodies does not see: of each its own energy per
/// mass, in the frame of the bodies that have mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/self.hpp"

#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pleiad::run {

/// Changes of the energies per mass since the start: quantiles of |de| over the larger of v^2/2 and |phi| of
/// the start, over all massless bodies.
struct MasslessChange {
  std::size_t bodies = 0;
  double median = 0, p99 = 0, largest = 0;
  /// One body makes the whole field, in whose frame the energies stay; or external potentials alone do, which
  /// rest or rotate together.
  bool conserved = false;
};

class Massless {
 public:
  /// `ranks`: each has some of the bodies, and calls are collective.
  explicit Massless(ranks::Communicator& ranks = ranks::self()) : ranks_(&ranks) {}

  /// Must be called once before all other calls.
  void count(const Bodies& bodies);
  bool counted() const { return massive_.has_value(); }
  /// Whether there are any among the bodies of all ranks.
  bool any() const { return massless_ > 0; }
  /// Bodies with mass, of all ranks.
  std::size_t massive() const { return massive_.value_or(0); }
  /// Computes the energies of the bodies, with these potentials; `frame` is the velocity of the centre of
  /// mass, or none if there are external potentials, of which `omega` is the pattern speed
  /// (pattern_speed_of): then the energies are Jacobi energies. The first call sets the reference of later
  /// ones.
  void look(const Bodies& bodies, std::span<const double> potentials,
            const std::optional<Vec3<double>>& frame, const std::optional<double>& omega = 0.0);
  /// Change in the last call that had an earlier one.
  const std::optional<MasslessChange>& change() const { return change_; }
  /// The largest change of all looks.
  double largest() const { return largest_; }

  /// Some bodies are gone. `kept`: of the massless ones of all ranks, which are still there. `same_field`: no
  /// body with mass has changed; else the energies of now become the reference. `own`: those that are here
  /// now.
  void keep(const std::vector<std::uint8_t>& kept, bool same_field, const Bodies& own);

  /// For a checkpoint, and back.
  std::string bytes() const;
  void restore(const std::string& bytes, const Bodies& bodies);

 private:
  struct Start {
    double energy, scale;
  };
  ranks::Communicator* ranks_;
  std::optional<std::size_t> massive_;
  std::size_t massless_ = 0;   ///< of all ranks
  std::vector<Start> starts_;  ///< of the own ones
  std::optional<MasslessChange> change_;
  double largest_ = 0;
};

}  // namespace pleiad::run
