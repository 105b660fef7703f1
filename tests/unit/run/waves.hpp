/// A young universe for tests of comoving runs, and its file.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>
#include <pleiad/snapshot.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>

namespace pleiad::test {

inline constexpr double begin_redshift = 24, H0 = 1.5, omega_m = 0.32;

/// A lattice of side^3 bodies that waves in three directions displace; with the growing mode's peculiar
/// velocity, a H times the displacement, of matter alone. The mass is that of omega_m and H0 in a box of 2.
inline Snapshot waves(int side = 6) {
  constexpr double box = 2, k = 2 * std::numbers::pi / box, A = 0.02;
  const double a = 1 / (1 + begin_redshift), H = H0 * std::sqrt(omega_m / (a * a * a)),
               mass = omega_m * 3 * H0 * H0 / (8 * std::numbers::pi) * box * box * box;
  Snapshot s;
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3<double> q{(i % side + 0.5) * box / side, (i / side % side + 0.5) * box / side,
                         (i / side / side + 0.5) * box / side};
    const Vec3<double> psi{A * std::sin(k * q.x), A * std::sin(k * (q.y + q.x)), A * std::cos(2 * k * q.z)};
    s.bodies.add(mass / (side * side * side), q + psi, a * H * psi, Type::halo);
  }
  s.time = a;
  s.boundary = {.periodic = true, .length = {box, box, box}, .images = Images::all};
  return s;
}

/// The file of these bodies.
inline std::filesystem::path written(const Snapshot& s, const std::filesystem::path& file, double h = 1) {
  WriteOptions how;
  how.universe = ComovingUniverse{.omega_m = omega_m, .omega_lambda = 1 - omega_m, .h = h};
  write_snapshot(file, s, how);
  return file;
}

}  // namespace pleiad::test
