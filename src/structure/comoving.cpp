#include "structure/comoving.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::structure {

double Comoving::flow() const { return a * hubble * cosmology::expansion_rate(universe, a); }

double Comoving::critical_density(double G) const {
  const double rate = hubble * cosmology::expansion_rate(universe, a);
  return 3 * rate * rate * a * a * a / (8 * std::numbers::pi * G);
}

double mean_density(const Snapshot& s) {
  const auto& l = s.boundary.length;
  return centre_of_mass(s.bodies).mass / (l.x * l.y * l.z);
}

cosmology::Cosmology cosmology_of(const ComovingUniverse& u) {
  return {.omega_m = u.omega_m,
          .omega_b = u.omega_b,
          .omega_lambda = u.omega_lambda,
          .omega_r = u.omega_r,
          .w0 = u.w0,
          .wa = u.wa,
          .h = u.h,
          .neutrino_masses = u.neutrino_masses,
          .t_nu = u.t_nu};
}

std::optional<Comoving> comoving_of(const Snapshot& s, const std::optional<ComovingUniverse>& stated) {
  if (!stated) return std::nullopt;
  Comoving c{.universe = cosmology_of(*stated), .a = s.time};
  try {
    cosmology::check(c.universe);
  } catch (const UsageError& e) {
    throw InputError(
        fmt::format("the universe that the bodies are said to be in is not possible: {}", e.what()));
  }
  if (!(c.a > 0 && std::isfinite(c.a)))
    throw InputError(fmt::format("the time of comoving bodies is the scale factor, > 0, not {}", c.a));
  if (s.units.physical) {
    c.hubble = cosmology::hubble_constant(s.units);
    return c;
  }
  const double density = s.boundary.periodic ? mean_density(s) : 0;
  if (!(density > 0))
    throw InputError("comoving bodies in N-body units need a periodic box and mass, which H0 follows from");
  c.hubble = cosmology::hubble_constant(c.universe, s.G, density);
  return c;
}

std::optional<double> megaparsec_in(const Units& units) {
  if (!units.physical) return std::nullopt;
  return 1000 * units_named("galactic").length_cm / units.length_cm;
}

double solar_masses_in(const Units& units) { return units.mass_g / (units_named("galactic").mass_g * 1e-10); }

std::vector<std::string> words_of(const Comoving& c) {
  const auto& u = c.universe;
  const double z = cosmology::redshift_of(c.a);
  auto words = fmt::format("universe: omega_m {:.9g}, omega_lambda {:.9g}, omega_r {:.9g}, h {:.9g}",
                           u.omega_m, u.omega_lambda, u.omega_r, u.h);
  if (u.has_massive_neutrinos()) words += fmt::format(", omega_nu {:.9g}", u.omega_nu());
  if (u.w0 != -1 || u.wa != 0) words += fmt::format(", w0 {:.9g}, wa {:.9g}", u.w0, u.wa);
  return {fmt::format("scale_factor: {}", c.a), fmt::format("redshift: {:.12g}", std::abs(z) < 1e-12 ? 0 : z),
          words};
}

}  // namespace pleiad::structure
