/// The C interface: errors and bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "library/c.hpp"

#include "core/version.hpp"

#include <pleiad/files.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>

#include <algorithm>
#include <map>
#include <utility>

using namespace pleiad;
using namespace pleiad::c;

namespace {
thread_local std::string last_error;
thread_local pleiad_error_code last_code = PLEIAD_NO_ERROR;
}  // namespace

pleiad_status c::failed(pleiad_status status, const char* why, pleiad_error_code code) noexcept {
  last_code = code;
  try {
    last_error = why;
  } catch (...) {
    last_error.clear();
  }
  return status;
}

extern "C" {

const char* pleiad_last_error(void) { return last_error.c_str(); }
pleiad_error_code pleiad_last_error_code(void) { return last_code; }
const char* pleiad_version(void) { return pleiad::version(); }

pleiad_status pleiad_bodies_new(size_t n, const double* masses, const double* positions,
                                const double* velocities, pleiad_bodies** bodies) {
  return guarded([&] {
    need(bodies, "bodies");
    if (n > 0) need(masses, "masses"), need(positions, "positions");
    Snapshot made;
    made.bodies.reserve(n);
    const auto x = triples(positions, n), v = triples(velocities, velocities == nullptr ? 0 : n);
    for (std::size_t i = 0; i < n; ++i)
      made.bodies.add(masses[i], x[i], v.size() == 0 ? Vec3<double>{} : v[i]);
    *bodies = new pleiad_bodies{std::move(made)};
  });
}

pleiad_status pleiad_bodies_model(const char* name, size_t parameters, const char* const* names,
                                  const double* values, uint64_t seed, pleiad_bodies** bodies) {
  return guarded([&] {
    need(name, "model"), need(bodies, "bodies");
    if (parameters > 0) need(names, "names"), need(values, "values");
    std::map<std::string, double, std::less<>> all;
    for (std::size_t k = 0; k < parameters; ++k) {
      need(names[k], "a name");
      if (!all.emplace(names[k], values[k]).second)
        throw UsageError(fmt::format("model '{}': {} is given twice", name, names[k]));
    }
    *bodies = new pleiad_bodies{model(name, all, seed)};
  });
}

pleiad_status pleiad_bodies_read(const char* file, pleiad_bodies** bodies) {
  return guarded([&] {
    need(file, "file"), need(bodies, "bodies");
    *bodies = new pleiad_bodies{read_snapshot(file).snapshot};
  });
}
pleiad_status pleiad_bodies_write(const pleiad_bodies* bodies, const char* file) {
  return guarded([&] {
    need(bodies, "bodies"), need(file, "file");
    write(bodies->snapshot, file);
  });
}
size_t pleiad_bodies_count(const pleiad_bodies* bodies) {
  return bodies == nullptr ? 0 : bodies->snapshot.bodies.size();
}
double pleiad_bodies_G(const pleiad_bodies* bodies) { return bodies == nullptr ? 0 : bodies->snapshot.G; }
pleiad_status pleiad_bodies_set_G(pleiad_bodies* bodies, double G) {
  return guarded([&] {
    need(bodies, "bodies");
    bodies->snapshot.G = G;
  });
}
pleiad_status pleiad_bodies_copy(const pleiad_bodies* bodies, double* masses, double* positions,
                                 double* velocities) {
  return guarded([&] {
    need(bodies, "bodies");
    const auto& b = bodies->snapshot.bodies;
    if (masses != nullptr) std::ranges::copy(b.mass, masses);
    copy_triples(b.x, b.y, b.z, positions);
    copy_triples(b.vx, b.vy, b.vz, velocities);
  });
}
pleiad_status pleiad_bodies_orbits(const pleiad_bodies* bodies, const char* about, pleiad_orbit* orbits,
                                   size_t capacity, size_t* count) {
  return guarded([&] {
    need(bodies, "bodies");
    need(count, "count");
    if (capacity > 0) need(orbits, "orbits");
    const auto found = orbits_of(bodies->snapshot, orbit_centre_named(text_or(about, "heaviest")));
    for (std::size_t i = 0; i < std::min(found.size(), capacity); ++i) {
      const auto& o = found[i].elements;
      orbits[i] = {.id = found[i].id,
                   .mu = found[i].mu,
                   .semi_major_axis = o.semi_major_axis,
                   .eccentricity = o.eccentricity,
                   .inclination = o.inclination,
                   .node = o.node,
                   .pericentre = o.pericentre,
                   .true_anomaly = o.true_anomaly,
                   .mean_anomaly = o.mean_anomaly,
                   .pericentre_distance = o.pericentre_distance,
                   .mean_motion = o.mean_motion,
                   .period = o.period};
    }
    *count = found.size();
  });
}
void pleiad_bodies_free(pleiad_bodies* bodies) { delete bodies; }

}  // extern "C"
