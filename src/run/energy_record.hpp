/// The energies of a run: its diagnostics rows, their errors against the energy at the start, and the limit
/// of these.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "run/layzer_irvine.hpp"
#include "run/massless.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace pleiad::run {

/// Name of the energy error, by its reference: the energy at the start; in a periodic box, where that is a
/// small difference of large numbers, the largest of T and |W| so far. External potentials that rotate
/// together conserve the Jacobi energy; in those that change with time in another way the change is no error.
/// `omega`: the pattern speed of what is kept (Simulation::kept_pattern_speed); empty: nothing is.
const char* name_of_energy_error(const Gravity& gravity, std::optional<double> omega);
/// The name of errors where the energy at the start is about 0 (see energy_scale).
inline constexpr const char* name_of_error_in_parts = "|dE| / (T + |W|) of the start";
/// The name of errors in comoving coordinates.
inline constexpr const char* name_of_layzer_irvine_error =
    "Layzer-Irvine |d[a(T + W)] + T da| / the largest of aT and a|W|";
inline constexpr const char* name_of_error_in_some_parts =
    "dE/E (where E is about 0 at the start: |dE| / (T + |W|))";
/// The same of a system of an ensemble, of which no Jacobi energy is kept.
const char* name_of_member_error(const Gravity& gravity);

class EnergyRecord {
 public:
  /// `ranks`: see Massless.
  explicit EnergyRecord(ranks::Communicator& ranks) : massless_(ranks) {}

  /// The row of now; the energy of the first one is that at the start. In comoving coordinates energies are
  /// those of peculiar velocities and physical distances, and errors follow from LayzerIrvine.
  Diagnostics diagnose(Simulation& simulation);
  /// `work`: that up to the state of the checkpoint.
  void save(Checkpoint& checkpoint, std::array<double, 2> work) const;
  /// `bodies`: those of the checkpoint that are here.
  void restore(const Checkpoint& checkpoint, const Bodies& bodies);

  /// Bodies have merged or are gone, by which the energy that is conserved has lost `lost`: errors count it.
  /// For the others see Massless::keep.
  void bodies_changed(double lost, const std::vector<std::uint8_t>& kept_particles, bool masses_changed,
                      const Bodies& own);
  /// The energy that mergers and removals have taken.
  double lost() const { return lost_; }

  /// The work of drags in the last row (see Engine::work), which errors count, or in the checkpoint that was
  /// restored.
  std::array<double, 2> work() const { return work_; }

  /// 0 before the first row.
  double reference() const { return reference_.value_or(0); }
  /// What errors are relative to in open space (energy_scale); 0 before the first row.
  double scale() const { return scale_; }
  /// Whether there has been a row.
  bool begun() const { return reference_.has_value(); }
  /// Whether errors are relative to the parts of the energy, which is conserved and about 0.
  bool of_parts(const Simulation& simulation) const;
  /// name_of_energy_error, or name_of_error_in_parts.
  const char* name_of_error(const Simulation& simulation) const;
  double largest_error() const { return largest_error_; }
  const std::optional<Diagnostics>& last_row() const { return last_row_; }
  const Massless& massless() const { return massless_; }
  /// Whether any two bodies with mass pull each other: else there is no energy that could be wrong.
  bool has_pairs() const { return massless_.massive() > 1; }

 private:
  std::optional<double> reference_;
  double scale_ = 0;
  double lost_ = 0;
  std::array<double, 2> work_{};
  double largest_error_ = 0;
  double largest_part_ = 0;  ///< of T and |W|; in comoving coordinates of a T and a |W|
  LayzerIrvine expanding_;   ///< in comoving coordinates, of which `reference_` is that of the start
  Massless massless_;
  std::optional<Diagnostics> last_row_;
};

/// The larger of this and of T and |W|.
inline double larger_part(const Energies& e, double so_far) {
  return std::max({so_far, e.kinetic, std::abs(e.potential)});
}
/// The energy error at which a run ends, or a system of an ensemble; 0: none.
double energy_limit(const Options& options, const Method& method);
/// NumericalError when the energy error of the row is beyond limits.max_energy_error, or NaN, or where
/// massless bodies move in a fixed field and their energies have changed by more. Nothing is asked of an
/// energy that external potentials do not conserve.
void need_energy(const Options& options, const Simulation& simulation, const Diagnostics& row,
                 const EnergyRecord& energies);

/// The number that a checkpoint keeps under this name, if it does; else `value` stays.
void restore_number(const Checkpoint& checkpoint, const char* name, double& value);

}  // namespace pleiad::run
