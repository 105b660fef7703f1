/// Kicks by forces that depend on velocities: dv/dt = g + f(v), while the positions stay.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/collective.hpp"

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

/// A Runge-Kutta method of up to four stages: a[i][j], the weights b, and the sums c of the rows of a.
struct GaussTable {
  std::array<std::array<double, 4>, 4> a{};
  std::array<double, 4> b{}, c{};
};
/// Gauss's method of 1 to 4 stages.
const GaussTable& gauss_table(int stages);
/// Calls iterate(), which returns the largest change relative to the velocities, until the stages of a kick
/// of this length have settled. NumericalError if they do not.
void iterate_until_settled(double time, const std::function<double()>& iterate);

/// Gauss's implicit Runge-Kutta methods: of `stages` stages their order is twice that, and they are
/// symmetric, so that a splitting of this order keeps it, however its kicks are merged. One stage is the
/// implicit midpoint rule. The stages are found by iteration of all bodies together.
class ImplicitKick {
 public:
  /// Writes f at velocities of this rank's bodies; collective.
  using Force = std::function<void(std::span<const Vec3<double>> v, std::span<Vec4<double>> f)>;
  /// Stages for a scheme of this order, up to 8.
  static int stages_for(int order) { return order <= 2 ? 1 : (order + 1) / 2; }

  /// The changes of velocities in a time, which may be negative. NumericalError if the iteration does not
  /// converge: the force changes a velocity by more than itself in that time. Collective.
  std::span<const Vec3<double>> changes(const ranks::Collective& all, int stages, double time,
                                        std::span<const Vec3<double>> v, std::span<const Vec3<double>> g,
                                        const Force& force);

  /// What f did in the last kick, with the arguments of the last `changes`: the time times the mean of
  /// momentum(body, v) . f(v) over the stages, which for the momentum m v is what f has added to m v^2 / 2.
  /// Collective.
  using Momentum = std::function<Vec3<double>(std::size_t body, const Vec3<double>& v)>;
  double work(const ranks::Collective& all, int stages, double time, std::span<const Vec3<double>> v,
              std::span<const Vec3<double>> g, const Momentum& momentum) const;

 private:
  Vec3<double> stage(int i, int stages, double time, const Vec3<double>& v, const Vec3<double>& g,
                     std::size_t body) const;
  double iterate(int stages, double time, std::span<const Vec3<double>> v, std::span<const Vec3<double>> g,
                 const Force& force);

  std::vector<Vec4<double>> f_[4], next_[4];
  std::vector<Vec3<double>> stage_, changes_;
};

}  // namespace pleiad
