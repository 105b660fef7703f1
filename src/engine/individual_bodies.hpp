/// Bodies with steps of their own on a GPU, between the steps of an engine: moved by one kernel that persists
/// for thousands of blocks of steps, or by a scheme on the host that has the pulls summed there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace pleiad {

class IndividualBodies {
 public:
  virtual ~IndividualBodies() = default;
  struct Work {
    std::uint64_t blocks = 0;  ///< evaluations, one for each time at which steps end, and some for groups
    double pairs = 0;
  };
  /// Makes `steps` steps plan.dt, of each of which every body makes parts. Its bodies are of no use after an
  /// error.
  virtual Work advance(const StepPlan& plan, std::uint64_t steps) = 0;
  /// Positions and velocities to arrays on the GPU, in the order of the bodies, when it returns.
  virtual void give(Mass<double>* positions, Vec4<double>* velocities) = 0;
  /// Positions and velocities, with the low parts and what the next steps go on with, as far as they are
  /// known.
  virtual void copy_to_host(Bodies& bodies) const = 0;
  /// The low parts and what the next steps go on with alone.
  virtual void keep(Bodies& bodies) const = 0;
  virtual void reverse_velocities() = 0;
  /// Copies all to the host. The returned function puts it back.
  virtual std::function<void()> keep_state() = 0;
  virtual std::size_t bytes() const = 0;  ///< on each GPU
  /// How they are moved, for a reader.
  virtual std::string description() const = 0;
};

/// How bodies are moved, and where pulls are summed.
struct IndividualChoice {
  bool by_host = false;    ///< by a scheme on the host: close groups, external potentials, several GPUs
  bool in_floats = false;  ///< pairs that matter little are in floats (see cuda::IndividualProblem)
  int gpus = 1;            ///< of the scheme on the host
  int threads = 0;         ///< of the host; 0: as many as are in force
  /// Sums of fewer pairs are made on the host, where they take less time than a GPU takes to answer. It
  /// depends on numbers of bodies alone, so that a resumed run has the same bits.
  double few_pairs = 16384;
};

/// Bodies on the present GPU, moved so.
std::unique_ptr<IndividualBodies> make_individual_bodies(const Bodies& bodies, const Gravity& gravity,
                                                         const IndividualChoice& choice, void* stream);

/// Bytes of the memory of each GPU for n bodies.
std::size_t individual_bytes(std::size_t n, bool by_host);

}  // namespace pleiad
