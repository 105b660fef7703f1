/// The accuracy checks of a run: their table, and their sample as stored in checkpoints.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/watch.hpp"

#include <pleiad/checkpoint.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::run {

inline constexpr std::string_view accuracy_name = "accuracy.txt";
inline constexpr std::string_view accuracy_columns =
    "# time step median p99 largest sample p99_low p99_high closest precision kernel";
/// A row of now, without its end.
std::string accuracy_row(const Simulation& simulation, const ForceErrors& errors);
/// The last row of a table, with its end; "" without one.
std::string last_row_of(const std::string& table);

void save_sample(const control::AccuracyWatch& watch, Checkpoint& checkpoint);
/// Of a run of n bodies; nothing when there is none. InputError when it names others.
std::optional<Sample> saved_sample(const Checkpoint& checkpoint, std::size_t n);

}  // namespace pleiad::run
