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

/// Writes ensemble.csv, and ensemble.json if `json`: index, seed, varied values, and the result of each
/// system. Files are complete or absent.
void write_table(RunDirectory& directory, const Scan& scan, const Ensemble& ensemble,
                 const std::vector<History>& histories, const std::vector<Massless>& massless, bool json);

/// Head and rows of ensemble_times.csv: mean and quantiles over the systems that have not failed.
std::string times_head();
std::string times_row(double time, const Ensemble& ensemble, const std::vector<History>& histories,
                      const std::vector<Massless>& massless);

}  // namespace pleiad::run
