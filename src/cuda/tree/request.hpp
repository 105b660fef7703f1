/// What an evaluation of a tree on a GPU is asked for, and what its parts take. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstdint>
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
  /// Number of parts of about as many bodies each, and the part to compute; together they have the result of
  /// all at once, bit for bit. The part of a body depends on its position; request all parts to get all sums.
  int part = 0, parts = 1;
  Boundary boundary{};  ///< open space, or all images; of one part
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

}  // namespace pleiad::cuda::tree
