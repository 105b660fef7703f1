/// Forces by trees and multipoles: how they are found, and what finding them took.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace pleiad {

/// How accelerations are computed: between all pairs of bodies; between bodies and the multipoles of distant
/// cells (Barnes and Hut); between cells and cells (the fast multipole method).
enum class Solver { direct, barnes_hut, fmm };
constexpr std::array<std::string_view, 3> solver_names{"direct", "barnes-hut", "fmm"};
constexpr std::string_view name_of(Solver solver) { return solver_names[static_cast<std::size_t>(solver)]; }

/// How bodies are divided into cells: cubes into eight at their middle; halves of equal numbers across the
/// longest side (a balanced kd-tree); where keys along a space-filling curve differ (a hierarchy of bounding
/// volumes, a binary radix tree).
enum class Structure { octree, kd, bvh };
constexpr std::array<std::string_view, 3> structure_names{"octree", "kd", "bvh"};
constexpr std::string_view name_of(Structure s) { return structure_names[static_cast<std::size_t>(s)]; }

/// When a cell is distant enough to pull as a whole. R is the distance of its centre of mass from that of
/// another cell, or, for Barnes-Hut, from the box around a group of bodies, so that no body of the group is
/// nearer; r is the radius of the sphere around a centre of mass that holds the cell's bodies.
enum class Mac {
  spheres,  ///< R > (r_A + r_B) / theta between cells, R > r / theta for bodies
  sides,    ///< R > side / theta + the centre of mass's offset from the cell's middle (Barnes-Hut only); the
            ///< cell is an octree's cube, or else its bodies' box, whose longest side counts
  classic,  ///< R > side / theta, as Barnes and Hut had it: its error has no bound; for comparisons
  error,    ///< the estimated error of the acceleration is below `tolerance` times the acceleration of the
            ///< target
};
constexpr std::array<std::string_view, 4> mac_names{"spheres", "sides", "classic", "error"};
constexpr std::string_view name_of(Mac c) { return mac_names[static_cast<std::size_t>(c)]; }

/// All that decides the forces of a tree, beside the bodies.
struct TreeSettings {
  /// cuda: fmm of the orders 4 to 6 and Barnes-Hut of 1 to 3 with groups of at most 128, both on an octree,
  /// for F32 and Mixed, expansions in single precision.
  Device device = Device::cpu;
  Solver solver = Solver::fmm;  ///< never direct
  Structure structure = Structure::octree;
  /// The highest power of distance in an expansion. Barnes-Hut: 1 (monopoles) to 5; fmm: 3 to 6, or 8.
  int order = 5;
  Mac mac = Mac::spheres;
  double theta = 0.7;    ///< of the geometric MACs
  double tolerance = 0;  ///< of Mac::error
  int leaf_size = 48;    ///< cells with more bodies are divided
  int group = 32;        ///< Barnes-Hut: bodies that share one walk, at most; 1: each has its own
  /// For so many evaluations the order of the bodies and the cells over them are kept, and their places and
  /// moments alone are found anew. On a processor, for the MACs spheres and error.
  int rebuild_every = 1;
  bool wide = false;  ///< expansions and pairs in double precision; always so for F64
  bool operator==(const TreeSettings&) const = default;
};

/// What one evaluation took.
struct TreeWork {
  std::size_t bodies = 0, cells = 0, leaves = 0, depth = 0;
  double pairs = 0;                           ///< bodies with bodies, ordered
  double cell_pairs = 0;                      ///< cells with cells, or bodies with cells; ordered
  double softened_cell_pairs = 0;             ///< those among them that softening reaches
  double tests = 0;                           ///< of the MAC
  double build = 0, moments = 0, forces = 0;  ///< seconds
  std::size_t bytes = 0;                      ///< memory of the tree and all that hangs on it
};

/// Finds the accelerations that bodies give each other. It keeps its memory between evaluations, and nothing
/// else: the same bodies give the same bits, whatever came before, for any number of threads. Where
/// rebuild_every is above 1 it keeps its cells too, and bits depend on the bodies that these were made of.
template <class P>
class TreeSolver {
 public:
  virtual ~TreeSolver() = default;
  /// The targets are the sources, and self is 0. UsageError for a boundary that it does not know.
  virtual void evaluate(const PairProblem<P>& problem) = 0;
  virtual const TreeWork& work() const = 0;
};

/// Of this binary on the CPU. UsageError for settings that no solver there has, with what would be right.
template <class P>
std::unique_ptr<TreeSolver<P>> make_tree_solver(const TreeSettings& settings);
/// The same check alone.
void need_able(const TreeSettings& settings);

/// What the text of a tree's settings begins with.
inline constexpr std::array<std::string_view, 4> tree_names{"cpu/barnes-hut", "cpu/fmm", "cuda/barnes-hut",
                                                            "cuda/fmm"};
/// "cpu/fmm order=5 theta=0.7 leaf=48", and back. UsageError with the nearest right word.
std::string text_of(const TreeSettings& settings);
TreeSettings tree_settings_of(std::string_view text);

}  // namespace pleiad
