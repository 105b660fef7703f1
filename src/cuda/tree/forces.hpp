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

/// A request for forces. sums[i] is overwritten with the pull on body i; w has the sum for the potential, or
/// 0. All are NaN if a position or the whole mass is not finite.
template <class Real>
struct Request {
  std::span<const Mass<Real>> bodies;  ///< of the device
  Outputs<Real> sums;
  Softening softening;
  bool potential = false;
  /// Number of parts of about as many bodies each, and the part to compute; together they have the result of
  /// all at once, bit for bit. The part of a body depends on its position; request all parts to get all sums.
  int part = 0, parts = 1;
};

/// Forces of a tree: the interface for engines. ResourceError if the tree or its lists do not fit into the
/// device's memory.
template <class Real>
class Forces {
 public:
  virtual ~Forces() = default;
  /// Queues the first stage of the work.
  virtual void begin(const Request<Real>& request) = 0;
  /// Waits for data that the next stage needs of the one before, and queues that stage. False: all is queued.
  /// Several devices are busy at once if go_on is called for each before it is called again for the first.
  virtual bool go_on() = 0;
  virtual std::size_t bytes() const = 0;
  /// Times evaluations by phases from now on, which costs a little.
  virtual void measure_phases() = 0;
  /// Times of the last evaluation; waits for it.
  virtual PhaseSeconds phases() = 0;
  /// Work of the last evaluation; counts data on the device.
  virtual TreeWork work() = 0;

  /// All stages, of the whole. Both spans are the device's.
  void evaluate(std::span<const Mass<Real>> bodies, std::span<Vec4<Real>> sums, const Softening& softening,
                bool potential) {
    begin({.bodies = bodies, .sums = {{sums.data()}}, .softening = softening, .potential = potential});
    while (go_on()) {
    }
  }
};

/// Memory that is allocated before the need is known: arrays that are too small grow, and stay.
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
