/// The snapshot that a command measures: a file, or one of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/claims.hpp"

#include <pleiad/files.hpp>
#include <pleiad/snapshot.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pleiad::app {

/// The bodies, where they are from, and the softening that goes with them.
struct InputSnapshot {
  Snapshot snapshot;
  std::string name;
  double eps = 0;
  std::optional<ComovingUniverse> universe{};  ///< of comoving bodies
};

/// Which snapshot of a run is taken: that nearest to a time, in the units of the run, or to a redshift; by
/// default the last.
struct WhichSnapshot {
  std::optional<double> time{}, redshift{};
};

/// Reads a snapshot in any format, or of a directory of a run the snapshot that is nearest to `time`, by
/// default the last. `units`: of a file that states none, "" for the defaults. Claims the files as inputs.
/// UsageError for a time where there is no run; InputError for bodies that are not valid.
InputSnapshot input_snapshot(const std::string& path, const std::optional<double>& time,
                             const std::string& units, Claims& claims);
/// The same, but the bodies of a cosmological file are comoving: see files::read_comoving. InputError for a
/// redshift of bodies that are not comoving.
InputSnapshot comoving_snapshot(const std::string& path, const WhichSnapshot& which, const std::string& units,
                                Claims& claims);

/// The names of types, joined by +; "all" for none.
std::string type_words(const std::vector<Type>& types);

}  // namespace pleiad::app
