/// Drawing bodies in blocks, after a check of the memory that they need.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/draw.hpp"

#include "models/part.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad {
namespace {

constexpr double bytes_per_body = 7 * sizeof(double) + sizeof(std::uint64_t) + sizeof(Type);

/// The sharing of the model that this thread makes; null: this process draws all bodies.
thread_local Sharing* sharing = nullptr;

CentreOfMass centre_of_all(const Bodies& own) {
  auto blocks = moments_of_blocks(own);
  if (sharing != nullptr) blocks = sharing->all(std::move(blocks));
  return centre_of(std::move(blocks));
}

}  // namespace

// With overcommit the kernel would end the process halfway instead.
void need_memory(std::size_t n) {
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double needed = bytes_per_body * static_cast<double>(n);
  if (machine > 0 && needed > machine)
    throw ResourceError(
        fmt::format(
            "{} bodies need {:.1f} GB, and this machine has {:.1f} GB of memory; ask for at most {:.0f}", n,
            needed / 1e9, machine / 1e9, machine / bytes_per_body),
        Error::Code::out_of_memory);
}

bool drawn_in_parts(std::string_view model) {
  constexpr std::array<std::string_view, 9> of_one_component{
      "uniform-box", "random", "shell", "expand", "cold-sphere", "plummer", "king", "hernquist", "nfw"};
  return std::ranges::find(of_one_component, model) != of_one_component.end();
}

Snapshot make_part(std::string_view model, std::span<const std::string> settings, std::uint64_t seed,
                   Sharing& parts) {
  struct Meanwhile {
    explicit Meanwhile(Sharing& parts) { sharing = &parts; }
    ~Meanwhile() { sharing = nullptr; }
  };
  if (!drawn_in_parts(model)) throw UsageError(fmt::format("model '{}' is not drawn in parts", model));
  const Meanwhile meanwhile(parts);
  return make_model(model, settings, seed);
}

Bodies draw_bodies(std::size_t n, double total, std::uint64_t seed, std::string_view component,
                   const std::function<Phase(Random&)>& place, Type type) {
  const auto part = sharing == nullptr ? BodyRange{0, n} : sharing->part_of(n);
  need_memory(part.count);
  const std::uint32_t purpose = purpose_of(component);
  Bodies bodies;
  bodies.resize(part.count);
  for_each_index(bodies.size(), [&](std::size_t i) {
    Random random(seed, part.first + i, purpose);
    const Phase phase = place(random);
    bodies.x[i] = phase.position.x, bodies.y[i] = phase.position.y, bodies.z[i] = phase.position.z;
    bodies.vx[i] = phase.velocity.x, bodies.vy[i] = phase.velocity.y, bodies.vz[i] = phase.velocity.z;
    bodies.mass[i] = total / static_cast<double>(n);
    bodies.id[i] = part.first + i;
    bodies.type[i] = type;
  });
  return bodies;
}

Vec3<double> in_unit_ball(Random& random) {
  const auto direction = random.direction();
  return direction * std::cbrt(random.uniform());
}

void remove_drift(Bodies& b) {
  const auto drift = centre_of_all(b).velocity;
  for_each_index(b.size(),
                 [&](std::size_t i) { b.vx[i] -= drift.x, b.vy[i] -= drift.y, b.vz[i] -= drift.z; });
}

void centre_by_mass(Bodies& b) { move_to(centre_of_all(b), b); }

Snapshot nbody_snapshot(Bodies bodies) {
  Snapshot snapshot;
  snapshot.bodies = std::move(bodies);
  return snapshot;
}

Snapshot demo_ball(const ModelRequest& request, std::string_view name,
                   const std::function<Vec3<double>(Random&, Vec3<double>, double)>& velocity) {
  const std::size_t n = request.count("n");
  const double radius = request["cluster_scale"] * std::max(1.0, static_cast<double>(n) / 1024);
  auto bodies = draw_bodies(n, static_cast<double>(n), request.seed, name, [&](Random& random) {
    const auto position = in_unit_ball(random) * radius;
    return Phase{position, velocity(random, position, radius)};
  });
  centre_by_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace pleiad
