/// When each kind of output of a run is due.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "run/schedule.hpp"

#include <cstddef>

namespace pleiad::run {

struct OutputSchedules {
  Schedule snapshots, rows, pictures;
  bool draws;  ///< whether there are pictures at all

  /// UsageError naming the key of what cannot be met.
  OutputSchedules(const Options& options, const Simulation& simulation);
  bool picture_due(const Clock& now) const { return draws && pictures.due(now); }
  std::size_t pictures_to_come(const Clock& now) const { return draws ? pictures.to_come(now) : 0; }
  /// The next moment at which anything is due.
  Moment next(const Clock& now) const;
  /// Whether what is due then needs potentials: a row, or a snapshot, where these have fields.
  bool need_potentials(const Moment& moment, bool snapshots_have_fields) const {
    return rows.due(moment) || (snapshots.due(moment) && snapshots_have_fields);
  }
};

}  // namespace pleiad::run
