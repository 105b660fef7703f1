/// Bodies on a GPU with a step of their own each (individual_steps.hpp): their memory, and launches until a
/// time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/steps/individual_steps.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pleiad::cuda {

/// The bodies keep their order, with those without mass behind the others.
class IndividualBodies {
 public:
  struct Settings {
    double dt = 1.0 / 16, eta = 0.02, eps = 0, G = 1;
    unsigned grid = 0;  ///< see IndividualProblem
    std::uint64_t most_blocks = 4096;
  };
  IndividualBodies(const Bodies& bodies, const Settings& settings)
      : n_(bodies.size()), state_(numbers_of_state * n_), mass_(n_), levels_(n_), progress_(1) {
    std::vector<double> state(numbers_of_state * n_), mass(n_);
    for (const bool pulls : {true, false})
      for (std::size_t i = 0; i < n_; ++i)
        if ((bodies.mass[i] > 0) == pulls) place_.push_back(i), pulling_ += pulls ? 1 : 0;
    for (std::size_t k = 0; k < n_; ++k) {
      const auto x = bodies.position(place_[k]), v = bodies.velocity(place_[k]);
      const double numbers[] = {x.x, x.y, x.z, v.x, v.y, v.z};
      for (std::size_t c = 0; c < 6; ++c) state[c * n_ + k] = numbers[c];
      if (!bodies.low.empty())
        for (std::size_t c = 0; c < 6; ++c) state[(12 + c) * n_ + k] = bodies.low[place_[k]][c];
      mass[k] = settings.G * bodies.mass[place_[k]];
    }
    state_.copy_from_host(state), mass_.copy_from_host(mass);
    const IndividualProgress none;
    progress_.copy_from_host({&none, 1});
    problem_ = {.bodies = n_,
                .pulling = pulling_,
                .state = state_.data(),
                .mass = mass_.data(),
                .levels = levels_.data(),
                .dt = settings.dt,
                .eta = settings.eta,
                .eps2 = settings.eps * settings.eps,
                .most_blocks = settings.most_blocks,
                .progress = progress_.data(),
                .grid = settings.grid};
    find_accelerations_and_jerks(problem_);
    find_first_levels(problem_);
  }
  /// Makes `steps` more steps dt. NumericalError where a body needs a step below the shortest.
  IndividualProgress advance(std::uint64_t steps) {
    problem_.end += steps << finest_step;
    IndividualProgress now;
    do {
      individual_steps(problem_);
      progress_.copy_to_host({&now, 1});
      if (now.shrunk != 0)
        throw NumericalError("the step of a body has shrunk to less than " +
                                 std::to_string(std::ldexp(problem_.dt, -finest_step)) +
                                 ": two bodies are too close; use softening",
                             Error::Code::step_too_small);
    } while (now.now < problem_.end);
    return now;
  }
  void copy_to_host(Bodies& bodies) const {
    std::vector<double> state(state_.size());
    state_.copy_to_host(state);
    bodies.low.resize(n_);
    for (std::size_t k = 0; k < n_; ++k) {
      const std::size_t i = place_[k];
      std::vector<double>* const fields[] = {&bodies.x,  &bodies.y,  &bodies.z,
                                             &bodies.vx, &bodies.vy, &bodies.vz};
      for (std::size_t c = 0; c < 6; ++c) {
        (*fields[c])[i] = state[c * n_ + k];
        bodies.low[i][c] = state[(12 + c) * n_ + k];
      }
    }
  }

 private:
  std::size_t n_, pulling_ = 0;
  std::vector<std::size_t> place_;  ///< the number of each body in the order of the arrays
  Buffer<double> state_, mass_;
  Buffer<unsigned char> levels_;
  Buffer<IndividualProgress> progress_;
  IndividualProblem problem_;
};

}  // namespace pleiad::cuda
