#include "cosmology_options.hpp"

#include "first_run.hpp"
#include "numbers.hpp"

#include <pleiad/error.hpp>

#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {
namespace {

constexpr double default_sigma8 = 0.8102;

}  // namespace

cosmology::Cosmology universe_of(const CosmologyArguments& a) {
  cosmology::Cosmology universe{.omega_m = a.omega_m,
                                .omega_b = a.omega_b,
                                .omega_lambda = 0,
                                .omega_r = a.omega_r,
                                .w0 = a.w0,
                                .wa = a.wa,
                                .h = a.h};
  universe.neutrino_masses = cosmology::neutrino_masses_of(a.neutrino_masses);
  if (universe.has_massive_neutrinos() && !a.radiation)
    throw UsageError(
        "pleiad ic cosmology: --neutrino-masses needs --radiation: the photons give the neutrinos their "
        "temperature");
  if (a.radiation) {
    if (a.omega_r != 0) throw UsageError("pleiad ic cosmology: --radiation sets --omega-r; give one of them");
    const double t_cmb = a.t_cmb.value_or(lpt::Spectrum{}.t_cmb);
    universe.omega_r = cosmology::radiation_density(
        t_cmb, cosmology::massless_rest(a.n_eff.value_or(3.046), universe.neutrino_masses), a.h);
    if (universe.has_massive_neutrinos()) universe.t_nu = cosmology::neutrino_temperature_ratio * t_cmb;
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

std::string provenance(const CosmologyArguments& a, const cosmology::Cosmology& u, const lpt::Spectrum& s) {
  std::string text = fmt::format(
      "pleiad ic cosmology --box {} -n {} --redshift {} --seed {} --order {} --omega-m {} --omega-b {} "
      "--omega-lambda {} --omega-r {} --w0 {} --wa {} --h {}",
      a.box, a.n, a.redshift, a.seed, a.order, u.omega_m, u.omega_b, u.omega_lambda, u.omega_r, u.w0, u.wa,
      u.h);
  if (a.table.empty()) text += fmt::format(" --transfer {} --n-s {} --t-cmb {}", a.transfer, s.n_s, s.t_cmb);
  else text += fmt::format(" --power {} --power-redshift {}", a.table, a.table_redshift);
  if (!a.neutrino_masses.empty())
    text += fmt::format(" --neutrino-masses {}", fmt::join(a.neutrino_masses, " "));
  if (s.sigma8) text += fmt::format(" --sigma8 {}", *s.sigma8);
  if (s.a_s) text += fmt::format(" --a-s {}", *s.a_s);
  if (a.fixed) text += " --fixed";
  if (a.paired) text += " --paired";
  if (a.single) text += " --single";
  return text + fmt::format(" --length-unit {}", a.length_unit);
}

std::string run_line(const CosmologyArguments& a, const cosmology::Cosmology& u) {
  std::string line = fmt::format("pleiad run {} --set cosmology.omega_m={}", shell_word(a.out), u.omega_m);
  const auto set = [&](std::string_view key, double value, bool usual) {
    if (!usual) line += fmt::format(" --set cosmology.{}={}", key, value);
  };
  set("omega_lambda", u.omega_lambda, u == cosmology::flat(u));
  // With massive neutrinos the file states all of it.
  if (!u.has_massive_neutrinos()) set("omega_r", u.omega_r, u.omega_r == 0);
  set("w0", u.w0, u.w0 == -1);
  set("wa", u.wa, u.wa == 0);
  const double unit = a.length_unit == "Mpc" ? 1 : 1000;
  line += fmt::format(" --eps {:.3g} --output {}", unit * a.box / double(a.n) / 30,
                      shell_word(a.out.substr(0, a.out.rfind('.')) + "_run"));
  return line;
}

void add_cosmology_options(Command command, const std::shared_ptr<CosmologyArguments>& a) {
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
  command
      .add_option("--neutrino-masses", a->neutrino_masses,
                  "Masses of massive neutrinos in the expansion, eV, for --radiation: at most 4")
      .check(positive);
  command
      .add_option("--n-eff", a->n_eff, "Number of all neutrinos while they are fast, for --radiation [3.046]")
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
}

}  // namespace pleiad::app
