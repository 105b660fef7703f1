/// The energies of a run: its diagnostics rows, their errors against the energy at the start, and the limit
/// of these.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/simulation.hpp>

#include <optional>

namespace pleiad::run {

class EnergyRecord {
 public:
  /// The row of now; the energy of the first one is that at the start.
  Diagnostics diagnose(Simulation& simulation);
  void save(Checkpoint& checkpoint) const;
  void restore(const Checkpoint& checkpoint);

  /// 0 before the first row.
  double reference() const { return reference_.value_or(0); }
  double largest_error() const { return largest_error_; }
  const std::optional<Diagnostics>& last_row() const { return last_row_; }

 private:
  std::optional<double> reference_;
  double largest_error_ = 0;
  std::optional<Diagnostics> last_row_;
};

/// NumericalError when the energy error of the row is beyond limits.max_energy_error, or NaN.
void need_energy(const Options& options, const Simulation& simulation, const Diagnostics& row);

/// The number that a checkpoint keeps under this name, if it does; else `value` stays.
void restore_number(const Checkpoint& checkpoint, const char* name, double& value);

}  // namespace pleiad::run
