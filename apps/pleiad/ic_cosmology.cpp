/// `pleiad ic cosmology`: bodies of a young universe, as comoving GADGET HDF5.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ic_cosmology.hpp"

#include "core/json_text.hpp"
#include "core/print.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "lpt/initial_conditions.hpp"
#include "lpt/spectrum.hpp"
#include "numbers.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

/// The defaults are those of the Planck Collaboration, Astronomy and Astrophysics 641, A6 (2020), table 2,
/// last column.
struct CosmologyArguments {
  double box = 0, redshift = 49, table_redshift = 0;
  std::uint64_t n = 0, seed = 1, order = 2;
  double omega_m = 0.3111, omega_b = 0.049, omega_r = 0, h = 0.6766, w0 = -1, wa = 0;
  std::optional<double> omega_lambda, n_s, t_cmb, n_eff, sigma8, a_s;
  bool radiation = false, fixed = false, paired = false, single = false, json = false;
  std::string transfer = "eisenstein-hu", table, length_unit = "kpc", out;
};
constexpr double default_sigma8 = 0.8102;

cosmology::Cosmology universe_of(const CosmologyArguments& a, double t_cmb) {
  cosmology::Cosmology universe{.omega_m = a.omega_m,
                                .omega_b = a.omega_b,
                                .omega_lambda = 0,
                                .omega_r = a.omega_r,
                                .w0 = a.w0,
                                .wa = a.wa,
                                .h = a.h};
  if (a.radiation) {
    if (a.omega_r != 0) throw UsageError("pleiad ic cosmology: --radiation sets --omega-r; give one of them");
    universe.omega_r = cosmology::radiation_density(t_cmb, a.n_eff.value_or(3.046), a.h);
  } else if (a.n_eff) {
    throw UsageError("pleiad ic cosmology: --n-eff is for --radiation");
  }
  universe = cosmology::flat(universe);
  if (a.omega_lambda) universe.omega_lambda = *a.omega_lambda;
  return universe;
}

lpt::Spectrum spectrum_of(const CosmologyArguments& a) {
  lpt::Spectrum spectrum{
      .sigma8 = a.sigma8, .a_s = a.a_s, .table = a.table, .table_redshift = a.table_redshift};
  if (a.n_s) spectrum.n_s = *a.n_s;
  if (a.t_cmb) spectrum.t_cmb = *a.t_cmb;
  if (!a.table.empty()) {
    if (a.n_s) throw UsageError("pleiad ic cosmology: --n-s is not used with a table of P(k)");
    if (a.t_cmb && !a.radiation)
      throw UsageError("pleiad ic cosmology: --t-cmb is not used with a table of P(k) without --radiation");
    if (a.transfer != "eisenstein-hu")
      throw UsageError(
          "pleiad ic cosmology: --transfer and --power both give the spectrum; give one of them");
    spectrum.shape = lpt::Spectrum::Shape::table;
    return spectrum;
  }
  if (a.table_redshift != 0) throw UsageError("pleiad ic cosmology: --power-redshift is for --power");
  if (a.transfer == "no-wiggle") spectrum.shape = lpt::Spectrum::Shape::no_wiggle;
  if (!a.sigma8 && !a.a_s) spectrum.sigma8 = default_sigma8;
  return spectrum;
}

/// The universe and the amplitude in full, so that the file describes itself.
std::string provenance(const CosmologyArguments& a, const cosmology::Cosmology& u, const lpt::Spectrum& s) {
  std::string text = fmt::format(
      "pleiad ic cosmology --box {} -n {} --redshift {} --seed {} --order {} --omega-m {} --omega-b {} "
      "--omega-lambda {} --omega-r {} --w0 {} --wa {} --h {}",
      a.box, a.n, a.redshift, a.seed, a.order, u.omega_m, u.omega_b, u.omega_lambda, u.omega_r, u.w0, u.wa,
      u.h);
  if (a.table.empty()) text += fmt::format(" --transfer {} --n-s {} --t-cmb {}", a.transfer, s.n_s, s.t_cmb);
  else text += fmt::format(" --power {} --power-redshift {}", a.table, a.table_redshift);
  if (s.sigma8) text += fmt::format(" --sigma8 {}", *s.sigma8);
  if (s.a_s) text += fmt::format(" --a-s {}", *s.a_s);
  if (a.fixed) text += " --fixed";
  if (a.paired) text += " --paired";
  return text + fmt::format(" --length-unit {}", a.length_unit);
}

