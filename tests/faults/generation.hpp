/// The states that the fault tests save: each generation differs in every body, and says how long its table
/// is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit/checkpoint/sample.hpp"

namespace pleiad::test {

inline const std::string table_name = "table.txt";

inline std::string table_line(std::uint64_t generation) {
  return "row " + std::to_string(generation) + " of the table of a run";
}

inline Checkpoint generation(std::uint64_t g, std::size_t bodies, std::uint64_t table_bytes) {
  Checkpoint state = sample(bodies, g);
  state.appended_files = {{table_name, table_bytes}};
  return state;
}

}  // namespace pleiad::test
