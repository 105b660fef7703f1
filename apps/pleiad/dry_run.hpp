/// `pleiad run --dry-run`: prints the memory and time of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/run.hpp"

namespace pleiad::app {

void print_forecast(const run::Forecast& forecast, bool json);
void print_forecast(const run::EnsembleForecast& forecast, bool json);

}  // namespace pleiad::app
