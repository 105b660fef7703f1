/// The table [cosmology] and the redshifts of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/universe.hpp"

#include "capabilities/comoving.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::config {
namespace {

[[noreturn]] void refuse_universe(const std::string& why) { throw UsageError(why); }

ComovingFacts facts_of(const Options& o) {
  const auto& integrator = integrator_named(o.time.integrator);
  return {.integrator = integrator.name,
          .splits = !integrator.splitting.drift.empty(),
          .open = o.gravity.boundary == "open",
          .nearest = o.gravity.images == "nearest",
          .flat = o.gravity.dimension == 2,
          .ensemble = o.ensemble.active(),
          .potentials = !o.gravity.potentials.empty(),
          .forces = !o.gravity.forces.empty(),
          .encounters = o.encounters.active(),
          .lattice = o.time.lattice,
          .chosen_steps = o.time.chooses_step(),
          .reversed = o.time.reverse,
          .damped = o.time.damping != 1,
          .paths = !o.output.trajectory_ids.empty() || o.output.orbits_every > 0,
          .error_term = o.output.kdk_error_term,
          .hdf5 = o.output.snapshot_format == "hdf5"};
}

/// What belongs to a run in comoving coordinates alone.
void need_static_space(const Options& o) {
  Options::Cosmology other = o.cosmology;
  other.omega_m = 0;
  if (!(other == Options::Cosmology{}))
    refuse_universe("the keys of [cosmology] need cosmology.omega_m: it makes the space expand");
  for (const auto& [name, set] :
       {std::pair("time.begin_redshift", o.time.begin_redshift != -1),
        std::pair("time.end_redshift", o.time.end_redshift != 0),
        std::pair("output.snapshot_redshifts", !o.output.snapshot_redshifts.empty())})
    if (set) refuse_universe(fmt::format("{} needs [cosmology]: set cosmology.omega_m", name));
}

}  // namespace

cosmology::Cosmology universe_of(const Options::Cosmology& o) {
  const double h = o.h > 0 ? o.h : 1;
  cosmology::Cosmology c{
      .omega_m = o.omega_m, .omega_lambda = o.omega_lambda, .w0 = o.w0, .wa = o.wa, .h = h};
  c.neutrino_masses = cosmology::neutrino_masses_of(o.neutrino_masses);
  if (c.has_massive_neutrinos()) c.t_nu = cosmology::neutrino_temperature_ratio * o.t_cmb;
  c.omega_r = o.t_cmb > 0 ? cosmology::radiation_density(
                                o.t_cmb, cosmology::massless_rest(o.n_eff, c.neutrino_masses), h)
                          : o.omega_r;
  return o.omega_lambda == -1 ? cosmology::flat(c) : c;
}

double time_of_redshift(double redshift) { return std::log(1 / (1 + redshift)); }

std::vector<double> times_of_redshifts(const std::vector<double>& redshifts) {
  std::vector<double> times(redshifts.size());
  std::ranges::transform(redshifts, times.begin(), time_of_redshift);
  return times;
}

void check_universe(const Options& o) {
  const auto& c = o.cosmology;
  if (!c.active()) return need_static_space(o);
  if (c.t_cmb > 0 && c.omega_r > 0)
    refuse_universe("cosmology.t_cmb and cosmology.omega_r both give the radiation: set only one of them");
  if (c.t_cmb > 0 && !(c.h > 0))
    refuse_universe("cosmology.t_cmb needs cosmology.h: the density of the radiation goes as 1 / h^2");
  if (!c.neutrino_masses.empty() && !(c.t_cmb > 0))
    refuse_universe(
        "cosmology.neutrino_masses needs cosmology.t_cmb, such as 2.7255: it gives the neutrinos their "
        "temperature, and with n_eff the massless ones");
  if (c.preset == "fast" && o.time.adaptive)
    refuse_universe("cosmology.preset = \"fast\" makes equal steps: leave out time.adaptive");
  try {
    cosmology::check(universe_of(c));
  } catch (const UsageError& e) {
    refuse_universe(fmt::format("[cosmology]: {}", e.what()));
  }
  if (const auto why = why_not(facts_of(o))) throw UsageError(*why, Error::Code::unsupported);
  const double end = time_of_redshift(o.time.end_redshift);
  if (o.time.t_end != 0 && o.time.t_end != end)
    refuse_universe(
        fmt::format("time.t_end = {}: with [cosmology] the end is time.end_redshift", o.time.t_end));
  if (o.time.begin_redshift != -1 && !(o.time.begin_redshift > o.time.end_redshift))
    refuse_universe(fmt::format("time.begin_redshift = {} must be above time.end_redshift = {}",
                                o.time.begin_redshift, o.time.end_redshift));
  if (!o.output.snapshot_times.empty())
    refuse_universe("output.snapshot_times: with [cosmology] these are output.snapshot_redshifts");
  const auto& z = o.output.snapshot_redshifts;
  if (std::ranges::adjacent_find(z, [](double a, double b) { return !(a > b); }) != z.end())
    refuse_universe("output.snapshot_redshifts must be strictly decreasing");
  if (!z.empty() && !(z.back() >= o.time.end_redshift))
    refuse_universe(fmt::format("output.snapshot_redshifts has {}, which is after time.end_redshift = {}",
                                z.back(), o.time.end_redshift));
}

}  // namespace pleiad::config
