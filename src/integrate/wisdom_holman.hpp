/// The stepper of Wisdom-Holman maps: see wisdom_holman.cpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/corrector.hpp"
#include "integrate/orbit_particles.hpp"
#include "integrate/stepper.hpp"
#include "orbits/many.hpp"

#include <pleiad/integrator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pleiad {

/// Columns with their low-order parts.
struct DoubleColumns {
  orbits::Columns high, low;
};

class WisdomHolmanStepper : public Stepper {
 public:
  /// `carried`: the test particles, in democratic heliocentric coordinates; null: they are bodies as others.
  WisdomHolmanStepper(DoubleState& state, bool jacobi, OrbitParticles* carried = nullptr);

  void advance(const StepPlan& plan, std::uint64_t steps) override;
  /// From the coordinates of the map to those of the bodies, where steps have a corrector; brings test
  /// particles from where they are carried.
  void show_bodies() override;
  /// Not asked for: its steps are of one length.
  double suggest_dt(double) override { return std::numeric_limits<double>::infinity(); }

 protected:
  using Triple = std::array<double, 3>;

  void set_masses(const std::vector<Mass<double>>& bodies, std::span<const std::uint8_t> semi_active);
  virtual void load();
  void store() const;
  void find_coordinates();
  void find_velocities();
  void find_pulls();
  void add_pulls_of_semi_active();
  void kick_in_jacobi_coordinates(const Triple& of_star);
  virtual void step(double dt);
  void step_with_added_forces(const StepPlan& plan, std::uint64_t steps);
  void enter(const corrector::Map& map);
  void correct(const corrector::Map& map, bool to_bodies);
  void kick_corrected(double dt);
  void load_particles();
  void add_row();
  void let_follow(double dt);
  void change_positions(double dt);
  void change_velocities();
  Triple jump(const orbits::Columns& velocities, double dt) const;
  Triple weighted(const orbits::Columns& columns) const;
  void add(DoubleColumns& to, Triple& star, Triple& star_low, const orbits::Columns& changes,
           const Triple& common) const;
  void from_jacobi(orbits::Columns& changes) const;
  void to_jacobi(orbits::Columns& relative) const;
  double total() const { return mass_within_.empty() ? star_mass_ : mass_within_.back(); }

  DoubleState& state_;
  OrbitParticles* carried_;
  bool jacobi_, forces_current_ = false;
  corrector::Map map_{};                     ///< in whose coordinates the bodies are
  std::size_t star_ = 0, n_ = 0, size_ = 0;  ///< of the bodies but the central one; padded
  std::vector<std::size_t> body_;            ///< numbers of these bodies
  double G_ = 1, star_mass_ = 0;
  std::vector<double> mass_, mu_,
      mass_within_;  ///< of the central body and all up to each one, itself included
  std::vector<std::size_t> massive_;
  std::vector<std::size_t> pulling_, semi_active_;  ///< of massive_: those that pull all others, and the rest
  std::vector<orbits::Source> sources_;
  orbits::Columns pulled_x_, pulled_a_;  ///< of the former, as targets of the latter
  Triple star_x_{}, star_x_low_{}, star_v_{}, star_v_low_{}, drift_{};  ///< drift: velocity of the barycentre
  Triple star_change_{}, first_jump_{}, jumps_{};                       ///< of the last step: see orbits::row
  orbits::Trail trail_;
  DoubleColumns x_, v_;
  orbits::Columns q_, u_;                 ///< coordinates and their velocities
  orbits::Columns a_, dq_, du_, kicked_;  ///< kicks at q_; changes in a step; velocities after the first kick
};

}  // namespace pleiad
