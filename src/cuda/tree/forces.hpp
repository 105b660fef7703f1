/// Forces of a tree on one GPU or, in parts, on several, as engines see them. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"

#include <pleiad/kernel/tree.hpp>
#include <pleiad/precision.hpp>

#include <array>
#include <memory>
#include <span>
#include <string_view>

namespace pleiad::cuda::tree {

/// The parts of an evaluation, in their order. Barnes-Hut's walk is all in the last. Where lists are made in
/// slices, all of those before the last one counts as lists.
constexpr std::array<std::string_view, 10> phase_names{"keys",          "sort",  "gather", "cells", "moments",
                                                       "accelerations", "lists", "m2l",    "l2l",   "bodies"};
using PhaseSeconds = std::array<double, phase_names.size()>;

/// What is to be found. sums[i] is overwritten with the pull on body i, in w the potential's sum or 0.
/// Not-a-number everywhere when a position or the whole mass is not finite.
template <class Real>
struct Request {
  std::span<const Mass<Real>> bodies;  ///< of the device
  Outputs<Real> sums;
  Softening softening;
  bool potential = false;
  /// Of so many parts of about as many bodies each, which have the same bits as all at once: the one that is
  /// found. A body's part depends on its place; request all parts to get all sums.
  int part = 0, parts = 1;
};

/// Forces of a tree, as an engine sees them. ResourceError when the tree or its lists do not fit into the
/// device's memory.
template <class Real>
class Forces {
 public:
  virtual ~Forces() = default;
  /// Queues the first stage of the work.
  virtual void begin(const Request<Real>& request) = 0;
  /// Waits for what the next stage has to know of the one before, and queues it. False: all is queued.
  /// Several devices are busy at once when each is told to go on before the first is again.
  virtual bool go_on() = 0;
  virtual std::size_t bytes() const = 0;
  /// From now on evaluations are timed by phases, which costs a little.
  virtual void measure_phases() = 0;
  /// Of the last evaluation; waits for it.
  virtual PhaseSeconds phases() = 0;
  /// Of the last evaluation; counts what is on the device.
  virtual TreeWork work() = 0;

  /// All stages, of the whole. Both spans are the device's.
  void evaluate(std::span<const Mass<Real>> bodies, std::span<Vec4<Real>> sums, const Softening& softening,
                bool potential) {
    begin({.bodies = bodies, .sums = {{sums.data()}}, .softening = softening, .potential = potential});
    while (go_on()) {
    }
  }
};

/// How much room is made before it is known how much is needed: what is too little grows, and stays.
struct FirstRoom {
  double cells = 5;    ///< for each leaf's worth of bodies; measured on a sphere: 4
  double chunks = 16;  ///< of lists, for each cell; 10 to 25 on spheres for theta = 0.8 to 0.6
  /// Bodies whose interaction lists, of 50 to 150 bytes each, are there at a time. No bit depends on it.
#ifdef PLEIAD_EMULATE_CUDA
  std::uint32_t slice = 4000;
  bool scarce = true;
#else
  std::uint32_t slice = 1u << 24;
  bool scarce = false;  ///< memory, however much is free
#endif
};

/// Works in `stream`. P: F32 or Mixed. UsageError for settings that no tree on the GPU has.
template <class P>
std::unique_ptr<Forces<typename P::Position>> make_forces(const TreeSettings& settings, void* stream,
                                                          FirstRoom room = {});

}  // namespace pleiad::cuda::tree
