#include "engine/jerks.hpp"

#include "engine/source_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace pleiad {
namespace {

/// A moving body, also on its way to other ranks.
struct Moving {
  Mass<double> x;
  Vec4<double> v;
  std::array<double, 6> low;
};

/// Blocks of bodies in the layout of the kernel.
struct Columns {
  std::vector<Mass<double>> x;
  std::vector<Vec4<double>> v;
  std::vector<std::array<double, 6>> low;

  /// `lows`: with low parts.
  explicit Columns(std::span<const Moving> bodies, bool lows = true) {
    for (const auto& b : bodies) {
      x.push_back(b.x), v.push_back(b.v);
      if (lows) low.push_back(b.low);
    }
  }
  cpu::MovingBodies bodies() const { return {x, v, low}; }
};

/// Calls add(sources) with the bodies of all ranks, in their order; with those that have mass, if there are
/// test particles.
template <class Add>
void for_sources(const ranks::Collective& all, const TestParticles& particles, const cpu::MovingBodies& own,
                 const Add& add) {
  if (particles.any()) {
    const bool lows = !own.low.empty();
    const auto massive = particles.of_massive([&](std::size_t i) {
      return Moving{own.x[i], own.v[i], lows ? own.low[i] : std::array<double, 6>{}};
    });
    return add(Columns(massive, lows).bodies());
  }
  if (all.comm().ranks() == 1) return add(own);
  std::vector<Moving> moving(own.x.size());
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = {own.x[i], own.v[i], own.low[i]};
  SourceBlocks<Moving>(all).each(
      moving, [&](std::size_t, std::span<const Moving> block) { add(Columns(block).bodies()); });
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

void accelerations_of_doubles(const ranks::Collective& all, const TestParticles& particles,
                              const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                              const Softening& softening, const Boundary& boundary) {
  std::ranges::fill(accelerations, Vec4<double>{});
  for_sources(all, particles, own, [&](const cpu::MovingBodies& sources) {
    cpu::add_acceleration(own, sources, accelerations, softening, boundary);
  });
}

}  // namespace pleiad
