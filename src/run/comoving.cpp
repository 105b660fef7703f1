#include "run/comoving.hpp"

#include "cosmology/cosmology.hpp"
#include "io/config/universe.hpp"
#include "run/start.hpp"
#include "sim/comoving_space.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

void scale_velocities(Bodies& b, double factor) {
  for (auto* v : {&b.vx, &b.vy, &b.vz})
    for (double& value : *v) value *= factor;
}

bool differ(double one, double other, double relative) {
  return !(std::abs(one - other) <= relative * std::max(std::abs(one), std::abs(other)));
}

/// The file was made for a universe of its own. What it may not state, of radiation and dark energy, is
/// compared where it does.
void need_same_universe(const Options& o, const ComovingUniverse& file) {
  const auto ours = config::universe_of(o.cosmology);
  const auto need = [&](bool same, const char* key, const char* name, double value, double stated) {
    if (!same)
      throw UsageError(
          fmt::format("cosmology.{} = {:.6g}, but {} has {} = {:.6g}: its bodies are those of another "
                      "universe",
                      key, value, origin_of(o), name, stated));
  };
  const auto near = [](double one, double other) { return std::abs(one - other) <= 1e-4; };  // four digits
  need(near(ours.omega_m, file.omega_m), "omega_m", "Omega0", ours.omega_m, file.omega_m);
  need(file.omega_r == 0 || !differ(ours.omega_r, file.omega_r, 1e-3), "omega_r", "OmegaRadiation",
       ours.omega_r, file.omega_r);
  // A program that has radiation takes it from the dark energy, and may not say so.
  need(file.omega_lambda == 0 || ours.omega_r != file.omega_r || near(ours.omega_lambda, file.omega_lambda),
       "omega_lambda", "OmegaLambda", ours.omega_lambda, file.omega_lambda);
  const bool constant = file.w0 == -1 && file.wa == 0;
  need(constant || near(ours.w0, file.w0), "w0", "DarkEnergyW0", ours.w0, file.w0);
  need(constant || near(ours.wa, file.wa), "wa", "DarkEnergyWa", ours.wa, file.wa);
  const cosmology::Cosmology theirs{.h = ours.h, .neutrino_masses = file.neutrino_masses, .t_nu = file.t_nu};
  if (theirs.has_massive_neutrinos() && differ(ours.omega_nu(), theirs.omega_nu(), 1e-4))
    throw UsageError(fmt::format(
        "cosmology.neutrino_masses have a density of {:.6g} today, but the NeutrinoMasses of {} have "
        "{:.6g}: its bodies are those of another universe",
        ours.omega_nu(), origin_of(o), theirs.omega_nu()));
}

/// Radiation and massive neutrinos of the file, where the options have neither.
void take_radiation(Options::Cosmology& o, const ComovingUniverse& file) {
  if (o.omega_r != 0 || o.t_cmb != 0) return;
  const cosmology::Cosmology theirs{.neutrino_masses = file.neutrino_masses};
  if (!theirs.has_massive_neutrinos()) {
    o.omega_r = file.omega_r;
    return;
  }
  if (o.h == 0) o.h = file.h;
  for (const double mass : file.neutrino_masses)
    if (mass > 0) o.neutrino_masses.push_back(mass);
  o.t_cmb = file.t_nu / cosmology::neutrino_temperature_ratio;
  // Photons and massless neutrinos are linear in n_eff.
  const double photons = cosmology::radiation_density(o.t_cmb, 0, o.h),
               each = cosmology::radiation_density(o.t_cmb, 1, o.h) - photons,
               massive = o.n_eff - cosmology::massless_rest(o.n_eff, file.neutrino_masses);
  o.n_eff = std::max(file.omega_r - photons, 0.0) / each + massive;
}

double volume_of(const Options& o) {
  return std::accumulate(o.gravity.box.begin(), o.gravity.box.end(), 1.0, std::multiplies<>());
}

}  // namespace

std::shared_ptr<const Space> space_of(const Options& o) {
  if (!o.cosmology.active()) return nullptr;
  return std::make_shared<ComovingSpace>(config::universe_of(o.cosmology), o.cosmology.hubble);
}

void settle_comoving_box(Options& o) {
  if (!o.cosmology.active()) return;
  if (o.gravity.boundary == "auto") o.gravity.boundary = "periodic";
  if (o.gravity.images == "auto") o.gravity.images = name_of(Images::all);
}

