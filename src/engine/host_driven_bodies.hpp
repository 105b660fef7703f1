/// Bodies with steps of their own that a scheme on the host makes (hermite4-block), with sums of pulls on one
/// GPU or several. What the scheme has on CPUs it has here: regularised groups, and external potentials,
/// whose fields the host adds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "cuda/steps/paths_on_gpus.hpp"
#include "engine/force_term.hpp"
#include "engine/individual_bodies.hpp"
#include "integrate/stepper.hpp"
#include "potentials/tides.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

class HostDrivenBodies final : public IndividualBodies, private SteppedState, private DoubleState {
 public:
  HostDrivenBodies(const Bodies& bodies, const Gravity& gravity, const IndividualChoice& choice,
                   void* stream);

  Work advance(const StepPlan& plan, std::uint64_t steps) override;
  void give(Mass<double>* positions, Vec4<double>* velocities) override;
  void copy_to_host(Bodies& bodies) const override;
  void keep(Bodies& bodies) const override;
  void reverse_velocities() override;
  std::function<void()> keep_state() override;
  std::size_t bytes() const override { return sums_.bytes(); }
  std::string description() const override;

 private:
  // Of a state in doubles what this scheme asks for; the rest is for others.
  [[noreturn]] static void throw_other_scheme();
  void make_splitting_steps(const StepPlan&, std::uint64_t) override { throw_other_scheme(); }
  double softening_step(double) override { throw_other_scheme(); }
  DoubleState& in_doubles(const Integrator&) override { return *this; }
  BlockState& in_sets(const Integrator&) override { throw_other_scheme(); }
  Particles particles() override { return {x_, v_, low_, series_, time_}; }
  bool depends_on_time() const override { return !terms_.empty(); }
  bool depends_on_velocities() const override { return false; }
  bool has_added_forces() const override { return false; }
  void kick_by_added_forces(double) override { throw_other_scheme(); }
  bool counts_work() const override { return false; }
  std::array<double, 2> power(std::span<const Vec4<double>>) override { return {}; }
  void add_work(double) override {}
  void evaluate(std::vector<Vec4<double>>&) override { throw_other_scheme(); }
  void evaluate(std::vector<Vec4<double>>&, std::vector<Vec4<double>>&, double) override {
    throw_other_scheme();
  }
  void evaluate(std::span<const Vec4<double>>, std::vector<Vec4<double>>&, std::vector<Vec4<double>>&,
                std::vector<Vec4<double>>&) override {
    throw_other_scheme();
  }
  std::vector<std::array<double, 20>> of_all_ranks(std::span<const std::array<double, 20>> own) override {
    return {own.begin(), own.end()};
  }
  std::size_t first_of_rank() const override { return 0; }
  void evaluate_some(BodyPaths& paths, double now, double time, std::span<const std::uint32_t> chosen,
                     std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks) override;
  bool higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                          std::span<Vec4<double>> crackles) override;
  bool has_fields() const override { return tides_.any(); }
  Vec3<double> field_about(double time, const Vec3<double>& place, std::span<const Vec3<double>> offsets,
                           std::span<Vec3<double>> differences) const override {
    return tides_.about(time, place, offsets, differences);
  }
  double tide_of_fields(double time, const Vec3<double>& place, double length) const override {
    return tides_.any() ? tides_.strength(time, place, length) : 0;
  }
  double G() const override { return gravity_.G; }
  void evaluated(std::uint64_t) override {}
  void wrap() override {}
  void begin_steps() override {}
  double min(double own) const override { return own; }
  /// Accelerations and jerks of the chosen bodies in external fields, where they are predicted.
  void find_fields(const BodyPaths& paths, double time, std::span<const std::uint32_t> chosen);

  Gravity gravity_;
  IndividualChoice choice_;
  void* stream_;
  Threads threads_;
  ForceTerms<double> terms_;
  potentials::Tides tides_;
  std::vector<Mass<double>> x_;
  std::vector<Vec4<double>> v_;
  std::vector<std::array<double, 6>> low_;      ///< see Bodies::low
  std::vector<std::array<double, 21>> series_;  ///< see Bodies::series
  double time_ = 0;
  cuda::PathsOnGpus sums_;
  std::unique_ptr<Stepper> stepper_;  ///< none: the bodies have changed
  Work work_;
  std::vector<Mass<double>> x_chosen_;
  std::vector<Vec4<double>> v_chosen_, a_of_fields_, j_of_fields_;
};

}  // namespace pleiad
