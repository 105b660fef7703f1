/// A stable galaxy: spheroids by Eddington's formula in the total potential, the disc by moment equations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/galaxy.hpp"

#include "models/catalogue.hpp"
#include "models/isotropic.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad {
namespace {

struct Counts {
  std::size_t halo, disc, bulge;
};

Counts counts_of(const GalaxyShape& shape, std::size_t n) {
  const auto part = [n](double share) {
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(n)));
  };
  const std::size_t disc = part(shape.disc_share),
                    bulge = part(shape.disc_share * shape.bulge_mass / shape.disc.mass);
  if (disc == 0 || disc + bulge >= n || (bulge == 0 && shape.bulge_mass > 0))
    throw UsageError(
        fmt::format("a galaxy of {} bodies with {} in the disc and {} in the bulge leaves a component empty; "
                    "take more bodies, another disc_share, or bulge_mass = 0",
                    n, disc, bulge));
  return {n - disc - bulge, disc, bulge};
}

/// Halo, bulge and disc (averaged over spheres) as one density.
double total_rho(const Profile& halo, const Profile& bulge, const DiscShape& disc, double r) {
  return halo.rho(r) + bulge.rho(r) + disc.mean_rho(r);
}

}  // namespace

GalaxyShape GalaxyShape::scaled(double ratio) const {
  const double length = std::sqrt(ratio);
  GalaxyShape s = *this;
  for (double* m : {&s.disc.mass, &s.bulge_mass, &s.halo_mass}) *m *= ratio;
  for (double* l : {&s.disc.scale, &s.disc.height, &s.bulge_scale, &s.halo_scale, &s.halo_cut}) *l *= length;
  return s;
}

GalaxyShape galaxy_shape(const ModelRequest& r) {
  return {.disc = {.mass = r["disc_mass"],
                   .scale = r["disc_scale"],
                   .height = r["disc_height"],
                   .toomre_q = r["toomre_q"]},
          .bulge_mass = r["bulge_mass"],
          .bulge_scale = r["bulge_scale"],
          .halo_mass = r["halo_mass"],
          .halo_scale = r["halo_scale"],
          .halo_outer = r["halo_outer"],
          .halo_cut = r["halo_cut"],
          .disc_share = r["disc_share"]};
}

Bodies draw_galaxy(const GalaxyShape& shape, std::size_t n, std::uint64_t seed, const std::string& name) {
  const auto counts = counts_of(shape, n);
  const double G = units_named("galactic").G();
  const auto halo = profile_of_mass(shape.halo_mass, shape.halo_outer, shape.halo_scale, shape.halo_cut);
  const auto bulge = profile_of_mass(shape.bulge_mass, 4, shape.bulge_scale, 10 * shape.bulge_scale);
  const double smallest = std::min({shape.halo_scale, shape.bulge_scale, shape.disc.scale});
  const auto grid = radial_grid(1e-5 * smallest, std::max(halo.reach(), bulge.reach()));
  const auto well = well_of([&](double r) { return total_rho(halo, bulge, shape.disc, r); }, grid);
  const auto spheroids = well_of([&](double r) { return halo.rho(r) + bulge.rho(r); }, grid);

  const IsotropicSphere halo_bodies(halo, well, G);
  const StellarDisc disc_bodies(shape.disc, spheroids, G);
  const auto draw_from = [](const auto& source) {
    return [&source](Random& random) { return source.draw(random); };
  };
  auto bodies =
      draw_bodies(counts.halo, shape.halo_mass, seed, name + "/halo", draw_from(halo_bodies), Type::halo);
  bodies.append(
      draw_bodies(counts.disc, shape.disc.mass, seed, name + "/disc", draw_from(disc_bodies), Type::disc));
  if (counts.bulge > 0) {
    const IsotropicSphere bulge_bodies(bulge, well, G);
    bodies.append(draw_bodies(counts.bulge, shape.bulge_mass, seed, name + "/bulge", draw_from(bulge_bodies),
                              Type::bulge));
  }
  remove_drift(bodies);
  return bodies;
}

Snapshot galactic_snapshot(Bodies bodies) {
  Snapshot snapshot;
  snapshot.bodies = std::move(bodies);
  snapshot.units = units_named("galactic");
  snapshot.G = snapshot.units.G();
  return snapshot;
}

namespace {

constexpr auto parameters_of_galaxy = [] {
  std::array<ModelParameter, 1 + galaxy_parameters.size()> list{};
  list[0] = {"n", 30000, 100, 1e10, "number of bodies, all components together"};
  std::copy(galaxy_parameters.begin(), galaxy_parameters.end(), list.begin() + 1);
  return list;
}();

Snapshot make_galaxy(const ModelRequest& request) {
  return galactic_snapshot(draw_galaxy(galaxy_shape(request), request.count("n"), request.seed, "galaxy"));
}

}  // namespace

constinit const Model model_galaxy{
    .name = "galaxy",
    .idea = "a stable disc galaxy with live halo and bulge, in kpc, 1e10 Msun, km/s",
    .parameters = parameters_of_galaxy,
    .origin = origin::profile,
    .suggested_softening = 0.2,
    .make = make_galaxy};

}  // namespace pleiad
