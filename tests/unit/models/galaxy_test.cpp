/// The galaxy: its disc against closed forms of the thin disc and its own density, its components by number
/// and type.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/galaxy.hpp"

#include "unit/models/support.hpp"

#include <numbers>

using namespace pleiad;
using namespace pleiad::test;

namespace {

constexpr double pi = std::numbers::pi;

/// A spheroid that weighs nothing next to the disc.
Well no_spheroids() {
  const auto dust = profile_of_mass(1e-12, 4, 1, 0);
  return well_of([dust](double r) { return dust.rho(r); }, radial_grid(1e-6, 1e3));
}

std::vector<std::size_t> of_type(const Bodies& b, Type type) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b.type[i] == type) list.push_back(i);
  return list;
}

}  // namespace

TEST(StellarDisc, HasFreemansRotationCurveWhenThin) {
  const StellarDisc disc({.mass = 2, .scale = 3, .height = 1e-4, .toomre_q = 1}, no_spheroids(), 5);
  for (const double R : {0.6, 1.5, 3.0, 6.0, 12.0, 21.0}) {
    const double y = R / 6, sigma0 = 2 / (2 * pi * 9);
    const double freeman = 4 * pi * 5 * sigma0 * 3 * y * y *
                           (std::cyl_bessel_i(0, y) * std::cyl_bessel_k(0, y) -
                            std::cyl_bessel_i(1, y) * std::cyl_bessel_k(1, y));
    // The thickness takes off about height / R = 2e-4, the cut of the k integral 60^-2.5 = 4e-5.
    EXPECT_LE(std::abs(disc.at(R).circular / freeman - 1), 1e-3) << R;
    const double isothermal = pi * 5 * DiscShape{.mass = 2, .scale = 3}.surface_density(R) * 1e-4;
    EXPECT_LE(std::abs(std::pow(disc.at(R).sigma_z, 2) / isothermal - 1), 0.02)
        << R;  // k integral for a layer: see add_disc
  }
}

TEST(StellarDisc, BalancesALayerOfItsOwnAndAHarmonicSphere) {
  // The virial theorem of the layer, sigma_z^2 = <z dPhi/dz>: a homogeneous sphere of density rho adds 4 pi G
  // rho/3 <z^2>, and <z^2> = pi^2/12 height^2 for sech^2. 32 quantiles miss 4 % of <z^2> in the tail.
  const auto sphere = well_of([](double r) { return r < 90 ? 1.0 : 1e-30; }, radial_grid(1e-4, 100));
  const StellarDisc disc({.mass = 1e-9, .scale = 3, .height = 0.5, .toomre_q = 1}, sphere, 1);
  EXPECT_LE(std::abs(std::pow(disc.at(6).sigma_z, 2) / (4 * pi / 3 * pi * pi / 12 * 0.25) - 1), 0.05);
  EXPECT_LE(std::abs(disc.at(6).circular / (4 * pi / 3 * 36) - 1), 1e-3);
  EXPECT_LE(std::abs(disc.at(6).epicyclic / (4 * 4 * pi / 3) - 1),
            1e-3);  // kappa = 2 Omega in a harmonic well
}

TEST(StellarDisc, KeepsToomresQAndTheRadialMomentEquation) {
  const auto halo = profile_of_mass(15, 4, 7, 35);
  const auto well = well_of([&](double r) { return halo.rho(r); }, radial_grid(1e-5, 1000));
  const double G = 43007.1;
  const DiscShape shape{.mass = 2, .scale = 2.5, .height = 0.5, .toomre_q = 1.3};
  const StellarDisc disc(shape, well, G);
  double least = 1e9;
  for (double R = 0.125; R < 19.9; R += 0.125) {
    const auto m = disc.at(R);
    least = std::min(least, m.sigma_R * std::sqrt(m.epicyclic) / (3.36 * G * shape.surface_density(R)));
    // <v_phi^2> = v_c^2 + sigma_R^2 (1 + d ln(Sigma sigma_R^2) / d ln R), and Sigma sigma_R^2 ~ exp(-2 R /
    // scale).
    const double mean_square = m.streaming * m.streaming + m.sigma_phi * m.sigma_phi;
    const double expected = m.circular + m.sigma_R * m.sigma_R * (1 - 2 * R / 2.5);
    EXPECT_LE(std::abs(mean_square - expected), 1e-9 * m.circular) << R;
    EXPECT_LE(std::abs(m.sigma_phi * m.sigma_phi / (m.sigma_R * m.sigma_R) -
                       m.epicyclic * R * R / (4 * m.circular)),
              1e-9)
        << R;
  }
  EXPECT_LE(std::abs(least - 1.3), 1e-9);
}

