/// `pleiad ic cosmology`: bodies of a young universe, as comoving GADGET HDF5.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ic_cosmology.hpp"

#include "core/json_text.hpp"
#include "core/print.hpp"
#include "cosmology_options.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "lpt/initial_conditions.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

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
                             {"omega_nu", u.omega_nu()},
                             {"h", u.h},
                             {"sigma8", nullptr},
                             {"growth", ic.scale_back},
                             {"f1", ic.growth.f1},
                             {"rms_density", ic.rms_density},
                             {"rms_displacement", ic.rms_displacement},
                             {"largest_displacement", ic.largest_displacement},
                             {"memory_gb", lpt::bytes_needed(a.n, int(a.order)) / 1e9},
                             {"run", run_line(a, u)}};
  if (sigma8) out["sigma8"] = *sigma8;
  print_out("{}\n", json_text(out));
}

void print_as_text(const CosmologyArguments& a, const cosmology::Cosmology& u,
                   const lpt::InitialConditions& ic, const std::string& source, std::optional<double> sigma8,
                   double mass) {
  print_out("{}: {}^3 bodies of {:.6g} Msun/h in a box of {:g} Mpc/h, seed {}\n", a.out, a.n, mass, a.box,
            a.seed);
  print_out("redshift         {:g}, scale factor {:.6g}\n", a.redshift, 1 / (1 + a.redshift));
  print_out("universe         omega_m {:g}, omega_b {:g}, omega_lambda {:g}, omega_r {:.4g}{}, h {:g}{}\n",
            u.omega_m, u.omega_b, u.omega_lambda, u.omega_r,
            u.has_massive_neutrinos() ? fmt::format(", omega_nu {:.4g}", u.omega_nu()) : "", u.h,
            u.w0 == -1 && u.wa == 0 ? "" : fmt::format(", w0 {:g}, wa {:g}", u.w0, u.wa));
  print_out("spectrum         {}, sigma8 {}\n", source,
            sigma8 ? fmt::format("{:.6g}", *sigma8) : "unknown: the table does not have its scales");
  print_out("growth           D/D(today) {:.6g}, d ln D / d ln a {:.6g}\n", ic.scale_back, ic.growth.f1);
  print_out("density          rms of the linear field on the lattice {:.4g}\n", ic.rms_density);
  print_out("displacements    rms {:.4g}, largest along an axis {:.4g} of the mean distance of the bodies\n",
            ic.rms_displacement, ic.largest_displacement);
  print_out("memory           {:.3g} GB at most\n", lpt::bytes_needed(a.n, int(a.order)) / 1e9);
  print_out("to simulate it:  {}\n", run_line(a, u));
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
  const auto universe = universe_of(a);
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
                                                .h = universe.h,
                                                .neutrino_masses = universe.neutrino_masses,
                                                .t_nu = universe.t_nu}};
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

Command add_ic_cosmology(Command ic, std::function<void()> check) {
  auto a = std::make_shared<CosmologyArguments>();
  auto command = ic.add_subcommand(
      "cosmology", "Make a young universe: a lattice displaced by first or second order perturbation theory");
  add_cosmology_options(command, a);
  command.footer(
      "Examples:\n"
      "  pleiad ic cosmology --box 100 -n 128 -o box.hdf5\n"
      "  pleiad ic cosmology --box 100 -n 128 --power camb_z0.txt --fixed --paired -o partner.hdf5\n"
      "  pleiad ic cosmology --box 50 -n 128 --redshift 63 --omega-m 0.308 --sigma8 0.9 --length-unit Mpc -o "
      "gadget4.hdf5");
  command.callback([a, check = std::move(check)] {
    check();
    make(*a);
  });
  return command;
}

}  // namespace pleiad::app
