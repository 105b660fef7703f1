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

/// How all of them are stepped.
struct PlanetarySteps {
  double G = 1, dt = 0;
  bool jacobi = false;  ///< Jacobi coordinates, in the order of the bodies
  void* stream = nullptr;
};

/// Systems of as many bodies each, with any masses; the heaviest of each is its star.
class PlanetarySystems {
 public:
  /// `bodies_of`(k): the bodies of system k, at least one.
  template <class BodiesOf>
  PlanetarySystems(std::size_t count, const BodiesOf& bodies_of, const PlanetarySteps& steps)
      : count_(count),
        planets_(count == 0 ? 0 : bodies_of(0).size() - 1),
        lanes_(lanes_of_system(planets_)),
        state_(numbers_of_planet * lanes_ * count, steps.stream),
        stars_(numbers_of_planet * count, steps.stream),
        Gm_(lanes_ * count, steps.stream),
        Gm_stars_(count, steps.stream) {
    Seen start{std::vector<double>(state_.size()), std::vector<double>(stars_.size())};
    std::vector<double> Gm(Gm_.size()), Gm_stars(count);
    for (std::size_t s = 0; s < count; ++s) {
      const Bodies& bodies = bodies_of(s);
      if (bodies.size() != planets_ + 1) throw UsageError("systems must have as many bodies each");
      const auto heaviest = std::ranges::max_element(bodies.mass) - bodies.mass.begin();
      star_.push_back(static_cast<std::size_t>(heaviest));
      Gm_stars[s] = steps.G * bodies.mass[star_[s]];
      number(bodies, steps.jacobi);
      for (std::size_t k = 0; k < planets_; ++k) Gm[lanes_ * s + k] = steps.G * bodies.mass[body_of(s, k)];
      put(start, s, bodies);
    }
    load(start);
    Gm_.copy_from_host(Gm), Gm_stars_.copy_from_host(Gm_stars);
    wait(steps.stream);
    problem_ = {.systems = count_,
                .planets = planets_,
                .jacobi = steps.jacobi,
                .state = state_.data(),
                .stars = stars_.data(),
                .Gm = Gm_.data(),
                .Gm_stars = Gm_stars_.data(),
                .dt = steps.dt,
                .stream = steps.stream};
  }
  /// Starts steps of all systems, at most 1024 in a launch.
  void advance(std::uint64_t steps) {
    for (std::uint64_t now = 0; steps > 0; steps -= now) {
      now = std::min<std::uint64_t>(steps, 1024);
      problem_.steps = now;
      orbit_systems(problem_);
    }
  }
  /// Changes all systems by a symplectic corrector.
  void correct(const OrbitCorrector& corrector) { correct_orbit_systems(problem_, corrector); }

  /// All systems on the host.
  struct Seen {
    std::vector<double> state, stars;
  };
  /// Waits for the steps, and copies all systems.
  void see(Seen& seen) const {
    seen.state.resize(state_.size()), seen.stars.resize(stars_.size());
    state_.copy_to_host(seen.state), stars_.copy_to_host(seen.stars);
  }
  /// The inverse.
  void load(const Seen& seen) { state_.copy_from_host(seen.state), stars_.copy_from_host(seen.stars); }
  /// A system that was seen, with the low parts of its bodies.
  void write(const Seen& seen, std::size_t system, Bodies& bodies) const {
    bodies.low.resize(planets_ + 1);
    get(seen.stars, count_, system, bodies, star_[system]);
    for (std::size_t k = 0; k < planets_; ++k)
      get(seen.state, lanes_ * count_, lanes_ * system + k, bodies, body_of(system, k));
  }
  /// The inverse.
  void put(Seen& seen, std::size_t system, const Bodies& bodies) const {
    put(seen.stars, count_, system, bodies, star_[system]);
    for (std::size_t k = 0; k < planets_; ++k)
      put(seen.state, lanes_ * count_, lanes_ * system + k, bodies, body_of(system, k));
  }

  static std::size_t bytes_of(std::size_t systems, std::size_t bodies) {
    const std::size_t planets = lanes_of_system(bodies == 0 ? 0 : bodies - 1);
    return systems * (numbers_of_planet + 1) * (planets + 1) * sizeof(double);
  }

 private:
  /// Numbers the planets of the next system. Those with mass come first, so that the others change no bit of
  /// them: sums over lanes have zeros behind. Jacobi coordinates have the order of the bodies.
  void number(const Bodies& bodies, bool jacobi) {
    for (const bool particles : {false, true})
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const bool late = !jacobi && !(bodies.mass[i] > 0);
        if (i != star_.back() && late == particles) body_.push_back(static_cast<std::uint32_t>(i));
      }
  }
  /// The number of a planet among the bodies of its system.
  std::size_t body_of(std::size_t system, std::size_t planet) const {
    return body_[planets_ * system + planet];
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
  std::vector<std::size_t> star_;    ///< of each system, among its bodies
  std::vector<std::uint32_t> body_;  ///< of each planet
  Buffer<double> state_, stars_, Gm_, Gm_stars_;
  OrbitSystemsProblem problem_;
};

}  // namespace pleiad::cuda
