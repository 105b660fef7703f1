/// Forces by trees and multipoles: the settings, the work of an evaluation, and solvers.
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

/// The method of computing accelerations: direct sums over all pairs; bodies with multipoles of distant cells
/// (Barnes-Hut); cells with cells (the fast multipole method).
enum class Solver { direct, barnes_hut, fmm };
/// The names, in the order of the values.
constexpr std::array<std::string_view, 3> solver_names{"direct", "barnes-hut", "fmm"};
/// Returns "direct", "barnes-hut" or "fmm".
constexpr std::string_view name_of(Solver solver) { return solver_names[static_cast<std::size_t>(solver)]; }

/// The division of bodies into cells. octree: cubes into eight at their middle. kd: halves of equal numbers
/// across the longest side (a balanced kd-tree). bvh: where keys along a space-filling curve differ (a
/// bounding volume hierarchy, a radix tree).
enum class Structure { octree, kd, bvh };
/// The names, in the order of the values.
constexpr std::array<std::string_view, 3> structure_names{"octree", "kd", "bvh"};
/// Returns "octree", "kd" or "bvh".
constexpr std::string_view name_of(Structure s) { return structure_names[static_cast<std::size_t>(s)]; }

/// The multipole acceptance criterion, which a cell must meet to be used as a multipole. R is the distance of
/// its centre of mass from that of another cell or, for Barnes-Hut, from the box around a group of bodies, so
/// that no body of the group is nearer. r is the radius of the sphere about a centre of mass that contains
/// the cell's bodies.
enum class Mac {
  spheres,  ///< R > (r_A + r_B) / theta between cells, R > r / theta for bodies
  sides,  ///< R > side / theta + offset of the centre of mass from the cell's middle (Barnes-Hut only); side
          ///< is that of the octree's cube, or else the longest of the box around the bodies
  classic,  ///< R > side / theta (Barnes and Hut, 1986): its error has no bound; for comparisons
  error,    ///< the estimated error of the acceleration is below `tolerance` times the acceleration of the
            ///< target
};
/// The names, in the order of the values.
constexpr std::array<std::string_view, 4> mac_names{"spheres", "sides", "classic", "error"};
/// Returns "spheres", "sides", "classic" or "error".
constexpr std::string_view name_of(Mac c) { return mac_names[static_cast<std::size_t>(c)]; }

/// The settings of a tree. With the bodies they determine the forces.
struct TreeSettings {
  /// Device of the computation. cuda: fmm of orders 4 to 6, and Barnes-Hut of orders 1 to 3 with groups of at
  /// most 128, both with an octree, for F32 and Mixed, with expansions in single precision.
  Device device = Device::cpu;
  Solver solver = Solver::fmm;  ///< never direct
  Structure structure = Structure::octree;
  /// Order of the multipole expansions. Barnes-Hut: 1 (monopoles) to 5; fmm: 3 to 6, or 8.
  int order = 5;
  Mac mac = Mac::spheres;
  double theta = 0.7;    ///< opening angle of the geometric MACs
  double tolerance = 0;  ///< largest error estimate of Mac::error
  int leaf_size = 48;    ///< cells with more bodies are divided
  int group = 32;        ///< Barnes-Hut: maximum number of bodies that share one walk
  /// The number of evaluations for which cells and the order of bodies are kept; only positions and moments
  /// are updated. On the CPU, with the MACs spheres and error.
  int rebuild_every = 1;
  bool wide = false;  ///< expansions and pairs in double precision; always so for F64
  bool operator==(const TreeSettings&) const = default;
};

/// The work of one evaluation: numbers of cells and interactions, times and memory.
struct TreeWork {
  std::size_t bodies = 0, cells = 0, leaves = 0, depth = 0;
  double pairs = 0;                           ///< body-body interactions, ordered
  double cell_pairs = 0;                      ///< cell-cell or body-cell interactions, ordered
  double softened_cell_pairs = 0;             ///< those with softened expansions
  double tests = 0;                           ///< evaluations of the MAC
  double build = 0, moments = 0, forces = 0;  ///< seconds
  std::size_t bytes = 0;                      ///< bytes of memory of the tree and its lists
};

/// Computes accelerations of bodies in one memory, by direct sums or a tree. It keeps its memory between
/// evaluations, but no results: the same bodies give the same bits, after any other evaluations and for any
/// number of threads. With rebuild_every above 1 a tree also keeps its cells, and the bits depend on the
/// bodies that the cells were built from. P: the precision policy.
template <class P>
class ForceSolver {
 public:
  virtual ~ForceSolver() = default;
  /// The bodies are where the solver works, the host's memory or a GPU's, where work is queued in the stream
  /// of the solver. A tree's targets must be its sources, with self = 0. Sums with potentials may round
  /// accelerations differently: another rung may find them. UsageError for a boundary that it does not
  /// support.
  virtual void evaluate(const PairProblem<P>& problem) = 0;
  /// Bytes of memory that the solver keeps.
  virtual std::size_t bytes() const { return 0; }
  /// Work of the last evaluation of a tree; direct sums are not counted.
  virtual TreeWork work() { return {}; }
};

/// A tree on the CPU. UsageError, with valid values, for settings that no solver supports.
template <class P>
std::unique_ptr<ForceSolver<P>> make_tree_solver(const TreeSettings& settings);
/// Only the check of the settings.
void need_able(const TreeSettings& settings);

/// The possible first words of the text of a tree's settings.
inline constexpr std::array<std::string_view, 4> tree_names{"cpu/barnes-hut", "cpu/fmm", "cuda/barnes-hut",
                                                            "cuda/fmm"};
/// Returns the settings as text: "cpu/fmm order=5 theta=0.7 leaf=48".
std::string text_of(const TreeSettings& settings);
/// Returns the settings of a text of text_of. UsageError with the nearest valid word.
TreeSettings tree_settings_of(std::string_view text);

}  // namespace pleiad
