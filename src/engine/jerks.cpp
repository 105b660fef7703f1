#include "engine/jerks.hpp"

#include "engine/moving.hpp"
#include "engine/source_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pleiad {
namespace {

/// Calls add(sources) with the bodies of all ranks, in their order; with those that have mass, if there are
/// test particles.
template <class Add>
void for_sources(const ranks::Collective& all, const TestParticles& particles, const cpu::MovingBodies& own,
                 const Add& add) {
  const bool lows = !own.low.empty();
  if (particles.any()) {
    const auto massive = particles.of_massive([&](std::size_t i) { return moving(own, i); });
    return add(Columns(massive, lows).bodies());
  }
  if (all.comm().ranks() == 1) return add(own);
  std::vector<Moving> here(own.x.size());
  for (std::size_t i = 0; i < here.size(); ++i) here[i] = moving(own, i);
  SourceBlocks<Moving>(all).each(
      here, [&](std::size_t, std::span<const Moving> block) { add(Columns(block, lows).bodies()); });
}

}  // namespace

void accelerations_and_jerks(const ranks::Collective& all, const TestParticles& particles,
                             const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                             std::span<Vec4<double>> jerks, const Softening& softening,
                             const Boundary& boundary) {
  std::ranges::fill(accelerations, Vec4<double>{});
  std::ranges::fill(jerks, Vec4<double>{});
  for_sources(all, particles, own, [&](const cpu::MovingBodies& sources) {
    cpu::add_acceleration_and_jerk(own, sources, accelerations, jerks, softening, boundary);
  });
}

void accelerations_to_snaps(const ranks::Collective& all, const TestParticles& particles,
                            const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                            std::span<Vec4<double>> jerks, std::span<Vec4<double>> snaps,
                            const Softening& softening, const Boundary& boundary) {
  for (const auto sums : {accelerations, jerks, snaps}) std::ranges::fill(sums, Vec4<double>{});
  for_sources(all, particles, own, [&](const cpu::MovingBodies& sources) {
    cpu::add_acceleration_jerk_and_snap(own, sources, accelerations, jerks, snaps, softening, boundary);
  });
}

void accelerations_of_doubles(const ranks::Collective& all, const TestParticles& particles,
                              const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                              const Softening& softening, const Boundary& boundary) {
  std::ranges::fill(accelerations, Vec4<double>{});
  for_sources(all, particles, own, [&](const cpu::MovingBodies& sources) {
    cpu::add_acceleration(own, sources, accelerations, softening, boundary);
  });
}

}  // namespace pleiad