void begin_comoving(Options& o, Snapshot& s, const std::optional<ComovingUniverse>& file) {
  if (!o.cosmology.active()) return;
  auto& t = o.time;
  double a = t.begin_redshift == -1 ? 0 : cosmology::scale_factor_of(t.begin_redshift);
  if (file) {
    take_radiation(o.cosmology, *file);
    need_same_universe(o, *file);
    if (o.cosmology.h == 0) o.cosmology.h = file->h;
    if (differ(o.cosmology.h, file->h, 1e-6))
      throw UsageError(
          fmt::format("cosmology.h = {}, but {} has HubbleParam = {}", o.cosmology.h, origin_of(o), file->h));
    if (a > 0 && differ(a, s.time, 1e-6))
      throw UsageError(fmt::format("time.begin_redshift = {}, but {} is at z = {:.9g}; leave it out",
                                   t.begin_redshift, origin_of(o), cosmology::redshift_of(s.time)));
    a = s.time;
  }
  if (!(a > 0))
    throw UsageError(
        fmt::format("[cosmology]: {} is not a cosmological snapshot with its scale factor and Omega0; set "
                    "time.begin_redshift, of comoving positions and peculiar velocities",
                    origin_of(o)));
  if (!(a >= 1e-8))
    throw UsageError(fmt::format("[cosmology]: {} is at a = {}, before 1e-8", origin_of(o), a));
  t.begin_redshift = cosmology::redshift_of(a);
  t.t_end = config::time_of_redshift(t.end_redshift);
  s.time = std::log(a);
  if (!(s.time < t.t_end))
    throw UsageError(fmt::format("time.end_redshift = {} must be below the redshift {:.9g} of the start",
                                 t.end_redshift, t.begin_redshift));
  if (const auto& z = o.output.snapshot_redshifts; !z.empty() && z.front() > t.begin_redshift * (1 + 1e-9))
    throw UsageError(fmt::format("output.snapshot_redshifts has {}, which is before the start at z = {:.9g}",
                                 z.front(), t.begin_redshift));
  if (const auto& z = o.output.light_cone_redshifts; !z.empty() && z.front() > t.begin_redshift * (1 + 1e-9))
    throw UsageError(
        fmt::format("output.light_cone_redshifts has {}, which is before the start at z = {:.9g}", z.front(),
                    t.begin_redshift));
  if (const auto& z = o.output.analysis_redshifts; !z.empty() && z.front() > t.begin_redshift * (1 + 1e-9))
    throw UsageError(fmt::format("output.analysis_redshifts has {}, which is before the start at z = {:.9g}",
                                 z.front(), t.begin_redshift));
  const double length = t.t_end - s.time;
  const bool fast = o.cosmology.preset == "fast";
  if (t.dt == 0) {
    t.dt = length / (fast ? fast_steps : std::ceil(length / largest_log_step));
    if (!t.stated.adaptive && !fast) t.adaptive = o.gravity.softening > 0;  // which its criterion needs
  }
  const auto& solver = o.solver;
  if (!solver.stated.accuracy && solver.accuracy == 0 && solver.method == "auto" && o.engine.kernel == "auto")
    o.solver.accuracy = comoving_accuracy;
  // p = a^2 dx/dt of the peculiar velocity a dx/dt.
  scale_velocities(s.bodies, a);
}

void settle_hubble(Options& o, const Snapshot& s, std::optional<double> mass) {
  if (!o.cosmology.active() || o.cosmology.hubble > 0) return;
  if (s.units.physical) {
    o.cosmology.hubble = cosmology::hubble_constant(s.units);
    return;
  }
  if (!mass)
    throw UsageError(
        "cosmology.hubble is not set, and several ranks that read their parts of the bodies cannot tell it "
        "from "
        "the density: set it");
  o.cosmology.hubble =
      cosmology::hubble_constant(config::universe_of(o.cosmology), o.gravity.G, *mass / volume_of(o));
}

void need_all_matter(const Options& o, double mass) {
  if (!o.cosmology.active()) return;
  const double density = mass / volume_of(o),
               matter = cosmology::matter_density(config::universe_of(o.cosmology), o.gravity.G,
                                                  o.cosmology.hubble);
  if (!(std::abs(density / matter - 1) <= 1e-3))
    throw UsageError(
        fmt::format("the bodies have a mean density of {:.6g}, which is {:.6g} times that of "
                    "cosmology.omega_m = {}: masses, the box, units and H0 must fit one another",
                    density, density / matter, o.cosmology.omega_m));
}

ComovingUniverse universe_in_files(const Options& o) {
  const auto c = config::universe_of(o.cosmology);
  return {.omega_m = c.omega_m,
          .omega_b = c.omega_b,
          .omega_lambda = c.omega_lambda,
          .omega_r = c.omega_r,
          .w0 = c.w0,
          .wa = c.wa,
          .h = c.h,
          .neutrino_masses = c.neutrino_masses,
          .t_nu = c.t_nu};
}

void make_peculiar(Snapshot& s) {
  s.time = std::exp(s.time);
  scale_velocities(s.bodies, 1 / s.time);
}

std::string moment_in_words(const Options& o, double time) {
  if (!o.cosmology.active()) return fmt::format("t = {:g}", time);
  const double a = std::exp(time);
  // The end is met to the rounding of a logarithm.
  const double z = cosmology::redshift_of(a);
  return fmt::format("z = {:.4g} (a = {:.4g})", std::abs(z) < 1e-12 ? 0 : z, a);
}

}  // namespace pleiad::run
