/// The part of a checkpoint for an ensemble besides the bodies: clock, law, status and history of each
/// system.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/ensemble/scan.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/ensemble.hpp>

#include <vector>

namespace pleiad::run {

/// All bodies, one system after another, with the ids that they have in their systems.
Bodies all_bodies(const Ensemble& ensemble);

/// Adds bodies and records to a checkpoint whose other fields are set.
void save_ensemble(Checkpoint& checkpoint, const Ensemble& ensemble, const std::vector<History>& histories);

struct SavedEnsemble {
  std::vector<Member> members;
  std::vector<MemberStatus> statuses;
  std::vector<History> histories;
};
/// Methods come from the scan. InputError when the records are not those of this configuration.
SavedEnsemble load_ensemble(const Checkpoint& checkpoint, const Scan& scan);

}  // namespace pleiad::run
