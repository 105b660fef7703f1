/// The universe of comoving bodies: its numbers as functions of the scale factor, and its initial conditions.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/initial_conditions.hpp"
#include "lpt/spectrum.hpp"
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "structure/comoving.hpp"
#include "structure/mass_function.hpp"
#include "structure/measures.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::python {
namespace {

namespace cs = cosmology;

cs::Cosmology checked(const Dict& data) {
  auto c = structure::cosmology_of(universe_of(data));
  cs::check(c);
  return c;
}

/// Julian years of 1 / (100 km/s/Mpc), a megaparsec in km over 100 km/s; kilometres a second of light.
constexpr double hubble_time = 3.0856775814913673e19 / 100 / 3.15576e7;
constexpr double light = 299792.458;

/// The numbers that Cosmology of Python offers, at a scale factor.
std::function<double(double)> quantity_of(const cs::Cosmology& c, const std::string& name) {
  if (name == "expansion_rate") return [c](double a) { return cs::expansion_rate(c, a); };
  if (name == "hubble") return [c](double a) { return 100 * c.h * cs::expansion_rate(c, a); };
  if (name == "matter_fraction") return [c](double a) { return cs::matter_fraction(c, a); };
  if (name == "growth_factor")
    return [c, today = cs::growth(c, 1).D1](double a) { return cs::growth(c, a).D1 / today; };
  if (name == "growth_rate") return [c](double a) { return cs::growth(c, a).f1; };
  if (name == "age") return [c](double a) { return cs::age(c, a) * hubble_time / c.h / 1e9; };
  if (name == "comoving_distance")
    return [c](double a) { return cs::comoving_distance(c, a) * light / (100 * c.h); };
  if (name == "virial_overdensity") return [c](double a) { return cs::virial_overdensity(c, a); };
  throw UsageError(fmt::format("no quantity '{}'", name));
}

std::vector<double> quantity(const Dict& universe, const std::string& name, std::vector<double> values) {
  const auto of = quantity_of(checked(universe), name);
  return without_gil([&] {
    for (double& a : values) {
      if (!(a >= 1e-8 && a <= 1e8))
        throw UsageError(fmt::format("a scale factor is from 1e-8 to 1e8, not {}", a));
      a = of(a);
    }
    return std::move(values);
  });
}

double number_in(const Dict& data, const char* key) {
  double value = 0;
  if (!data.contains(key) || !nb::try_cast(nb::object(data[key]), value))
    throw UsageError(fmt::format("{} must be a number", key));
  return value;
}

lpt::Spectrum spectrum_of(const Dict& asked) {
  lpt::Spectrum spectrum;
  const auto maybe = [&](const char* key) {
    const nb::object value = asked[key];
    return value.is_none() ? std::nullopt : std::optional(number_in(asked, key));
  };
  spectrum.sigma8 = maybe("sigma8"), spectrum.a_s = maybe("a_s");
  const auto table = nb::cast<std::string>(asked["power"]),
             transfer = nb::cast<std::string>(asked["transfer"]);
  if (!table.empty()) {
    spectrum.shape = lpt::Spectrum::Shape::table, spectrum.table = table;
    spectrum.table_redshift = number_in(asked, "power_redshift");
    return spectrum;
  }
  spectrum.n_s = number_in(asked, "n_s");
  if (transfer == "no-wiggle") spectrum.shape = lpt::Spectrum::Shape::no_wiggle;
  return spectrum;
}

/// Bodies of a young universe, and what is known of them.
Dict initial_conditions(const Dict& universe, const Dict& asked) {
  const auto c = checked(universe);
  const auto spectrum = spectrum_of(asked);
  lpt::Request request{.universe = c,
                       .box = number_in(asked, "box"),
                       .n = nb::cast<std::size_t>(asked["n"]),
                       .redshift = number_in(asked, "redshift"),
                       .order = nb::cast<int>(asked["order"]),
                       .field = {.seed = nb::cast<std::uint64_t>(asked["seed"]),
                                 .fixed = nb::cast<bool>(asked["fixed"]),
                                 .paired = nb::cast<bool>(asked["paired"])}};
  const auto ic = without_gil([&] {
    request.power = lpt::linear_power(spectrum, c);
    return lpt::initial_conditions(request);
  });
  auto data = dict_of(ic.snapshot);
  data["universe"] = universe;
  return data;
}

/// Linear P(k) of today at these wave numbers.
std::vector<double> linear_power(const Dict& universe, const Dict& asked, std::vector<double> k) {
  const auto power = lpt::linear_power(spectrum_of(asked), checked(universe));
  for (double& value : k) {
    if (!(value >= power.range.low && value <= power.range.high))
      throw UsageError(fmt::format("the spectrum has wave numbers from {:g} to {:g} h/Mpc, not {:g}",
                                   power.range.low, power.range.high, value));
    value = power.at(value);
  }
  return k;
}

/// The mass function of groups, in the units of the bodies or, of comoving ones, in Msun/h and (h/Mpc)^3.
Dict mass_function(std::vector<double> masses, double volume, nb::handle units, bool comoving,
                   std::size_t per_decade) {
  const auto of = units_of(units);
  const auto megaparsec = comoving ? structure::megaparsec_in(of) : std::nullopt;
  if (megaparsec) {
    volume /= *megaparsec * *megaparsec * *megaparsec;
    for (double& mass : masses) mass *= structure::solar_masses_in(of);
  }
  const auto bins = structure::mass_function(masses, volume, per_decade);
  auto columns = structure::table_of(bins);
  Dict all, about;
  if (megaparsec) about["columns"] = "masses in Msun/h, dn_dlogm, error and above in (h/Mpc)^3";
  Dict arrays;
  for (auto& column : columns.all)
    arrays[std::string(column.name).c_str()] =
        column.name == "groups"
            ? array_of(std::vector<std::int64_t>(column.values.begin(), column.values.end()))
            : array_of(std::move(column.values));
  all["about"] = about, all["columns"] = arrays;
  return all;
}

/// The densities that are not possible are refused; the dark energy of a flat universe where none is stated.
double dark_energy(const Dict& universe) {
  auto data = universe_of(universe);
  const nb::object stated = universe["omega_lambda"];
  auto c = structure::cosmology_of(data);
  if (stated.is_none()) c = cs::flat(c);
  cs::check(c);
  return c.omega_lambda;
}

}  // namespace

