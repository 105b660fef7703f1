/// Bodies on a GPU with a step of their own each (individual_steps.hpp): their memory, launches until a time,
/// and what a save needs of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/steps/individual_steps.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pleiad::cuda {

/// Bytes of GPU memory for n bodies.
std::size_t individual_bytes(std::size_t n);

/// In the arrays of the GPU those without mass stand behind the others.
class IndividualBodies {
 public:
  struct Settings {
    double eps = 0, G = 1;
    bool in_floats = false;            ///< see IndividualProblem
    unsigned grid = 0;                 ///< see IndividualProblem
    std::uint64_t most_blocks = 4096;  ///< of a launch, which takes some tenths of a second at most
    void* stream = nullptr;
  };
  /// The bodies go on with the steps that they have kept (Bodies::series), or find their first ones.
  IndividualBodies(const Bodies& bodies, const Settings& settings);

  /// Finds accelerations, jerks and the lengths of first steps now, unless they are known; else the first
  /// advance does.
  void find_start(double eta);
  /// Makes `steps` steps dt, of each of which every body makes parts. `time`: where they begin, for messages.
  /// Returns what was done. NumericalError where a body needs a step below the shortest.
  IndividualProgress advance(double dt, double eta, std::uint64_t steps, double time = 0);
  /// Positions and velocities, with the low parts and what the next steps go on with, as far as they are
  /// known: in the order of the bodies.
  void copy_to_host(Bodies& bodies) const;
  /// The low parts and what the next steps go on with alone.
  void keep(Bodies& bodies) const;
  /// Positions and velocities to arrays on the GPU, in the order of the bodies; work is queued.
  void give(Mass<double>* positions, Vec4<double>* velocities) const;
  void reverse_velocities();
  /// Copies all to the host. The returned function puts it back.
  std::function<void()> keep_state();
  std::size_t bytes() const;
  /// Pairs of all bodies.
  double pairs() const { return double(n_) * double(pulling_); }
  std::size_t pulling() const { return pulling_; }

 private:
  IndividualProgress launch_until(std::uint64_t end);
  std::vector<double> state_on_host() const;

  std::size_t n_, pulling_ = 0;
  std::vector<unsigned> place_;  ///< the number of each body in the order of the arrays
  Buffer<double> state_, mass_, steps_;
  Buffer<unsigned char> levels_, workplace_;
  Buffer<unsigned> places_;
  Buffer<IndividualProgress> progress_;
  Buffer<double> mean_velocity_;
  IndividualProblem problem_;
  double total_mass_ = 0;                    ///< times G
  bool has_low_ = false;                     ///< the low parts count
  bool started_ = false;                     ///< accelerations, jerks and steps are known
  unsigned finest_ = 0;                      ///< a guess
  std::uint64_t most_blocks_, blocks_ = 64;  ///< of a launch
};

}  // namespace pleiad::cuda
