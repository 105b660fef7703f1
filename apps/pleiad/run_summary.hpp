/// The summary of a run as text.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/observer.hpp"

#include <string>

namespace pleiad::app {

void print_words(const run::SystemSummary& summary);
void print_words(const run::EnsembleSummary& summary);
/// Writes to stderr that a run was stopped `where`, and how to continue it.
void print_stopped(const std::string& where, const run::Summary& summary);

}  // namespace pleiad::app
