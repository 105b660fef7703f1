/// Hermite's fourth-order scheme on the host: predict, evaluate, correct, evaluate (Makino & Aarseth 1992,
/// PASJ 44, 141). The last evaluation is at the final state, so a resumed run finds the same accelerations
/// and jerks again. Positions and velocities are sums of two doubles: a close pair makes millions of short
/// steps, and in plain doubles their roundings decide the result. Forces see the low parts too, since the
/// difference of two close bodies is where a rounding of their positions weighs most.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/jerks.hpp"

#include <limits>

namespace pleiad {

/// high + low + increment: its double, and what is beyond that in `low` (Knuth's two-sum, the low parts
/// first).
inline double sum(double high, double& low, double increment) {
  const double part = increment + low, all = high + part, rest = all - high;
  low = (high - (all - rest)) + (part - rest);
  return all;
}

template <class P>
void HostEngine<P>::evaluate_jerks(std::vector<Vec4<double>>& a, std::vector<Vec4<double>>& j) {
  if constexpr (!std::is_same_v<Real, float>) {
    accelerations_and_jerks(all_, {x_, v_, low_}, a, j, gravity_.softening, gravity_.boundary);
    if (const double g = gravity_.G; g != 1)
      for (auto* field : {&a, &j})
        for (auto& f : *field) f = {g * f.x, g * f.y, g * f.z, 0};
    ++evaluations_;
  } else {
    (void)a, (void)j;
  }
}

template <class P>
void HostEngine<P>::need_jerks() {
  if constexpr (std::is_same_v<Real, float>) {
    need_able(choice_.method, all_.bodies(x_.size()), precision_, gravity_, true);
  } else {
    if (!hermite_) {
      hermite_.emplace();
      for (auto* field : {&hermite_->a, &hermite_->j, &hermite_->a_new, &hermite_->j_new, &hermite_->x0,
                          &hermite_->v0, &hermite_->snap, &hermite_->crackle})
        field->resize(x_.size());
      low_.resize(x_.size());
    }
    if (hermite_->forces_current) return;
    evaluate_jerks(hermite_->a, hermite_->j);
    hermite_->forces_current = true;
  }
}

template <class P>
void HostEngine<P>::hermite_step(double dt) {
  need_jerks();
  if constexpr (!std::is_same_v<Real, float>) {
    auto& h = *hermite_;
    const std::size_t n = x_.size();
    // The state at the beginning of the step, with increments of position and velocity.
    h.low0 = low_;
    const auto set = [&](std::size_t i, const Vec3<double>& dx, const Vec3<double>& dv) {
      const auto &x = h.x0[i], &v = h.v0[i];
      auto& l = low_[i] = h.low0[i];
      x_[i] = {sum(x.x, l[0], dx.x), sum(x.y, l[1], dx.y), sum(x.z, l[2], dx.z), x_[i].m};
      v_[i] = {sum(v.x, l[3], dv.x), sum(v.y, l[4], dv.y), sum(v.z, l[5], dv.z), 0};
    };
    const auto speed = [&](std::size_t i, double share) {  // what the low part adds to a displacement
      const auto& l = h.low0[i];
      return share * Vec3<double>{l[3], l[4], l[5]};
    };
    for (std::size_t i = 0; i < n; ++i) {
      h.x0[i] = {x_[i].x, x_[i].y, x_[i].z, 0}, h.v0[i] = v_[i];
      const auto v = h.v0[i].xyz(), a = h.a[i].xyz(), j = h.j[i].xyz();
      set(i, dt * v + dt * dt / 2 * a + dt * dt * dt / 6 * j + speed(i, dt), dt * a + dt * dt / 2 * j);
    }
    evaluate_jerks(h.a_new, h.j_new);
    for (std::size_t i = 0; i < n; ++i) {
      const auto a0 = h.a[i].xyz(), a1 = h.a_new[i].xyz();
      const auto dv = dt / 2 * (a0 + a1) + dt * dt / 12 * (h.j[i].xyz() - h.j_new[i].xyz());
      set(i, dt * (h.v0[i].xyz() + 0.5 * dv) + dt * dt / 12 * (a0 - a1) + speed(i, dt), dv);
    }
    if (gravity_.boundary.periodic) cpu::wrap<Real>(x_, gravity_.boundary);
    evaluate_jerks(h.a_new, h.j_new);
    // Second and third derivatives of the acceleration at the end of the step, from both ends' values (ibid.,
    // eqs 6 and 7).
    const double d2 = 1 / (dt * dt), d3 = d2 / dt;
    const auto derivatives = [&](double a0, double a1, double j0, double j1, double& snap, double& crackle) {
      const double snap0 = (-6 * (a0 - a1) - dt * (4 * j0 + 2 * j1)) * d2;
      crackle = (12 * (a0 - a1) + 6 * dt * (j0 + j1)) * d3;
      snap = snap0 + dt * crackle;
    };
    for (std::size_t i = 0; i < n; ++i) {
      derivatives(h.a[i].x, h.a_new[i].x, h.j[i].x, h.j_new[i].x, h.snap[i].x, h.crackle[i].x);
      derivatives(h.a[i].y, h.a_new[i].y, h.j[i].y, h.j_new[i].y, h.snap[i].y, h.crackle[i].y);
      derivatives(h.a[i].z, h.a_new[i].z, h.j[i].z, h.j_new[i].z, h.snap[i].z, h.crackle[i].z);
    }
    std::swap(h.a, h.a_new);
    std::swap(h.j, h.j_new);
    h.history = true;
    steps_.forces_current = false;
  } else {
    (void)dt;
  }
}

template <class P>
double HostEngine<P>::aarseth_step(double eta) {
  need_jerks();
  auto& h = *hermite_;
  if (!h.history) {
    // No step yet to take the higher derivatives from: make a short trial step and go back.
    double trial = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double a = norm(h.a[i].xyz());
      const double speed = norm(Vec3<double>{double(v_[i].x), double(v_[i].y), double(v_[i].z)});
      const double r = norm(Vec3<double>{double(x_[i].x), double(x_[i].y), double(x_[i].z)}) + 1e-300;
      if (a > 0) trial = std::min(trial, 1e-4 * std::min(std::sqrt(r / a), r / (speed + std::sqrt(r * a))));
    }
    trial = all_.min(trial);
    if (!std::isfinite(trial)) return std::numeric_limits<double>::infinity();
    const auto x = x_;
    const auto v = v_;
    const auto low = low_;
    hermite_step(trial);
    const auto snap = hermite_->snap, crackle = hermite_->crackle;
    x_ = x, v_ = v, low_ = low;
    hermite_->forces_current = false;
    need_jerks();
    hermite_->snap = snap, hermite_->crackle = crackle;
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double a = norm(h.a[i].xyz()), j = norm(h.j[i].xyz()), s = norm(h.snap[i].xyz()),
                 c = norm(h.crackle[i].xyz());
    const double below = j * c + s * s;
    if (below > 0) least = std::min(least, std::sqrt(eta * (a * s + j * j) / below));
  }
  return all_.min(least);
}

}  // namespace pleiad
