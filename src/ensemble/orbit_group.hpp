/// Planetary systems on the GPU, moved together by a Wisdom-Holman map.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/steps/planetary_systems.hpp"
#include "ensemble/device_group.hpp"
#include "integrate/corrector.hpp"
#include "integrate/orbit_map.hpp"

#include <utility>
#include <vector>

namespace pleiad {

/// With a symplectic corrector the systems on the GPU are in the coordinates of the map. What is seen of them
/// is in the coordinates of the bodies, and Bodies::series keeps the others, as steps on the host do.
class OrbitGroup final : public DeviceGroup {
 public:
  OrbitGroup(std::span<const Member* const> systems, const EnsembleKernel& kernel, void* stream)
      : DeviceGroup(systems, kernel),
        map_{method_.corrector, method_.dt},
        systems_(n_ == 0 ? 0 : count_,
                 [&](std::size_t k) -> const Bodies& { return systems[k]->state.bodies; },
                 {.G = systems.front()->gravity.G,
                  .dt = method_.dt,
                  .jacobi = orbit_map_of(method_.integrator) == OrbitMap::jacobi,
                  .stream = stream}) {
    if (map_.order > 0 && n_ > 0) enter(systems);
  }

  void write_seen(std::size_t system, Bodies& b) const override {
    if (!moved_) return;  // the bodies of the start are exact, and have what belongs to them
    if (map_.order == 0) return systems_.write(shown_, system, b);
    systems_.write(kept_, system, b);
    Arrays in_map(b);
    corrector::keep_map_state(map_, in_map.particles(b));
    systems_.write(shown_, system, b);
    Arrays in_own(b);
    corrector::keep_shown_state(in_own.particles(b));
  }
  std::size_t bytes() const override { return bytes_of(count_, n_); }
  static std::size_t bytes_of(std::size_t systems, std::size_t bodies) {
    return cuda::PlanetarySystems::bytes_of(systems, bodies);
  }

 private:
  /// Bodies as integrators see them.
  struct Arrays {
    std::vector<Mass<double>> x;
    std::vector<Vec4<double>> v;
    double time = 0;
    explicit Arrays(const Bodies& b) : x(b.size()), v(b.size()) { to_arrays<double>(b, x, v); }
    DoubleState::Particles particles(Bodies& b) { return {x, v, b.low, b.series, time}; }
  };

  std::uint64_t make_steps(std::uint64_t steps) override {
    systems_.advance(steps);
    moved_ = true;
    return steps;
  }
  void copy_to_host() override {
    if (map_.order == 0) return systems_.see(shown_);
    systems_.see(kept_);
    systems_.correct(kicks(true));
    systems_.see(shown_);
    systems_.load(kept_);
  }

  /// To the coordinates of the map: those that a system has kept, or else by the corrector.
  void enter(std::span<const Member* const> systems) {
    systems_.correct(kicks(false));
    systems_.see(kept_);
    for (std::size_t k = 0; k < count_; ++k) {
      Bodies b = systems[k]->state.bodies;
      b.low.resize(b.size());
      Arrays arrays(b);
      if (!corrector::take_map_state(map_, arrays.particles(b))) continue;
      to_bodies<double>(arrays.x, arrays.v, b);
      systems_.put(kept_, k, b);
    }
    systems_.load(kept_);
  }
  cuda::OrbitCorrector kicks(bool to_bodies) const {
    cuda::OrbitCorrector all;
    const auto found = corrector::kicks(map_.order);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto& [at, length] = found[to_bodies ? k : found.size() - 1 - k];
      all.kicks[all.count++] = {at, to_bodies ? length : -length};
    }
    return all;
  }

  corrector::Map map_;
  cuda::PlanetarySystems systems_;
  cuda::PlanetarySystems::Seen kept_, shown_;  ///< in coordinates of the map, and of the bodies
  bool moved_ = false;
};

}  // namespace pleiad