ComovingUniverse universe_of(const Dict& data) {
  const nb::object dark = data["omega_lambda"];
  return {.omega_m = number_in(data, "omega_m"),
          .omega_b = number_in(data, "omega_b"),
          .omega_lambda = dark.is_none() ? 0 : number_in(data, "omega_lambda"),
          .omega_r = number_in(data, "omega_r"),
          .w0 = number_in(data, "w0"),
          .wa = number_in(data, "wa"),
          .h = number_in(data, "h")};
}

std::optional<ComovingUniverse> universe_in(const Dict& snapshot) {
  if (!snapshot.contains("universe")) return std::nullopt;
  const nb::object universe = snapshot["universe"];
  if (universe.is_none()) return std::nullopt;
  return universe_of(nb::cast<Dict>(universe));
}

Dict dict_of(const ComovingUniverse& u) {
  if (u.neutrino_masses != std::array<double, 4>{})
    throw UsageError(
        "these bodies are in a universe with massive neutrinos, which pleiad.Cosmology does not have: read "
        "them "
        "with physical=True, or use the command");
  Dict data;
  data["omega_m"] = u.omega_m, data["omega_lambda"] = u.omega_lambda, data["omega_r"] = u.omega_r;
  data["omega_b"] = u.omega_b, data["w0"] = u.w0, data["wa"] = u.wa, data["h"] = u.h;
  return data;
}

void add_cosmology(nb::module_& module) {
  module.def("cosmology", quantity, nb::arg("universe"), nb::arg("quantity"), nb::arg("values"),
             "A quantity of a universe at scale factors.");
  module.def("dark_energy", dark_energy, nb::arg("universe"), "omega_lambda of a universe that is possible.");
  module.def("cosmology_ic", initial_conditions, nb::arg("universe"), nb::arg("asked"),
             "Bodies of a young universe.");
  module.def("linear_power", linear_power, nb::arg("universe"), nb::arg("asked"), nb::arg("k"),
             "The linear power spectrum of today.");
  module.def("mass_function", mass_function, nb::arg("masses"), nb::arg("volume"), nb::arg("units"),
             nb::arg("comoving"), nb::arg("per_decade"), "Groups per volume and decade of mass.");
}

}  // namespace pleiad::python
