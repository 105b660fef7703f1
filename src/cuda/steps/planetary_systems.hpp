/// Planetary systems on a GPU (orbit_systems.hpp): their memory, and steps of all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/steps/orbit_systems.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::cuda {

/// Systems of as many bodies each, with any masses; the heaviest of each is its star.
class PlanetarySystems {
 public:
  PlanetarySystems(std::span<const Bodies> systems, double G, double dt)
      : count_(systems.size()),
        planets_(count_ == 0 ? 0 : systems.front().size() - 1),
        lanes_(lanes_of_system(planets_)),
        state_(numbers_of_planet * lanes_ * count_),
        stars_(numbers_of_planet * count_),
        Gm_(lanes_ * count_),
        Gm_stars_(count_) {
    std::vector<double> state(state_.size()), stars(stars_.size()), Gm(Gm_.size()), Gm_stars(count_);
    for (std::size_t s = 0; s < count_; ++s) {
      const auto& bodies = systems[s];
      if (bodies.size() != planets_ + 1) throw UsageError("systems must have as many bodies each");
      const auto heaviest = std::ranges::max_element(bodies.mass) - bodies.mass.begin();
      star_.push_back(static_cast<std::size_t>(heaviest));
      Gm_stars[s] = G * bodies.mass[star_[s]];
      put(stars, count_, s, bodies, star_[s]);
      for (std::size_t k = 0; k < planets_; ++k) {
        put(state, lanes_ * count_, lanes_ * s + k, bodies, body(s, k));
        Gm[lanes_ * s + k] = G * bodies.mass[body(s, k)];
      }
    }
    state_.copy_from_host(state), stars_.copy_from_host(stars);
    Gm_.copy_from_host(Gm), Gm_stars_.copy_from_host(Gm_stars);
    problem_ = {.systems = count_,
                .planets = planets_,
                .state = state_.data(),
                .stars = stars_.data(),
                .Gm = Gm_.data(),
                .Gm_stars = Gm_stars_.data(),
                .dt = dt};
  }
  /// Starts steps of all systems, at most 1024 in a launch.
  void advance(std::uint64_t steps) {
    for (std::uint64_t now = 0; steps > 0; steps -= now) {
      now = std::min<std::uint64_t>(steps, 1024);
      problem_.steps = now;
      orbit_systems(problem_);
    }
  }
  /// Waits for the steps, and copies a system, with the low parts of its bodies.
  void copy_to_host(std::size_t system, Bodies& bodies) const {
    std::vector<double> state(state_.size()), stars(stars_.size());
    state_.copy_to_host(state), stars_.copy_to_host(stars);
    bodies.low.resize(planets_ + 1);
    get(stars, count_, system, bodies, star_[system]);
    for (std::size_t k = 0; k < planets_; ++k)
      get(state, lanes_ * count_, lanes_ * system + k, bodies, body(system, k));
  }

 private:
  /// The number of a planet among the bodies of its system.
  std::size_t body(std::size_t system, std::size_t planet) const {
    return planet < star_[system] ? planet : planet + 1;
  }
  static void put(std::span<double> to, std::size_t count, std::size_t place, const Bodies& b,
                  std::size_t i) {
    const auto low = b.low.empty() ? std::array<double, 6>{} : b.low[i];
    const std::array<double, numbers_of_planet> all{b.x[i],  b.y[i],  b.z[i],  low[0], low[1], low[2],
                                                    b.vx[i], b.vy[i], b.vz[i], low[3], low[4], low[5]};
    for (std::size_t c = 0; c < all.size(); ++c) to[c * count + place] = all[c];
  }
  static void get(std::span<const double> from, std::size_t count, std::size_t place, Bodies& b,
                  std::size_t i) {
    const auto of = [&](std::size_t component) { return from[component * count + place]; };
    b.x[i] = of(0), b.y[i] = of(1), b.z[i] = of(2), b.vx[i] = of(6), b.vy[i] = of(7), b.vz[i] = of(8);
    b.low[i] = {of(3), of(4), of(5), of(9), of(10), of(11)};
  }

  std::size_t count_, planets_, lanes_;
  std::vector<std::size_t> star_;
  Buffer<double> state_, stars_, Gm_, Gm_stars_;
  OrbitSystemsProblem problem_;
};

}  // namespace pleiad::cuda
