/// The tables of a run: their names, columns and rows, and how they are begun and continued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/checkpoint/appended_file.hpp"
#include "run/directory.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/diagnostics.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace pleiad::run {

inline constexpr std::string_view table_name = "diagnostics.txt";
inline constexpr std::string_view table_columns =
    "# time step kinetic potential total energy_error px py pz lx ly lz cx cy cz virial_ratio r10 r25 r50 "
    "r75 r90";

/// What the energy error is, where it is not of the energy at the start; else "", which is no line.
inline std::string_view energy_error_comment(const Boundary& boundary) {
  return boundary.periodic ? "# energy_error: of the largest of kinetic and |potential| so far" : "";
}

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

inline constexpr std::string_view trajectory_name = "trajectory.csv";
inline constexpr std::string_view trajectory_columns = "step,time,id,x,y,z,vx,vy,vz";

inline std::string trajectory_row(std::uint64_t step, double time, std::uint64_t id, const Vec3<double>& x,
                                  const Vec3<double>& v) {
  return fmt::format("{},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}", step, time, id, x.x, x.y,
                     x.z, v.x, v.y, v.z);
}

/// A table with this header; of a run that is resumed, with the bytes that belong to its checkpoint. One that
/// was lost is begun anew, with a note: a run that can go on must not end for want of rows that are past.
AppendedFile open_table(RunDirectory& directory, std::string_view name, const Checkpoint* resumed,
                        double time, std::vector<std::string>* notes,
                        std::initializer_list<std::string_view> header);

}  // namespace pleiad::run
