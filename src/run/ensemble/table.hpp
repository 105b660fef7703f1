/// The tables of an ensemble: a row per system, and a row per diagnostic time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/directory.hpp"
#include "run/ensemble/scan.hpp"
#include "run/massless.hpp"

#include <pleiad/ensemble.hpp>

#include <string>
#include <vector>

namespace pleiad::run {

/// ensemble.csv, and ensemble.json when `json`: index, seed, what was varied, and what became of each system.
/// Whole or not there.
void write_table(RunDirectory& directory, const Scan& scan, const Ensemble& ensemble,
                 const std::vector<History>& histories, const std::vector<Massless>& massless, bool json);

/// Head and rows of ensemble_times.csv: mean and quantiles over the systems that have not failed.
std::string times_head();
std::string times_row(double time, const Ensemble& ensemble, const std::vector<History>& histories,
                      const std::vector<Massless>& massless);

}  // namespace pleiad::run
