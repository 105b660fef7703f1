/// The homogeneous universe: its densities, its expansion, integrals over the scale factor, linear growth.
/// All results are in units of the Hubble constant H0: a rate in H0, a time in 1/H0, a distance in c/H0.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/units.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace pleiad::cosmology {

/// Masses of neutrinos, eV; 0: no neutrino. Massless ones are radiation.
inline constexpr std::size_t most_massive_neutrinos = 4;
using NeutrinoMasses = std::array<double, most_massive_neutrinos>;
/// Their temperature of today over that of the photons: 1.95176 K for 2.7255 K (as in CLASS; a little more
/// than (4/11)^(1/3), since they had not quite decoupled when electrons annihilated).
inline constexpr double neutrino_temperature_ratio = 0.716110;

/// Densities at scale factor a = 1, relative to the critical density, and the equation of state of dark
/// energy, w(a) = w0 + wa (1 - a). The curvature is the rest, so that the densities add up to 1.
struct Cosmology {
  double omega_m = 0.3;       ///< matter, baryons included; not massive neutrinos
  double omega_b = 0;         ///< baryons, for the transfer function; the expansion does not use it
  double omega_lambda = 0.7;  ///< dark energy
  double omega_r = 0;         ///< radiation: photons and massless neutrinos
  double w0 = -1, wa = 0;
  double h = 0.7;  ///< H0 in 100 km/s/Mpc
  /// Masses of massive neutrinos, which are a smooth part of the background: they make space expand, and
  /// neither form structure nor pull. Their density takes h.
  NeutrinoMasses neutrino_masses{};
  double t_nu = 1.95176;  ///< temperature of massive neutrinos today, kelvin

  bool has_massive_neutrinos() const { return neutrino_masses != NeutrinoMasses{}; }
  /// The density of massive neutrinos today.
  double omega_nu() const;
  /// 1 - omega_m - omega_lambda - omega_r - omega_nu: positive in an open universe.
  double omega_k() const { return 1 - omega_m - omega_lambda - omega_r - omega_nu(); }
  bool operator==(const Cosmology&) const = default;
};

/// The same cosmology with the dark energy that makes it flat.
Cosmology flat(Cosmology cosmology);

/// omega_r of photons of the temperature t_cmb (kelvin) and n_eff massless neutrinos: h^2 omega_gamma =
/// 2.473e-5 (t_cmb / 2.7255 K)^4, times 1 + 0.2271 n_eff.
double radiation_density(double t_cmb, double n_eff, double h);
/// What is left of n_eff, the effective number of all neutrinos while all are fast, for massless ones: each
/// massive one has been 1.0132 of them. UsageError if n_eff is less than that.
double massless_rest(double n_eff, const NeutrinoMasses& masses);
/// Masses in eV as a cosmology has them. UsageError for more than there is room for, and for masses that are
/// not above 0.
NeutrinoMasses neutrino_masses_of(std::span<const double> masses);
/// The density of massive neutrinos at a, over the critical density of today: for each, the integral of Fermi
/// and Dirac of x^2 sqrt(x^2 + y^2) / (e^x + 1) dx with y = m a / (k t_nu), times a^-4. Relative error of the
/// integral below 1e-14.
double neutrino_density(const Cosmology& cosmology, double a);

/// UsageError in one sentence if a density is not usable, or if the universe never had the scale factors
/// from a = 1e-8 to 1.
void check(const Cosmology& cosmology);

/// E(a) = H(a) / H0.
double expansion_rate(const Cosmology& cosmology, double a);
/// d ln H / d ln a.
double expansion_slope(const Cosmology& cosmology, double a);
/// Omega_m(a), the density of matter at a relative to the critical density then.
double matter_fraction(const Cosmology& cosmology, double a);
/// The mean density of a virialised sphere at a, in critical densities then, by the fits of Bryan and Norman
/// (1998) with x = Omega_m(a) - 1: 18 pi^2 + 82 x - 39 x^2, or without dark energy 18 pi^2 + 60 x - 32 x^2.
double virial_overdensity(const Cosmology& cosmology, double a);

/// H0 integral da / (a^2 H) = H0 integral dt / a from a = from to a = to: what a kick multiplies a pull in
/// comoving coordinates by. It is also H0 times the conformal time. Relative error below 1e-13.
double kick(const Cosmology& cosmology, double from, double to);
/// H0 integral da / (a^3 H) = H0 integral dt / a^2: what a drift multiplies the momentum a^2 dx/dt by.
double drift(const Cosmology& cosmology, double from, double to);
/// H0 (t(to) - t(from)), of the cosmic time.
double elapsed(const Cosmology& cosmology, double from, double to);
/// H0 t(a), the cosmic time since a = 0.
double age(const Cosmology& cosmology, double a);
/// The comoving distance, radially, to what is seen at a, in c / H0.
double comoving_distance(const Cosmology& cosmology, double a);

/// Linear growth of matter at one scale factor: delta = D1 delta_0 at first order, and displacements
/// -D1 grad phi1 + D2 grad phi2, D2 < 0. D1 is a in a universe of matter alone, and starts as
/// a + (2/3) omega_r / omega_m where there is radiation, with that of neutrinos that have been fast.
struct Growth {
  double D1 = 0, f1 = 0;  ///< f1 = d ln D1 / d ln a
  double D2 = 0, f2 = 0;  ///< f2 = d ln D2 / d ln a
};
/// The solution of D1'' + (2 + H'/H) D1' = (3/2) Omega_m(a) D1 and of the same equation for D2 with the
/// source D2 - D1^2, where ' is d/d ln a. Massive neutrinos are in H alone: matter grows as it does below
/// their free-streaming length. Relative error below 1e-11.
Growth growth(const Cosmology& cosmology, double a);
/// D1(a) / D1(1): what a linear field of today is multiplied by.
double scale_back(const Cosmology& cosmology, double a);

/// The Hubble constant in units whose lengths are length_cm / h and whose masses are mass_g / h: 100
/// km/s/Mpc, whatever h is. The gravitational constant has the value of units.G(). UsageError if the units
/// have no physical scale.
double hubble_constant(const Units& units);
/// The Hubble constant for which bodies of this mean comoving density are all of the matter:
/// sqrt(8 pi G density / (3 omega_m)).
double hubble_constant(const Cosmology& cosmology, double G, double density);
/// The mean comoving density of matter, omega_m 3 H0^2 / (8 pi G).
double matter_density(const Cosmology& cosmology, double G, double H0);

/// z = 1 / a - 1.
inline double redshift_of(double a) { return 1 / a - 1; }
/// a = 1 / (1 + z).
inline double scale_factor_of(double redshift) { return 1 / (1 + redshift); }

}  // namespace pleiad::cosmology
