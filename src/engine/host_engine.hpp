/// The engine on the host: state in arrays of bodies, forces from the catalogue's CPU kernels or from a tree.
/// On several ranks each has an engine with its own bodies; forces, totals, radii, the adaptive step and
/// finite() are those of all bodies, and calls are collective.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "cpu/update.hpp"
#include "engine/added_forces.hpp"
#include "engine/force_solver.hpp"
#include "engine/host_blocks.hpp"
#include "engine/host_copy.hpp"
#include "engine/host_particle_steps.hpp"
#include "engine/implicit_kick.hpp"
#include "engine/semi_active.hpp"
#include "engine/softenings.hpp"
#include "engine/stepped_engine.hpp"
#include "engine/test_particles.hpp"
#include "integrate/orbit_particles.hpp"
#include "potentials/hill_drift.hpp"
#include "potentials/tides.hpp"
#include "ranks/collective.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class HostEngine final : public SteppedEngine<P>, private DoubleState {
 public:
  using Real = typename P::Position;

  /// `threads`: its own; 0: as many as are in force where it is called. `ranks`: whose bodies
  /// these are. `particles_limit_step`: see Method. `carried`: where the test particles of Wisdom-Holman maps
  /// are; null: here.
  HostEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
             int threads = 0, ranks::Communicator& ranks = ranks::self(), bool particles_limit_step = false,
             std::unique_ptr<OrbitParticles> carried = nullptr);

  void load(const Bodies& bodies) override;
  void advance(const StepPlan& plan, std::uint64_t steps) override;
  void copy_to_host(Bodies& bodies) override;
  void fields(Snapshot& snapshot) override;
  Totals totals() override;
  Radii radii() override;
  std::function<void(Snapshot&)> begin_copy(bool fields) override;
  SampledAccelerations computed_accelerations(std::span<const std::size_t> chosen) override;
  std::vector<Vec3<double>> exact_accelerations(std::span<const std::size_t> chosen) override;
  std::vector<Vec3<double>> exact_accelerations_of(const Bodies& bodies,
                                                   std::span<const std::size_t> chosen) override;
  std::vector<double> rounding_of_exact(const std::function<const Bodies&()>& bodies, const Sample& sample,
                                        std::span<const Vec3<double>> exact) override;
  Sample sample(const Bodies& bodies, std::size_t most) override;
  std::size_t on_all_ranks(std::size_t own) const override { return all_.bodies(own); }
  double suggest_dt(const Integrator& integrator, double eta) override;
  std::array<double, 2> work() const override { return work_; }
  void set_work(std::array<double, 2> work) override { work_ = work; }
  bool finite() override;
  void reverse_velocities() override;
  std::function<void()> keep_state() override;
  void retune(const ForceMethod& method) override;
  EngineDescription describe() const override;

 private:
  using typename SteppedEngine<P>::List;
  using SteppedEngine<P>::frame_, SteppedEngine<P>::gravity_, SteppedEngine<P>::choice_,
      SteppedEngine<P>::precision_, SteppedEngine<P>::steps_, SteppedEngine<P>::evaluations_,
      SteppedEngine<P>::lattice_;

  void forget_diagnostics() override { diagnostic_sums_ = {}, diagnostic_sums_current_ = false; }
  void carry_out(const List& list) override;
  void evaluate_forces() override { evaluate(sums_, false); }
  void evaluate_with_potentials() override;
  void add_terms() override;
  std::unique_ptr<ForceTerm<Real>> make_user_term(UserForce force) override {
    return host_term<Real>(std::move(force));
  }
  /// No kernel makes full steps here, and all is done when it has been started.
  void run_step_kernel(const StepProgram<Real>&, std::uint64_t) override {}
  bool carries_particles() const override;
  void carry_particles(const StepPlan& plan, const StepProgram<Real>& program, std::uint64_t steps) override;
  void started(std::uint64_t) override {}
  void wait() override {}
  void make_solver();
  /// Those of an evaluation of all bodies: of the last one by a tree.
  double interactions() const;
  void evaluate(std::span<Vec4<Real>> sums, bool potential);
  void apply(const Update<Real>& update);
  /// The same on the lattice of the present steps.
  void apply_on_lattice(const Update<Real>& update);
  void kick(Real h);
  bool depends_on_velocities() const override {
    return added_ && added_->any(AddedForces::Which::of_velocities);
  }
  bool has_added_forces() const override { return added_.has_value(); }
  std::optional<regular::PostNewtonian> pair_terms() const override { return pair_terms_of(gravity_); }
  void kick_by_added_forces(double dt) override;
  bool counts_work() const override { return counts_work_; }
  std::array<double, 2> power(std::span<const Vec4<double>> accelerations) override {
    return added_->power(with_velocities(velocities()), accelerations, omega_);
  }
  void add_work(double work) override;
  /// Changes of velocities by kick_ and the added forces of velocities, whose work is added up.
  std::span<const Vec3<double>> implicit_changes(int stages, double time);
  /// The bodies, with these velocities, as added forces read them.
  AddedProblem<Real> with_velocities(std::span<const Vec3<double>> v) const {
    return {.time = this->now_, .x = x_, .v = v, .low = low_};
  }
  std::span<const Vec3<double>> velocities();
  /// Diagnostic sums together with accelerations of added forces and energies in them.
  std::span<const Vec4<Real>> sums_with_added();
  /// Sums of mutual gravity with the potential, in a buffer of their own: an evaluation with potential may
  /// round the forces differently, and diagnostics must not change the run. Kept until the bodies move.
  std::span<const Vec4<Real>> diagnostic_sums();
  double softening_step(double eta) override;
  DoubleState& in_doubles(const Integrator& integrator) override;
  BlockState& in_sets(const Integrator& integrator) override;
  DoubleState::Particles particles() override;
  bool depends_on_time() const override { return !this->terms_recordable(); }
  void evaluate(std::vector<Vec4<double>>& accelerations) override;
  void evaluate(std::vector<Vec4<double>>& accelerations, std::vector<Vec4<double>>& jerks,
                double time) override;
  void evaluate(std::span<const Vec4<double>> known, std::vector<Vec4<double>>& accelerations,
                std::vector<Vec4<double>>& jerks, std::vector<Vec4<double>>& snaps) override;
  std::vector<std::array<double, 20>> of_all_ranks(std::span<const std::array<double, 20>> own) override;
  std::size_t first_of_rank() const override { return all_.comm().ranks() > 1 ? all_.first() : 0; }
  void evaluate_some(BodyPaths& paths, double now, double time, std::span<const std::uint32_t> chosen,
                     std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks) override;
  void evaluate_regular(BodyPaths& paths, double now, double time, std::span<const std::uint32_t> chosen,
                        const NeighbourReach& reach, std::span<NeighbourList* const> lists, PullsOfSome found,
                        PullsOfSome moved) override;
  void evaluate_neighbours(BodyPaths& paths, double now, bool predicted,
                           std::span<const std::uint32_t> chosen, std::span<NeighbourList* const> lists,
                           PullsOfSome found) override;
  void find_neighbours(const BodyPaths& paths, std::span<const std::uint32_t> chosen,
                       const NeighbourReach& reach, std::span<NeighbourList* const> lists,
                       PullsOfSome moved) override;
  bool higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                          std::span<Vec4<double>> crackles) override;
  void wrap() override {
    if (gravity_.boundary.periodic) cpu::wrap<Real>(x_, gravity_.boundary);
  }
  OrbitParticles* orbit_particles() override { return carried_.get(); }
  bool has_fields() const override { return tides_.any(); }
  Vec3<double> field_about(double time, const Vec3<double>& place, std::span<const Vec3<double>> offsets,
                           std::span<Vec3<double>> differences) const override {
    return tides_.about(time, place, offsets, differences);
  }
  double tide_of_fields(double time, const Vec3<double>& place, double length) const override {
    return tides_.any() ? tides_.strength(time, place, length) : 0;
  }
  double G() const override { return gravity_.G; }
  void evaluated(std::uint64_t count) override { evaluations_ += count; }
  void begin_steps() override { forget_diagnostics(), steps_.forces_current = false; }
  double min(double own) const override { return all_.min(own); }
  /// Bodies whose accelerations limit the step.
  bool limits_step(const Mass<Real>& body) const { return !particles_follow() || body.m > 0; }
  /// Their numbers among the bodies with mass, where test particles are apart and none is chosen.
  std::optional<std::vector<std::size_t>> of_massive(std::span<const std::size_t> chosen) const {
    if (!particles_apart()) return std::nullopt;
    return particles_.numbers_among_massive(chosen);
  }
  /// One body alone in open space has no acceleration that could limit a step: then the particles do.
  bool particles_follow() const {
    const bool others_limit = particles_.massive() > 1 || !gravity_.potentials.empty();
    return particles_apart() && !particles_limit_step_ && others_limit;
  }
  bool particles_apart() const { return particles_.any() && particles_.massive() > 0; }
  /// Whether pairs need more than one Plummer softening.
  bool softened() const { return !gravity_.softening.plain(); }
  /// Accelerations of chosen bodies by direct sums in double precision.
  std::vector<Vec3<double>> exact_with_semi_active(std::span<const Mass<double>> x,
                                                   std::span<const std::size_t> chosen) const {
    return semi_active_exact(all_, x, semi_active_.marks(), gravity_, chosen);
  }
  void add_terms(const BodyPaths& paths, double time, std::span<const std::uint32_t> chosen,
                 std::span<Vec4<double>> a, std::span<Vec4<double>> j);
  std::optional<std::pair<std::size_t, std::size_t>> share_of(std::size_t chosen, double pairs) const;
  void share_sums(std::size_t begin, std::size_t n, std::span<Vec4<double>> a, std::span<Vec4<double>> j);
  void share_lists(std::size_t begin, std::size_t n, std::span<NeighbourList> found);
  /// Accelerations of bodies that are chosen of all ranks.
  std::vector<Vec3<double>> chosen_of(std::span<const Vec4<Real>> sums,
                                      std::span<const std::size_t> chosen) const;

  Threads threads_;
  ranks::Collective all_;
  bool particles_limit_step_;
  std::unique_ptr<OrbitParticles> carried_;
  TestParticles particles_;
  SemiActiveBodies semi_active_;
  std::vector<double> eps_;  ///< of each body, if softened()
  std::unique_ptr<ForceSolver<P>> solver_;
  std::optional<HostParticleSteps<P>> particle_steps_;  ///< made when they are first needed
  std::optional<HostBlocks<P>> blocks_;                 ///< of a stepper with block time steps
  bool diagnostics_expected_ = false;                   ///< after the last of the present block steps
  double chosen_pairs_ = 0;                             ///< of all evaluations of chosen bodies
  std::uint64_t chosen_evaluations_ = 0;
  std::vector<Mass<Real>> x_;
  std::vector<Vec4<Real>> v_, sums_, diagnostic_sums_;
  std::vector<std::array<double, 6>> low_;      ///< see Bodies::low; empty: zeros
  std::vector<std::array<double, 21>> series_;  ///< see Bodies::series; empty: zeros
  bool left_lattice_ = false;                   ///< a body of this rank has come to its end
  bool diagnostic_sums_current_ = false;        ///< diagnostic_sums_ are those of the bodies now
  std::shared_ptr<HostCopy<Real>> copy_;        ///< kept for the next one
  std::optional<AddedForces> added_;            ///< those of the law, if there are any
  potentials::Tides tides_;                     ///< of external fields but Hill's
  ImplicitKick implicit_kick_;
  int stages_ = 1;  ///< of implicit kicks: those of the integrator's order
  bool counts_work_ = false;
  double omega_ = 0;              ///< with which the axes turn in which work is counted
  std::array<double, 2> work_{};  ///< of drags
  std::vector<Vec3<double>> velocities_, kick_;
  std::vector<Vec4<double>> effects_;
  std::vector<Vec4<Real>> sums_with_added_;
};

extern template class HostEngine<F32>;
extern template class HostEngine<F64>;
extern template class HostEngine<Mixed>;

}  // namespace pleiad
