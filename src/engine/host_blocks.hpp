/// Sets of the bodies of an engine on the host, each with a solver of its own, for block time steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "engine/force_term.hpp"
#include "engine/test_particles.hpp"
#include "integrate/state.hpp"
#include "ranks/collective.hpp"

#include <pleiad/gravity.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// The forces of a set are those that its bodies would have by themselves, bit for bit, on any number of
/// ranks and threads. Trees leave sets of few bodies to direct sums. P: the precision policy.
template <class P>
class HostBlocks final : public BlockState {
 public:
  using Real = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  /// What the engine has of all its bodies; it outlives the object.
  struct Engine {
    const ranks::Collective& all;
    const ForceMethod& method;
    const Gravity& gravity;
    std::vector<Mass<Real>>& x;
    std::vector<Vec4<Real>>& v;
    std::vector<Sum>& sums;         ///< of set 0
    std::span<const double> eps;    ///< of each body, if the softening is not plain
    ForceTerms<Real>& terms;        ///< that act on each body by itself
    bool has_particles = false;     ///< some bodies of some rank have no mass
    bool particles_follow = false;  ///< and these decide nothing
    std::function<void()> begin{};
    /// Evaluates set 0; see BlockState::evaluate.
    std::function<void(double time, bool last)> evaluate{};
    std::function<void()> moved{};      ///< must be called after each drift
    std::function<void()> evaluated{};  ///< and after each evaluation of another set than 0
  };
  explicit HostBlocks(Engine engine);

  std::size_t bodies() const override { return engine_.x.size(); }
  std::size_t on_all_ranks(std::size_t own) const override;
  double G() const override { return engine_.gravity.G; }
  bool has_fields() const override { return !engine_.terms.empty(); }
  bool decides(std::size_t i) const override { return !engine_.particles_follow || engine_.x[i].m > 0; }
  double most_split() const override;
  void begin_steps() override { engine_.begin(); }
  void set_members(std::size_t set, std::span<const std::uint32_t> members, std::size_t deciding) override;
  void evaluate(std::size_t set, double time, bool last) override;
  void find_steps(std::size_t set, const BlockSteps& blocks, double eta, std::span<double> steps) override;
  void find_steps_back(std::size_t set, const BlockSteps& blocks, double eta,
                       std::span<double> steps) override;
  void keep(std::size_t set, int level) override;
  void go_back(std::size_t set, int level) override;
  void kick(std::size_t set, double h) override;
  void drift(std::span<const std::uint32_t> bodies, double h) override;
  /// The mean number of interactions of an evaluation, of all sets and all ranks; 0: there was none.
  double interactions() const { return evaluations_ > 0 ? interactions_ / double(evaluations_) : 0; }
  /// Counts an evaluation with this number of them.
  void count(double interactions) { interactions_ += interactions, ++evaluations_; }

 private:
  struct Set {
    std::span<const std::uint32_t> members;
    TestParticles part;              ///< of several ranks: the members among all bodies
    ranks::Collective among;         ///< the members, divided among the ranks by their own number
    TestParticles particles;         ///< which of them have no mass
    std::vector<double> eps;         ///< of this rank's share, if the softening is not plain
    std::vector<Mass<Real>> x;       ///< this rank's members
    std::vector<Sum> sums;           ///< of x
    std::vector<Mass<Real>> of_all;  ///< the members of all ranks
    std::vector<Sum> of_share;       ///< sums of this rank's share of them
    std::unique_ptr<ForceSolver<P>> solver;
    double bodies = 0, deciding = 0;  ///< of all ranks
    bool small = false;               ///< the solver is for few bodies
  };
  bool on_ranks() const { return engine_.all.comm().ranks() > 1; }
  /// Copies this rank's members.
  void gather(Set& set);
  /// This rank's share of the members, by the division among the ranks.
  std::span<const Mass<Real>> share_of(Set& set) const;
  void make_solver(Set& set, std::size_t deciding);
  /// `sign`: of the velocities.
  void find_pair_steps(std::size_t set, double eta, std::span<double> steps, double sign);
  std::span<Sum> sums_of(std::size_t set) {
    return set == 0 ? std::span(engine_.sums) : sets_[set - 1]->sums;
  }

  /// Members of a set as they were.
  struct Kept {
    std::vector<Mass<Real>> x;
    std::vector<Vec4<Real>> v;
    std::vector<Sum> sums;
  };

  Engine engine_;
  std::vector<std::unique_ptr<Set>> sets_;  ///< from set 1 on
  std::vector<Kept> kept_;                  ///< by level
  std::vector<std::uint8_t> marks_;
  double interactions_ = 0;
  std::uint64_t evaluations_ = 0;
};

extern template class HostBlocks<F32>;
extern template class HostBlocks<F64>;
extern template class HostBlocks<Mixed>;

}  // namespace pleiad
