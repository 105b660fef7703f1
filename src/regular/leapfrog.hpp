/// Leapfrog steps of a chain in a fictitious time, in which two bodies stay on their exact conic section.
///
/// Logarithmic Hamiltonian (Mikkola & Tanikawa 1999, MNRAS 310, 745; Preto & Tremaine 1999, AJ 118, 2532):
/// with the kinetic energy T, U = sum m_i m_j / r_ij and B = U - T, a drift takes the time h / (T + B) and a
/// kick h / U. B is constant, or follows the work of perturbing accelerations (Mikkola & Merritt 2006, MNRAS
/// 372, 219).
///
/// By masses (time-transformed leapfrog: Mikkola & Aarseth 2002, CeMDA 84, 343): a drift takes h / w and a
/// kick h / W, where W = sum w_ij / r_ij has weights of its own, and w follows dW/dt. Light bodies beside
/// heavy ones are then resolved as well.
///
/// Post-Newtonian terms depend on velocities. Auxiliary velocities w of the bodies, which begin as the
/// velocities v, keep the leapfrog the same in both directions of time, and its errors a series in the square
/// of a substep: a kick is half a kick of w by the terms at v, one of v by those at w, and the other half of
/// w (Hellstroem & Mikkola 2010, CeMDA 106, 143).
///
/// An added constant, by which energies that cancel do not lose the digits of the time: T + B + constant.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regular/post_newtonian.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace pleiad::regular {

/// Adds to the accelerations of the bodies, in their own order, those by bodies outside, at a time and at
/// positions in the frame of the caller.
using Perturbation = std::function<void(double time, std::span<const Vec3<double>> positions,
                                        std::span<Vec3<double>> accelerations)>;

/// Bodies outside that a group pulls back: what it does to each follows with the group, in the same substeps.
struct Surroundings {
  std::size_t bodies = 0;
  /// As a perturbation, and adds to `reactions` the accelerations of the bodies outside.
  std::function<void(double time, std::span<const Vec3<double>> positions,
                     std::span<Vec3<double>> accelerations, std::span<Vec3<double>> reactions)>
      pull{};
  /// A field whose accelerations are nearly the same for all bodies: returns that at the centre of mass, and
  /// adds to `tides` by how much that at each of the offsets from there differs from it. Empty: there is
  /// none.
  std::function<Vec3<double>(double time, const Vec3<double>& centre, std::span<const Vec3<double>> offsets,
                             std::span<Vec3<double>> tides)>
      field{};
};

/// How the fictitious time is defined.
enum class Clock { logarithmic, by_masses };

/// Two neighbours of a chain, `first` and the next one, whose motion about each other is slowed down.
struct SlowPair {
  std::size_t first = 0;
  double factor = 1;  ///< at least 1
};

/// Where the numbers of a state of n bodies stand: n - 1 vectors from each body to the next, as many
/// velocities, position and velocity of the centre of mass, time, B, w, the work of post-Newtonian terms, and
/// by how much each body outside has moved, and its velocity has changed.
struct Layout {
  std::size_t n = 0, outside = 0;
  std::size_t links() const { return n - 1; }
  std::size_t velocities() const { return 3 * links(); }
  std::size_t centre() const { return 6 * links(); }
  std::size_t centre_velocity() const { return centre() + 3; }
  std::size_t time() const { return centre() + 6; }
  std::size_t energy() const { return centre() + 7; }
  std::size_t weight() const { return centre() + 8; }
  std::size_t work() const { return centre() + 9; }
  std::size_t moved(std::size_t k) const { return centre() + 10 + 6 * k; }
  std::size_t size() const { return moved(outside); }
};

class Leapfrog {
 public:
  /// What does not change in a step. Masses are multiplied by G, energies too.
  struct System {
    std::span<const double> masses;      ///< in the order of the chain
    std::span<const std::size_t> order;  ///< the body at each place of the chain
    std::span<const double> weights;     ///< w_ij of places i < j, row by row; empty: Clock::logarithmic
    std::span<const SlowPair> slow;      ///< of Clock::logarithmic
    const Surroundings* surroundings;    ///< null: none
    double start = 0;                    ///< time of the perturbation at the time 0 of the state
    double constant = 0;
    const PostNewtonian* terms = nullptr;  ///< of all pairs; null: none
  };
  /// What the forces at a state are.
  struct Forces {
    double clock = 0;       ///< U or W, with the constant: ds/dt
    double clock_rate = 0;  ///< its derivative in time
    double shortest = 0;    ///< the shortest time in which two neighbours fall together or pass each other
  };

  explicit Leapfrog(const System& system);
  /// Finds what n steps of h change of a state, start + low: the sum of `change` and `rest`, its low part.
  void advance(std::span<const double> start, std::span<const double> low, double h, int n,
               std::span<double> change, std::span<double> rest);
  Forces forces(std::span<const double> state);
  std::uint64_t evaluations() const { return evaluations_; }
  /// The shortest distance of two bodies in the last advance, in their gravitational radii, if there are
  /// post-Newtonian terms.
  double nearest() const { return nearest_; }

 private:
  void drift(double h);
  void kick(double h);
  void find_accelerations();
  void find_velocities();
  void perturb();
  void perturb_by_field(const Vec3<double>& mean);
  double find_terms(std::span<const Vec3<double>> velocities);
  void kick_auxiliary(double time);
  const std::vector<Vec3<double>>& velocities_of_links();
  double slowed_away() const;
  Vec3<double> at(std::size_t k) const { return {now_[k], now_[k + 1], now_[k + 2]}; }
  void add(std::size_t k, const Vec3<double>& increment) {
    add(k, increment.x), add(k + 1, increment.y), add(k + 2, increment.z);
  }
  void add(std::size_t k, double increment);
  void add_multiple(std::size_t k, double factor, std::size_t of);

  System system_;
  Layout layout_;
  double mass_ = 0;
  std::span<const double> start_, low_;
  std::span<double> change_, rest_;
  std::vector<double> now_, now_low_;  ///< the state
  std::vector<double> link_;           ///< 1 / r^3 of neighbours, slowed pairs with their share
  std::vector<Vec3<double>> position_, velocity_, acceleration_, gradient_, outer_;
  std::vector<Vec3<double>> body_position_, body_acceleration_, reaction_, offset_;
  Vec3<double> of_field_{};         ///< the acceleration of the centre of mass by a field
  std::vector<Vec3<double>> pull_;  ///< Newtonian and outer accelerations of the links
  std::vector<Vec3<double>> term_;  ///< post-Newtonian accelerations of the bodies
  std::vector<Vec3<double>> link_velocity_, auxiliary_;
  double nearest_ = std::numeric_limits<double>::infinity();
  double potential_ = 0, weighted_ = 0;
  std::uint64_t evaluations_ = 0;
};

}  // namespace pleiad::regular
