/// Spheres in equilibrium against closed forms: where their bodies are, how fast they move, how their
/// energies balance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/isotropic.hpp"
#include "unit/models/support.hpp"

#include <numbers>

using namespace pleiad;
using namespace pleiad::test;

namespace {

constexpr double pi = std::numbers::pi;

struct Drawn {
  std::vector<double> r, v2, radial2;
};
Drawn draws(const IsotropicSphere& sphere, std::size_t n) {
  Drawn d;
  for (std::size_t i = 0; i < n; ++i) {
    Random random(3, i);
    const auto p = sphere.draw(random);
    const double r = norm(p.position), radial = dot(p.position, p.velocity) / r;
    d.r.push_back(r), d.v2.push_back(dot(p.velocity, p.velocity)), d.radial2.push_back(radial * radial);
  }
  return d;
}

struct Mean {
  double value, error;  // error: one standard error of the mean
};
Mean mean_of(const std::vector<double>& a) {
  double sum = 0, square = 0;
  for (const double x : a) sum += x, square += x * x;
  const double n = static_cast<double>(a.size()), m = sum / n;
  return {m, std::sqrt((square / n - m * m) / n)};
}

IsotropicSphere alone(const Profile& profile) {
  return IsotropicSphere(
      profile,
      well_of([&](double r) { return profile.rho(r); }, radial_grid(1e-6 * profile.scale, profile.reach())),
      1);
}

/// Hernquist's own closed form of the distribution function, M = a = G = 1 (ApJ 356, 359, eq. 17).
double hernquist_f(double energy) {
  const double q = std::sqrt(energy), p = 1 - q * q;
  return (3 * std::asin(q) + q * std::sqrt(p) * (1 - 2 * q * q) * (8 * q * q * q * q - 8 * q * q - 3)) /
         (8 * std::sqrt(2.0) * pi * pi * pi * std::pow(p, 2.5));
}

}  // namespace

TEST(Plummer, HasTheRadiiAndEnergiesOfHenonUnits) {
  constexpr double a = 3 * pi / 16, n = 4001;
  const auto s = made("plummer", {"n=4001"});
  auto r = radii(s.bodies);
  std::sort(r.begin(), r.end());
  for (const auto& [part, expected] : {std::pair{0.1, 0.30868}, {0.5, 0.76857}, {0.9, 2.18367}}) {
    // A quantile's standard error is sqrt(part (1 - part) / n) over the density dM/dr there.
    const double density = 3 * a * a * expected * expected / std::pow(expected * expected + a * a, 2.5);
    EXPECT_LE(std::abs(r[static_cast<std::size_t>(part * n)] - expected),
              4 * std::sqrt(part * (1 - part) / n) / density)
        << part;
  }
  EXPECT_LE(kolmogorov(r, [](double x) { return std::pow(1 + a * a / (x * x), -1.5); }), kolmogorov_bound);
  EXPECT_LE(std::abs(virial_ratio(s) - 0.5), 3 / std::sqrt(n));
  // E = W + T: W varies by 2 sd(phi)/<phi> / sqrt n, about 1/sqrt n of 1/2; T by less than that of 1/4.
  EXPECT_LE(std::abs(kinetic(s.bodies) + potential(s.bodies, 1) + 0.25), 4 * 0.75 / std::sqrt(n));
}

