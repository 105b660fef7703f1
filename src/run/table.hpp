/// The table of diagnostics: its name, its columns and its rows.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/diagnostics.hpp>

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::run {

inline constexpr std::string_view table_name = "diagnostics.txt";
inline constexpr std::string_view table_columns =
    "# time step kinetic potential total energy_error px py pz lx ly lz cx cy cz virial_ratio r10 r25 r50 "
    "r75 r90";

inline std::string row_of(const Diagnostics& d) {
  std::string line = fmt::format("{} {}", d.time, d.step);
  for (const double v :
       {d.energies.kinetic, d.energies.potential, d.energies.total(), d.energy_error, d.momentum.x,
        d.momentum.y, d.momentum.z, d.angular_momentum.x, d.angular_momentum.y, d.angular_momentum.z,
        d.centre.position.x, d.centre.position.y, d.centre.position.z, d.virial_ratio})
    line += fmt::format(" {:.9g}", v);
  for (const double r : d.lagrangian_radii) line += fmt::format(" {:.6g}", r);
  return line;
}

}  // namespace pleiad::run
