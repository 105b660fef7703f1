/// An integrator of one's own on the library's forces: it keeps the energy as the built-in leapfrog does.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/pleiad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr double eps = 0.05, dt = 1.0 / 64;
constexpr int steps = 64;
constexpr pleiad::Gravity law{.softening = {eps}};

/// Kick, drift, kick.
void leapfrog(pleiad::Bodies& b) {
  pleiad::GravitySolver solver({.softening = eps, .precision = pleiad::Precision::f64});
  std::vector<double> ax(b.size()), ay(b.size()), az(b.size());
  const auto kick = [&] {
    for (std::size_t i = 0; i < b.size(); ++i)
      b.vx[i] += dt / 2 * ax[i], b.vy[i] += dt / 2 * ay[i], b.vz[i] += dt / 2 * az[i];
  };
  solver.accelerations({b.x, b.y, b.z}, b.mass, {ax, ay, az});
  for (int step = 0; step < steps; ++step) {
    kick();
    for (std::size_t i = 0; i < b.size(); ++i)
      b.x[i] += dt * b.vx[i], b.y[i] += dt * b.vy[i], b.z[i] += dt * b.vz[i];
    solver.accelerations({b.x, b.y, b.z}, b.mass, {ax, ay, az});
    kick();
  }
}

}  // namespace

int main() {
  const auto start = pleiad::model("plummer", {{"n", 1000}}, 7);
  const double before = pleiad::direct_energies(start.bodies, law).total();

  auto own = start.bodies;
  leapfrog(own);
  pleiad::Simulation built_in(start, {.softening = eps, .dt = dt, .precision = pleiad::Precision::f64});
  built_in.run_until(steps * dt);

  const double error = pleiad::direct_energies(own, law).total() / before - 1;
  const double error_built_in = pleiad::direct_energies(built_in.snapshot().bodies, law).total() / before - 1;
  std::printf("energy error %.17g, built in %.17g\n", error, error_built_in);
  // The two round differently: about four roundings in each of 64 steps, which neighbours that part let grow
  // e times in a tenth of the time.
  const double rounding = 4 * steps * 0x1p-53 * std::exp(steps * dt / 0.1);
  return std::abs(error - error_built_in) < rounding && std::abs(error) < 1e-3 ? 0 : 1;
}
