/// Many bodies: a Plummer sphere in equilibrium (C1), a cold collapse (C2), two galaxies on a parabola (C3).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "system.hpp"
#include <pleiad/models.hpp>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

Snapshot model(std::string_view name, std::vector<std::string> settings) { return make_model(name, settings, 11); }

double half_mass_radius(Simulation& s) {
  const std::vector<double> half{0.5};
  return lagrangian_radii(s.snapshot().bodies, {}, half)[0];
}

}  // namespace

// Relaxation over ten time units moves r50 of 4096 bodies by a few per cent; the virial ratio fluctuates by about 1/sqrt(N).
TEST(Plummer, StaysInEquilibrium) {
  Simulation s(model("plummer", {"n=4096"}), {.softening = {0.02}}, fixed("kdk", 1.0 / 128), in(Precision::mixed));
  const double before = s.energies().total(), r50 = half_mass_radius(s);
  for (int t = 1; t <= 10; ++t) {
    s.run_until(t);
    const auto d = s.diagnostics(before);
    EXPECT_LE(std::abs(d.virial_ratio - 0.5), 0.02) << "t = " << t;
    EXPECT_LE(std::abs(d.energy_error), 5e-5) << "t = " << t;
  }
  EXPECT_LE(std::abs(half_mass_radius(s) / r50 - 1), 0.05);
}

// Uniform shells fall together until they cross: R/R0 = (1 + cos u)/2 with u + sin u = 2 sqrt 2 t (M = R = 1).
TEST(ColdSphere, CollapsesOnTime) {
  const double t_ff = 1.110721, dt = t_ff / 1136;  // about 1/1024, and quarters of t_ff are whole steps
  Simulation s(model("cold-sphere", {"n=8192"}), {.softening = {0.05}}, fixed("kdk", dt), in(Precision::mixed));
  const double before = s.energies().total(), r50 = half_mass_radius(s);
  // r50 of 8192 bodies is noisy by 0.5 / sqrt(8192) of the density's slope, 0.4 %; softening delays the fall by (eps/R)^2, 0.3 %.
  for (const auto& [quarters, ratio] : {std::pair{1, 0.96094}, {2, 0.83681}, {3, 0.59715}}) {
    s.run_until(quarters * 284 * dt);
    EXPECT_LE(std::abs(half_mass_radius(s) / r50 / ratio - 1), 0.015) << quarters;
  }
  double least = r50, when = 0;
  while (s.time() < 1.35) {
    s.run_towards(1e9, 8);
    if (const double r = half_mass_radius(s); r < least) least = r, when = s.time();
  }
  EXPECT_GE(when, 1.11);
  EXPECT_LE(when, 1.20);
  EXPECT_LE(std::abs(s.diagnostics(before).energy_error), 5e-3);
}