/// sigma(8 Mpc/h) of today; none if the table does not have the scales.
std::optional<double> sigma8_of(const lpt::LinearPower& power) {
  try {
    return lpt::sigma(power, 8);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void print_as_json(const CosmologyArguments& a, const cosmology::Cosmology& u,
                   const lpt::InitialConditions& ic, std::optional<double> sigma8, double mass) {
  nlohmann::ordered_json out{{"file", a.out},
                             {"bodies", a.n * a.n * a.n},
                             {"box", a.box},
                             {"redshift", a.redshift},
                             {"seed", a.seed},
                             {"mass_of_body", mass},
                             {"omega_m", u.omega_m},
                             {"omega_b", u.omega_b},
                             {"omega_lambda", u.omega_lambda},
                             {"omega_r", u.omega_r},
                             {"h", u.h},
                             {"sigma8", nullptr},
                             {"growth", ic.scale_back},
                             {"f1", ic.growth.f1},
                             {"rms_density", ic.rms_density},
                             {"rms_displacement", ic.rms_displacement},
                             {"largest_displacement", ic.largest_displacement}};
  if (sigma8) out["sigma8"] = *sigma8;
  print_out("{}\n", json_text(out));
}

void print_as_text(const CosmologyArguments& a, const cosmology::Cosmology& u,
                   const lpt::InitialConditions& ic, const std::string& source, std::optional<double> sigma8,
                   double mass) {
  print_out("{}: {}^3 bodies of {:.6g} Msun/h in a box of {:g} Mpc/h, seed {}\n", a.out, a.n, mass, a.box,
            a.seed);
  print_out("redshift         {:g}, scale factor {:.6g}\n", a.redshift, 1 / (1 + a.redshift));
  print_out("universe         omega_m {:g}, omega_b {:g}, omega_lambda {:g}, omega_r {:.4g}, h {:g}{}\n",
            u.omega_m, u.omega_b, u.omega_lambda, u.omega_r, u.h,
            u.w0 == -1 && u.wa == 0 ? "" : fmt::format(", w0 {:g}, wa {:g}", u.w0, u.wa));
  print_out("spectrum         {}, sigma8 {}\n", source,
            sigma8 ? fmt::format("{:.6g}", *sigma8) : "unknown: the table does not have its scales");
  print_out("growth           D/D(today) {:.6g}, d ln D / d ln a {:.6g}\n", ic.scale_back, ic.growth.f1);
  print_out("density          rms of the linear field on the lattice {:.4g}\n", ic.rms_density);
  print_out("displacements    rms {:.4g}, largest along an axis {:.4g} of the mean distance of the bodies\n",
            ic.rms_displacement, ic.largest_displacement);
}

void make(const CosmologyArguments& a) {
  if (a.box <= 0 || a.n == 0)
    throw UsageError(
        "pleiad ic cosmology: give the box in Mpc/h and the bodies along its side, as in --box 50 -n 128");
  if (a.out.empty()) throw UsageError("pleiad ic cosmology: give the file to write, as in -o box.hdf5");
  if (is_standard_output(a.out))
    throw UsageError("pleiad ic cosmology: the bodies go to a file, not to the standard output");
  const Format* format = format_by_ending(a.out);
  if (format == nullptr || format->name != "hdf5")
    throw UsageError(
        fmt::format("pleiad ic cosmology: '{}' must end with .hdf5: GADGET HDF5 says that bodies "
                    "are comoving",
                    a.out));
  Claims claims;
  if (!a.table.empty()) claims.reads(a.table);
  claims.writes(a.out, "--output");
  const auto spectrum = spectrum_of(a);
  const auto universe = universe_of(a, spectrum.t_cmb);
  const auto power = lpt::linear_power(spectrum, universe);
  auto ic = lpt::initial_conditions({.universe = universe,
                                     .power = power,
                                     .box = a.box,
                                     .n = a.n,
                                     .redshift = a.redshift,
                                     .order = int(a.order),
                                     .field = {.seed = a.seed, .fixed = a.fixed, .paired = a.paired}});
  WriteOptions how{.format = format,
                   .double_precision = !a.single,
                   .provenance = provenance(a, universe, spectrum),
                   .universe = ComovingUniverse{.omega_m = universe.omega_m,
                                                .omega_b = universe.omega_b,
                                                .omega_lambda = universe.omega_lambda,
                                                .omega_r = universe.omega_r,
                                                .w0 = universe.w0,
                                                .wa = universe.wa,
                                                .h = universe.h}};
  const Units galactic = ic.snapshot.units;
  if (a.length_unit == "Mpc")
    how.units = custom_units(1000 * galactic.length_cm, galactic.mass_g, galactic.velocity_cm_s);
  const double mass = 1e10 * ic.snapshot.bodies.mass.front();
  write_snapshot(a.out, std::move(ic.snapshot), how);
  const auto sigma8 = sigma8_of(power);
  if (a.json) print_as_json(a, universe, ic, sigma8, mass);
  else print_as_text(a, universe, ic, power.source, sigma8, mass);
}

}  // namespace

Command add_ic_cosmology(Command ic) {
  auto a = std::make_shared<CosmologyArguments>();
  auto command = ic.add_subcommand(
      "cosmology", "Make a young universe: a lattice displaced by first or second order perturbation theory");
  const auto any = number(), positive = number(0, std::numeric_limits<double>::max(), true),
             at_least_0 = number(0);
  command.add_option("--box", a->box, "Side of the periodic box, Mpc/h").check(positive);
  command.add_option("-n,--n", a->n, "Bodies along a side: there are N^3").transform(whole_number(3, 4096));
  command.add_option("--redshift", a->redshift, "Redshift of the bodies")
      .check(number(0, 1e4))
      .capture_default_str();
  command
      .add_option(
          "--seed", a->seed,
          "Random seed: the same seed gives the same waves for every -n, on every machine and for any "
          "number of threads")
      .transform(seed_number())
      .capture_default_str();
  command.add_option("-o,--output", a->out, "Output file, .hdf5");
  command.add_option("--omega-m", a->omega_m, "Matter, over the critical density")
      .check(positive)
      .capture_default_str();
  command.add_option("--omega-b", a->omega_b, "Baryons in it").check(at_least_0).capture_default_str();
  command.add_option("--omega-lambda", a->omega_lambda, "Dark energy [a flat universe]").check(any);
  command.add_option("--omega-r", a->omega_r, "Radiation in the expansion")
      .check(at_least_0)
      .capture_default_str();
  command.add_flag("--radiation", a->radiation,
                   "Take --omega-r from photons and massless neutrinos, of --t-cmb and --n-eff");
  command.add_option("--n-eff", a->n_eff, "Number of massless neutrinos, for --radiation [3.046]")
      .check(at_least_0);
  command.add_option("--w0", a->w0, "Equation of state of dark energy").check(any).capture_default_str();
  command.add_option("--wa", a->wa, "Its change, w(a) = w0 + wa (1 - a)").check(any).capture_default_str();
  command.add_option("--h", a->h, "Hubble constant in 100 km/s/Mpc").check(positive).capture_default_str();
  command.add_option("--t-cmb", a->t_cmb, "Temperature of the background radiation, kelvin [2.7255]")
      .check(positive);
  command
      .add_option("--transfer", a->transfer,
                  "eisenstein-hu, or no-wiggle: the same without acoustic oscillations")
      .one_of({"eisenstein-hu", "no-wiggle"})
      .capture_default_str();
  command.add_option("--n-s", a->n_s, "Index of the primordial spectrum [0.9665]").check(any);
  command
      .add_option(
          "--sigma8", a->sigma8,
          fmt::format("Amplitude of today in spheres of 8 Mpc/h [{}; of a table its own]", default_sigma8))
      .check(positive);
  command.add_option("--a-s", a->a_s, "Instead: amplitude of the primordial spectrum at 0.05 per Mpc")
      .check(positive);
  command.add_option("--power", a->table,
                     "Table of the linear P(k), as CAMB and CLASS write it: k in h/Mpc, P in (Mpc/h)^3");
  command.add_option("--power-redshift", a->table_redshift, "Redshift of that table")
      .check(at_least_0)
      .capture_default_str();
  command.add_option("--order", a->order, "1: Zel'dovich, 2: second order (2LPT)")
      .transform(whole_number(1, 2))
      .capture_default_str();
  command.add_flag("--fixed", a->fixed, "Every wave has its mean amplitude; phases are random");
  command.add_flag("--paired", a->paired, "Turn all phases by pi: the partner of the same seed without it");
  command.add_option("--length-unit", a->length_unit, "Unit of length of the file: kpc or Mpc, over h")
      .one_of({"kpc", "Mpc"})
      .capture_default_str();
  command.add_flag("--single", a->single, "Write positions and velocities in single precision");
  command.add_flag("--json", a->json, "Print the summary as JSON");
  command.footer(
      "Examples:\n"
      "  pleiad ic cosmology --box 100 -n 128 -o box.hdf5\n"
      "  pleiad ic cosmology --box 100 -n 128 --power camb_z0.txt --fixed --paired -o partner.hdf5\n"
      "  pleiad ic cosmology --box 50 -n 128 --redshift 63 --omega-m 0.308 --sigma8 0.9 --length-unit Mpc -o "
      "gadget4.hdf5");
  command.callback([a] { make(*a); });
  return command;
}

}  // namespace pleiad::app