TEST(Galaxy, HasItsComponentsByNumberMassAndType) {
  const auto s = made("galaxy", {"n=5001", "disc_share=0.5", "bulge_mass=0.4", "disc_mass=2"});
  const auto& b = s.bodies;
  const auto halo = of_type(b, Type::halo), disc = of_type(b, Type::disc), bulge = of_type(b, Type::bulge);
  EXPECT_EQ(disc.size(), 2501u);  // llround(2500.5)
  EXPECT_EQ(bulge.size(), 500u);
  EXPECT_EQ(halo.size() + disc.size() + bulge.size(), 5001u);
  const auto mass = [&](const auto& list) {
    double sum = 0;
    for (const auto i : list) sum += b.mass[i];
    return sum;
  };
  EXPECT_LE(std::abs(mass(halo) - 15), 1e-11);
  EXPECT_LE(std::abs(mass(disc) - 2), 1e-11);
  EXPECT_LE(std::abs(mass(bulge) - 0.4), 1e-11);
  EXPECT_EQ(s.units.name, "galactic");
  EXPECT_EQ(s.G, 43007.1);
  EXPECT_TRUE(of_type(made("galaxy", {"n=1000", "bulge_mass=0"}).bodies, Type::bulge).empty());
}

TEST(Galaxy, HasAnExponentialDiscThatTurnsAndBalances) {
  const auto s = made("galaxy", {"n=12001", "disc_share=0.5"});
  Bodies disc;
  for (const auto i : of_type(s.bodies, Type::disc))
    disc.add(s.bodies.mass[i], s.bodies.position(i), s.bodies.velocity(i));
  move_to_centre_of_mass(disc);
  std::vector<double> R, Z;
  std::size_t along = 0;
  for (std::size_t i = 0; i < disc.size(); ++i) {
    R.push_back(std::hypot(disc.x[i], disc.y[i])), Z.push_back(disc.z[i]);
    along += disc.x[i] * disc.vy[i] - disc.y[i] * disc.vx[i] > 0;
  }
  const auto inside = [](double x) { return 1 - (1 + x) * std::exp(-x); };
  EXPECT_LE(kolmogorov(R, [&](double r) { return std::min(1.0, inside(r / 2.5) / inside(8)); }),
            kolmogorov_bound);
  EXPECT_LE(kolmogorov(Z, [](double z) { return 0.5 + 0.5 * std::tanh(z / 0.5); }), kolmogorov_bound);
  EXPECT_GE(static_cast<double>(along),
            0.93 * static_cast<double>(disc.size()));  // only near the centre does sigma_phi rival v_phi
}

TEST(Galaxy, IsInVirialEquilibrium) {
  // As for Hernquist's sphere, which most of the mass is: W scatters by at most 1.41 / sqrt n, T by 1.1 /
  // sqrt n of themselves; the halo's n counts, 0.64 of 4001.
  const auto s = made("galaxy", {"n=4001"});
  EXPECT_LE(std::abs(virial_ratio(s) - 0.5), 4 * 0.5 * 2.5 / std::sqrt(0.64 * 4001));
}

TEST(Galaxy, HoldsItsBulgeInTheCommonWell) {
  // Virial theorem of one component: the mean of v^2 - r dPhi/dr is 0, with Phi that of halo, bulge and
  // spherically averaged disc.
  const auto bodies = made("galaxy", {"n=60001"}).bodies;
  const auto halo = profile_of_mass(15, 4, 7, 35), bulge = profile_of_mass(0.4, 4, 0.6, 6);
  const DiscShape disc{.mass = 2, .scale = 2.5};
  const auto well = well_of([&](double r) { return halo.rho(r) + bulge.rho(r) + disc.mean_rho(r); },
                            radial_grid(1e-5, 1050));
  const auto list = of_type(bodies, Type::bulge);
  ASSERT_GE(list.size(), 3000u);
  Vec3<double> centre;
  for (const auto i : list) centre += bodies.position(i) * (1 / static_cast<double>(list.size()));
  double sum = 0, scatter = 0;
  for (const auto i : list) {
    const double r = norm(bodies.position(i) - centre), v2 = dot(bodies.velocity(i), bodies.velocity(i));
    const double term = v2 - 43007.1 * well.mass_within(r) / r;
    sum += term, scatter += term * term;
  }
  EXPECT_LE(std::abs(sum), 4 * std::sqrt(scatter));
}
