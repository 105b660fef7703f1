/// One evaluation of a tree's forces, as the compiled orders see it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/cell_list.hpp"
#include "tree/lattice.hpp"
#include "tree/m2p_records.hpp"
#include "tree/moments.hpp"
#include "tree/scales.hpp"
#include "tree/splines.hpp"
#include "tree/tree.hpp"

#include <pleiad/kernel/tree.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <span>

namespace pleiad::tree {

/// A part of an evaluation, when the parts before it have been made: of all cells the moments; with the error
/// MAC the accelerations of targets; the forces.
enum class Stage { all, moments, accelerations, forces };

/// Parameters of an evaluation, in the tree's units and order of bodies.
struct Pass {
  double theta = 0, eps = 0;
  double tolerance = 0;  ///< of the error MAC, which theta then bounds; 0: that of spheres
  Mac mac = Mac::spheres;
  int group = 1;  ///< Barnes-Hut
  bool potential = false;
  std::span<Vec4<double>> sums;
  /// Approximate cost of each sum, in pairs of bodies; empty: not requested.
  std::span<std::uint32_t> costs{};
  Stage stage = Stage::all;
  const Splines* splines =
      nullptr;  ///< if bodies have any, inside of which they meet in pairs; eps is then 0
  const Lattice* lattice = nullptr;  ///< of a periodic box; its field has been made
  /// Shifts of the images of all bodies that the walk includes; the first one is that of the bodies
  /// themselves.
  std::span<const Vec3<double>> images = open_space;
  static constexpr std::array<Vec3<double>, 1> open_space{};
  bool does(Stage s) const { return stage == Stage::all || stage == s; }
};

/// Arrays that are kept between evaluations, only to reuse their memory.
template <class M>
struct Memory {
  Moments<M> moments;
  Scales scales;
  M2PRecords<M> m2p_records;  ///< Barnes-Hut
  std::size_t bytes() const { return moments.bytes() + scales.bytes() + m2p_records.bytes(); }
};

/// A method of one order; for the instruction set in use.
struct Compiled {
  Solver solver = Solver::fmm;
  int order = 0;
  void (*narrow)(const Tree&, Memory<float>&, const Pass&, TreeWork&) = nullptr;
  void (*wide)(const Tree&, Memory<double>&, const Pass&, TreeWork&) = nullptr;
};

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The counts, not the times.
inline void add(TreeWork& to, const TreeWork& part) {
  to.pairs += part.pairs, to.cell_pairs += part.cell_pairs;
  to.softened_cell_pairs += part.softened_cell_pairs, to.tests += part.tests;
}

}  // namespace pleiad::tree
