/// A few bodies for the time of one step, by Gauss-Radau: on Kepler orbits about a centre at rest with the
/// pulls of some pairs, or in free space with those of all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/state.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pleiad {

class EncounterGroup final : public SteppedState, private DoubleState {
 public:
  struct Body {
    Vec3<double> x{}, v{};
    double mass = 0;
    double mu = 0;  ///< of the orbit about the origin; 0: nothing is there
  };
  /// `pulls`: (who is pulled, who pulls), indices of `bodies`.
  EncounterGroup(double G, std::vector<Body> bodies, std::vector<std::pair<std::size_t, std::size_t>> pulls);

  /// Moves them for a time dt > 0. NumericalError where two bodies meet.
  void advance(double dt);
  /// What a body's position and velocity have changed by.
  Vec3<double> change_of_position(std::size_t i) const;
  Vec3<double> change_of_velocity(std::size_t i) const;
  /// How often the forces were evaluated.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  void make_splitting_steps(const StepPlan&, std::uint64_t) override {}
  double softening_step(double) override { return 0; }
  DoubleState& in_doubles(const Integrator&) override { return *this; }
  BlockState& in_sets(const Integrator& integrator) override;
  Particles particles() override { return {x_, v_, low_, series_, time_}; }
  bool depends_on_time() const override { return false; }
  bool depends_on_velocities() const override { return false; }
  bool has_added_forces() const override { return false; }
  void kick_by_added_forces(double) override {}
  bool counts_work() const override { return false; }
  std::array<double, 2> power(std::span<const Vec4<double>>) override { return {}; }
  void add_work(double) override {}
  void evaluate(std::vector<Vec4<double>>& accelerations) override;
  void evaluate(std::vector<Vec4<double>>&, std::vector<Vec4<double>>&, double) override {}
  void evaluate(std::span<const Vec4<double>>, std::vector<Vec4<double>>&, std::vector<Vec4<double>>&,
                std::vector<Vec4<double>>&) override {}
  std::vector<std::array<double, 20>> of_all_ranks(std::span<const std::array<double, 20>> own) override {
    return {own.begin(), own.end()};
  }
  std::size_t first_of_rank() const override { return 0; }
  void evaluate_some(BodyPaths&, double, double, std::span<const std::uint32_t>, std::span<Vec4<double>>,
                     std::span<Vec4<double>>) override {}
  bool higher_derivatives(const BodyPaths&, std::span<Vec4<double>>, std::span<Vec4<double>>) override {
    return false;
  }
  double G() const override { return G_; }
  void evaluated(std::uint64_t count) override { evaluations_ += count; }
  void wrap() override {}
  void begin_steps() override {}
  double min(double own) const override { return own; }
  Vec3<double> position(std::size_t i) const { return {x_[i].x, x_[i].y, x_[i].z}; }
  Vec3<double> low_position(std::size_t i) const { return {low_[i][0], low_[i][1], low_[i][2]}; }

  double G_ = 1, time_ = 0;
  std::vector<Body> bodies_;  ///< at the start
  std::vector<std::pair<std::size_t, std::size_t>> pulls_;
  std::vector<Mass<double>> x_;
  std::vector<Vec4<double>> v_;
  std::vector<std::array<double, 6>> low_;
  std::vector<std::array<double, 21>> series_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace pleiad
