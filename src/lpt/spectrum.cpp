#include "lpt/spectrum.hpp"

#include <pleiad/error.hpp>

#include <cmath>

#include <fmt/format.h>

namespace pleiad::lpt {
namespace {

void need_positive(double value, const char* name) {
  if (!(value > 0 && std::isfinite(value)))
    throw UsageError(fmt::format("{} must be finite and > 0, not {:g}", name, value));
}

LinearPower of_table(const Spectrum& s, const cosmology::Cosmology& universe) {
  if (s.a_s) throw UsageError("a table of P(k) has its own amplitude: it takes sigma8, but not a_s");
  if (!(s.table_redshift >= 0 && std::isfinite(s.table_redshift)))
    throw UsageError(fmt::format("the redshift of the table must be >= 0, not {:g}", s.table_redshift));
  const double back = cosmology::scale_back(universe, cosmology::scale_factor_of(s.table_redshift));
  const auto power = power_of_table(s.table).times(1 / (back * back));
  return s.sigma8 ? with_sigma8(power, *s.sigma8) : power;
}

LinearPower of_transfer(const Spectrum& s, const cosmology::Cosmology& universe) {
  if (!s.sigma8 && !s.a_s) throw UsageError("the spectrum needs an amplitude: give sigma8 or a_s");
  if (!std::isfinite(s.n_s)) throw UsageError(fmt::format("n_s must be finite, not {:g}", s.n_s));
  need_positive(s.t_cmb, "t_cmb");
  if (!(universe.omega_b < universe.omega_m))
    throw UsageError(fmt::format(
        "the transfer function needs cold dark matter: omega_b must be < omega_m = {:g}", universe.omega_m));
  const Contents contents{
      .omega_m = universe.omega_m, .omega_b = universe.omega_b, .h = universe.h, .t_cmb = s.t_cmb};
  const auto power =
      s.shape == Spectrum::Shape::no_wiggle
          ? power_law(SmoothTransfer(contents), s.n_s, "Eisenstein & Hu 1998 without oscillations")
          : power_law(Transfer(contents), s.n_s, "Eisenstein & Hu 1998");
  if (s.sigma8) return with_sigma8(power, *s.sigma8);
  return power.times(
      amplitude_of(*s.a_s, s.n_s, universe.omega_m, universe.h, cosmology::growth(universe, 1).D1));
}

}  // namespace

LinearPower linear_power(const Spectrum& s, const cosmology::Cosmology& universe) {
  cosmology::check(universe);
  if (s.sigma8 && s.a_s) throw UsageError("sigma8 and a_s both set the amplitude; give one of them");
  if (s.sigma8) need_positive(*s.sigma8, "sigma8");
  if (s.a_s) need_positive(*s.a_s, "a_s");
  return s.shape == Spectrum::Shape::table ? of_table(s, universe) : of_transfer(s, universe);
}

}  // namespace pleiad::lpt