TEST(Plummer, HasTheSpeedsOfItsDistributionFunction) {
  // v / v_escape has the density q^2 (1 - q^2)^3.5 at every radius; its integral by a fine trapezium rule.
  constexpr double a = 3 * pi / 16;
  std::vector<double> table{0};
  for (int k = 1; k <= 4000; ++k) {
    const double q = (k - 0.5) / 4000;
    table.push_back(table.back() + q * q * std::pow(1 - q * q, 3.5));
  }
  const auto b = made("plummer", {"n=20000"}).bodies;
  std::vector<double> q(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    q[i] = norm(b.velocity(i)) / std::sqrt(2 / std::hypot(norm(b.position(i)), a));
  const auto cumulative = [&](double x) {
    const double at = std::min(std::abs(x), 1.0) * 4000;
    const auto k = std::min<std::size_t>(3999, static_cast<std::size_t>(at));
    return (table[k] + (at - static_cast<double>(k)) * (table[k + 1] - table[k])) / table.back();
  };
  EXPECT_LE(kolmogorov(q, cumulative), kolmogorov_bound);
}

TEST(Plummer, EndsWhereTheMassFractionSays) {
  const double a = 3 * pi / 16, m = std::cbrt(0.9), edge = a * m / std::sqrt(1 - m * m);
  const auto r = radii(made("plummer", {"n=2000", "mass_fraction=0.9"}).bodies);
  // The shift to the centre of mass is at most 4 r_rms / sqrt(n) < 0.1.
  EXPECT_LE(*std::max_element(r.begin(), r.end()), edge + 0.1);
  EXPECT_LE(kolmogorov(r, [&](double x) { return std::min(1.0, std::pow(1 + a * a / (x * x), -1.5) / 0.9); }),
            kolmogorov_bound);
}

TEST(ColdSphere, IsUniformAndAtRest) {
  const auto s = made("cold-sphere", {"n=4001"});
  EXPECT_LE(kolmogorov(radii(s.bodies), [](double r) { return std::min(1.0, r * r * r); }), kolmogorov_bound);
  EXPECT_EQ(kinetic(s.bodies), 0);
  // W = -3/5; phi = -(3 - r^2)/2 has the relative scatter 0.109, so W scatters by 2 * 0.109 / sqrt n.
  EXPECT_LE(std::abs(potential(s.bodies, 1) / -0.6 - 1), 4 * 0.218 / std::sqrt(4001.0));
}

TEST(Hernquist, HasItsClosedDistributionFunction) {
  const auto sphere = alone(profile_of_mass(1, 4, 1, 0));
  // Grid: 1500 points over 12 decades, d ln r = 0.0184. f falls like (1 - E)^-2.5: linear interpolation errs
  // by at most 2.5 * 3.5 / 8 * 0.0184^2 = 3.7e-4, the Abel integral (linear in the same grid) by twice as
  // much; E = 0.01 has more of its integral from the edge, where g ~ psi^2: the same order.
  for (const double energy : {0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99})
    EXPECT_LE(std::abs(sphere.density_of_states(energy) / hernquist_f(energy) - 1), 2e-3) << energy;
}

TEST(Hernquist, HasItsMassProfileAndTheVirialTheorem) {
  const auto d = draws(alone(profile_of_mass(1, 4, 1, 0)), 100000);
  EXPECT_LE(kolmogorov(d.r, [](double r) { return r * r / ((1 + r) * (1 + r)); }), kolmogorov_bound);
  const auto v2 = mean_of(d.v2), radial = mean_of(d.radial2);
  EXPECT_LE(std::abs(v2.value - 1.0 / 6), 4 * v2.error);           // 2 T = |W| = G M^2 / (6 a)
  EXPECT_LE(std::abs(radial.value - 1.0 / 18), 4 * radial.error);  // isotropic
}

TEST(Hernquist, IsCutAndBoundAndInBalance) {
  const auto s = made("hernquist", {"n=4001", "mass=2", "scale=3", "cut=10"});
  // W scatters by 2 sd(phi)/<phi> = 1.41 / sqrt n for Hernquist's potential, T by about 1.1 / sqrt n: four
  // times their sum, halved.
  EXPECT_LE(std::abs(virial_ratio(s) - 0.5), 4 * 0.5 * 2.5 / std::sqrt(4001.0));
  const auto b = s.bodies;
  const auto r = radii(b);
  for (std::size_t i = 0; i < b.size(); ++i) ASSERT_LE(norm(b.velocity(i)), std::sqrt(2 * 2 / 3.0) * 1.1);
  EXPECT_LE(*std::max_element(r.begin(), r.end()), 30 * 30);  // exp(-30) of the mass is beyond
}

TEST(Nfw, HasItsMassProfileDispersionsAndTheVirialTheorem) {
  constexpr double cut = 8;
  // By trapezium rules of our own in ln r, from 1e-5 to 30 cuts: M(r), then Jeans: rho sigma^2 = integral of
  // rho M / r dlnr.
  constexpr int n = 40000;
  constexpr double low = 1e-5, high = 30 * cut;
  const double h = std::log(high / low) / n;
  const auto rho = [](double r) { return 1 / (r * (1 + r) * (1 + r)) / std::cosh(r / cut); };
  std::vector<double> r(n + 1), mass(n + 1), sigma2(n + 1);
  for (int k = 0; k <= n; ++k) r[k] = low * std::exp(h * k);
  mass[0] = 2 * pi * low * low;
  double W = 0;
  for (int k = 1; k <= n; ++k) {
    const auto shell = [&](double x) { return 4 * pi * x * x * x * rho(x); };
    const double dm = 0.5 * h * (shell(r[k]) + shell(r[k - 1]));
    mass[k] = mass[k - 1] + dm;
    W += dm * 0.5 * (mass[k] / r[k] + mass[k - 1] / r[k - 1]);
  }
  double pressure = 0;
  for (int k = n - 1; k >= 0; --k) {
    pressure += 0.5 * h * (rho(r[k]) * mass[k] / r[k] + rho(r[k + 1]) * mass[k + 1] / r[k + 1]);
    sigma2[k] = pressure / rho(r[k]);
  }
  const double M = mass[n];
  const auto index = [&](double x) { return std::clamp(static_cast<int>(std::log(x / low) / h), 0, n - 1); };

  const auto d = draws(alone(profile_of_mass(1, 3, 1, cut)), 100000);
  EXPECT_LE(kolmogorov(d.r, [&](double x) { return mass[index(x)] / M; }), kolmogorov_bound);
  const auto v2 = mean_of(d.v2);
  EXPECT_LE(std::abs(v2.value - W / (M * M)), 4 * v2.error);  // 2 T = |W| with the mass scaled to 1
  // v^2 / (3 sigma^2) has the mean 1 in every decade of radius, and v_r^2 / sigma^2 too.
  for (const double from : {0.01, 0.1, 1.0, 10.0}) {
    std::vector<double> all, radial;
    for (std::size_t i = 0; i < d.r.size(); ++i) {
      if (d.r[i] < from || d.r[i] >= 10 * from) continue;
      const double s2 = sigma2[index(d.r[i])] / M;
      all.push_back(d.v2[i] / (3 * s2)), radial.push_back(d.radial2[i] / s2);
    }
    ASSERT_GE(all.size(), 50u) << from;
    EXPECT_LE(std::abs(mean_of(all).value - 1), 4 * mean_of(all).error) << "from r = " << from;
    EXPECT_LE(std::abs(mean_of(radial).value - 1), 4 * mean_of(radial).error) << "from r = " << from;
  }
  // Scatter as for Hernquist's sphere, whose cusp is the same.
  EXPECT_LE(std::abs(virial_ratio(made("nfw", {"n=4001"})) - 0.5), 4 * 0.5 * 2.5 / std::sqrt(4001.0));
}

TEST(King, HasItsEdgeItsProfileAndHenonUnits) {
  // King's equation by small Euler steps in x; the concentrations are those of King (1966) to their printed
  // digits.
  for (const auto& [w0, concentration] : {std::pair{3.0, 0.672}, {6.0, 1.255}, {9.0, 2.12}}) {
    const auto density = [](double w) {
      return w > 0 ? std::exp(w) * std::erf(std::sqrt(w)) - std::sqrt(4 * w / pi) * (1 + 2 * w / 3) : 0;
    };
    const double h = w0 < 7 ? 1e-4 : 1e-3;
    std::vector<double> mass{0};
    double w = w0, m = 0, x = 0, W = 0;
    while (w > 0) {
      const double middle = x + h / 2, dm = 9 * middle * middle * density(w) / density(w0) * h;
      W += (m + dm / 2) / middle * dm;
      m += dm, x += h;
      w -= m / (x * x) * h;
      mass.push_back(m);
    }
    EXPECT_LE(std::abs(std::log10(x) - concentration), 0.005)
        << w0;  // three digits, and the steps err by h / x_core
    const double length = 2 * W / (m * m), edge = x * length;
    char setting[16];
    std::snprintf(setting, sizeof setting, "W0=%g", w0);
    const auto b = made("king", {"n=40000", setting}).bodies;
    const auto r = radii(b);
    const auto cumulative = [&](double at) {
      return mass[std::min(mass.size() - 1, static_cast<std::size_t>(at / length / h))] / m;
    };
    EXPECT_LE(kolmogorov(r, cumulative), kolmogorov_bound) << w0;
    EXPECT_LE(*std::max_element(r.begin(), r.end()), edge * (1 + 4 / std::sqrt(40000.0)))
        << w0;  // the shift to the centre
    std::vector<double> v2;
    for (std::size_t i = 0; i < b.size(); ++i) v2.push_back(dot(b.velocity(i), b.velocity(i)));
    EXPECT_LE(std::abs(mean_of(v2).value - 0.5), 4 * mean_of(v2).error) << w0;  // 2 T = |W| = 1/2
  }
}
