/// The added forces of a law on bodies in the memory of the host: on this rank's bodies, by sources on any.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"
#include "ranks/collective.hpp"
#include "regular/post_newtonian.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

/// Bodies at one evaluation.
template <class Real>
struct AddedProblem {
  double time = 0;
  std::span<const Mass<Real>> x;
  std::span<const Vec3<double>> v{};  ///< may be empty where only forces of positions are asked for
  std::span<const std::array<double, 6>> low{};  ///< see Bodies::low; may be empty
};

/// All calls but any() are collective. A force of a source is evaluated for each body by itself; the reaction
/// is a sum over all bodies in fixed blocks. So bits depend on neither threads nor ranks.
class AddedForces {
 public:
  /// Some of the forces.
  enum class Which { of_positions, of_velocities, all };

  explicit AddedForces(const Gravity& gravity);
  bool any(Which which) const;
  /// Whether accelerations depend on the time.
  bool depend_on_time() const;
  /// Finds the sources. UsageError if one is missing or has no mass. `all` must outlive its use.
  void load(const Bodies& own, const ranks::Collective& all);
  /// The number of the source of a force among the bodies of all ranks; empty for a force without one.
  std::optional<std::size_t> number_of_source(std::size_t force) const;
  /// Adds accelerations, and in w energies per mass, G included, of some forces.
  template <class Real>
  void add(Which which, const AddedProblem<Real>& problem, std::span<Vec4<double>> effects);
  /// Adds accelerations and jerks of all of them. `accelerations` are then complete: the jerk of a force of
  /// velocities contains them, so no force may follow.
  void add_with_jerks(const AddedProblem<double>& problem, std::span<Vec4<double>> accelerations,
                      std::span<Vec4<double>> jerks);
  /// The power of drags (see counts_work), in axes that turn about z with `omega`, and its time derivative,
  /// which is 0 without the accelerations of the bodies. Reactions are none. Collective.
  template <class Real>
  std::array<double, 2> power(const AddedProblem<Real>& problem, std::span<const Vec4<double>> accelerations,
                              double omega);
  /// Energy of all bodies in these forces, without that in mutual gravity.
  template <class Real>
  double energy(const AddedProblem<Real>& problem);

 private:
  /// A source: where it is, and its state at an evaluation.
  struct Source {
    std::optional<std::uint64_t> id{};  ///< empty: the heaviest
    int rank = 0;
    std::size_t index = 0;  ///< on its rank
    double mass = 0;
  };
  struct State {
    Vec3<double> x{}, x_low{}, v{}, a{};
  };
  bool is(Which which, const AddedForce& force) const;
  const Source* source_of(std::size_t force) const;
  bool here(const Source& source) const;
  template <class Real>
  std::vector<State> states(const AddedProblem<Real>& problem,
                            std::span<const Vec4<double>> accelerations) const;
  template <class T, class Real>
  void find_effects(std::size_t force, const AddedProblem<Real>& problem, const std::vector<State>& sources,
                    std::span<const Vec4<double>> accelerations);
  template <class Real>
  void react(std::size_t force, std::span<const Mass<Real>> x, std::span<Vec4<double>> on) const;
  template <class Real>
  Vec4<double> sum_of_effects(std::span<const Mass<Real>> x) const;

  std::vector<AddedForce> forces_;
  std::vector<Potential> potentials_;
  double G_ = 1;
  const ranks::Collective* all_ = nullptr;
  std::vector<Source> sources_;
  std::vector<std::size_t> source_;    ///< of each force; sources_.size(): none
  std::vector<Vec4<double>> effects_;  ///< of one force on each body
};

/// The terms of pairs in regularised groups, if the law has any. They are not among AddedForces.
std::optional<regular::PostNewtonian> pair_terms_of(const Gravity& gravity);

/// Throws UsageError if the forces of `gravity` have no sources among all bodies.
void need_sources(const Gravity& gravity, const Bodies& bodies);
/// Effects of the forces of `gravity` on bodies of one process, for what has no engine.
std::vector<Vec4<double>> added_effects(const Gravity& gravity, const Bodies& bodies, double time);
/// Their energy.
double added_energy(const Gravity& gravity, const Bodies& bodies, double time);

}  // namespace pleiad
