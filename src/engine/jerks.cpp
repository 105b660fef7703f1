#include "engine/jerks.hpp"

#include "engine/source_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace pleiad {
namespace {

/// A moving body on its way to other ranks.
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

  explicit Columns(std::span<const Moving> bodies) {
    for (const auto& b : bodies) x.push_back(b.x), v.push_back(b.v), low.push_back(b.low);
  }
  cpu::MovingBodies bodies() const { return {x, v, low}; }
};

/// Calls add(own bodies, sources) with the bodies of all ranks, in their order.
template <class Add>
void for_sources(const ranks::Collective& all, const cpu::MovingBodies& own, const Add& add) {
  if (all.comm().ranks() == 1) return add(own);
  std::vector<Moving> moving(own.x.size());
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = {own.x[i], own.v[i], own.low[i]};
  SourceBlocks<Moving>(all).each(
      moving, [&](std::size_t, std::span<const Moving> block) { add(Columns(block).bodies()); });
}

}  // namespace

void accelerations_and_jerks(const ranks::Collective& all, const cpu::MovingBodies& own,
                             std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks,
                             const Softening& softening, const Boundary& boundary) {
  std::ranges::fill(accelerations, Vec4<double>{});
  std::ranges::fill(jerks, Vec4<double>{});
  for_sources(all, own, [&](const cpu::MovingBodies& sources) {
    cpu::add_acceleration_and_jerk(own, sources, accelerations, jerks, softening, boundary);
  });
}

void accelerations_of_doubles(const ranks::Collective& all, const cpu::MovingBodies& own,
                              std::span<Vec4<double>> accelerations, const Softening& softening,
                              const Boundary& boundary) {
  std::ranges::fill(accelerations, Vec4<double>{});
  for_sources(all, own, [&](const cpu::MovingBodies& sources) {
    cpu::add_acceleration(own, sources, accelerations, softening, boundary);
  });
}

}  // namespace pleiad
