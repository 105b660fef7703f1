/// Hermite's fourth-order scheme on the host: predict, evaluate, correct, evaluate (Makino & Aarseth 1992,
/// PASJ 44, 141). The last evaluation is at the final state, so a resumed run finds the same accelerations
/// and jerks again.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/jerk.hpp"

#include <limits>

namespace pleiad {

template <class P>
void HostEngine<P>::evaluate_jerks(std::vector<Vec4<double>>& a, std::vector<Vec4<double>>& j) {
  if constexpr (!std::is_same_v<Real, float>) {
    cpu::acceleration_and_jerk(x_, v_, a, j, gravity_.softening, gravity_.boundary);
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
    throw UsageError(
        "integrator hermite4 needs precision f64 or mixed: its step criterion takes differences that single "
        "precision loses");
  } else {
    if (!hermite_) {
      hermite_.emplace();
      for (auto* field : {&hermite_->a, &hermite_->j, &hermite_->a_new, &hermite_->j_new, &hermite_->x0,
                          &hermite_->v0, &hermite_->snap, &hermite_->crackle})
        field->resize(x_.size());
    }
    if (hermite_->fresh) return;
    evaluate_jerks(hermite_->a, hermite_->j);
    hermite_->fresh = true;
  }
}

template <class P>
void HostEngine<P>::hermite_step(double dt) {
  need_jerks();
  if constexpr (!std::is_same_v<Real, float>) {
    auto& h = *hermite_;
    const std::size_t n = x_.size();
    const auto along = [](const Vec4<double>& p, const Vec4<double>& q, double s) {
      return Vec4<double>{p.x + s * q.x, p.y + s * q.y, p.z + s * q.z, 0};
    };
    for (std::size_t i = 0; i < n; ++i) {
      const Vec4<double> x0{x_[i].x, x_[i].y, x_[i].z, 0}, v0 = v_[i];
      h.x0[i] = x0, h.v0[i] = v0;
      const auto v1 = along(along(v0, h.a[i], dt), h.j[i], dt * dt / 2);
      const auto x1 = along(along(along(x0, v0, dt), h.a[i], dt * dt / 2), h.j[i], dt * dt * dt / 6);
      x_[i] = {x1.x, x1.y, x1.z, x_[i].m};
      v_[i] = v1;
    }
    evaluate_jerks(h.a_new, h.j_new);
    for (std::size_t i = 0; i < n; ++i) {
      const auto v1 =
          along(along(along(along(h.v0[i], h.a[i], dt / 2), h.a_new[i], dt / 2), h.j[i], dt * dt / 12),
                h.j_new[i], -dt * dt / 12);
      const auto x1 = along(along(along(along(h.x0[i], h.v0[i], dt / 2), v1, dt / 2), h.a[i], dt * dt / 12),
                            h.a_new[i], -dt * dt / 12);
      x_[i] = {x1.x, x1.y, x1.z, x_[i].m};
      v_[i] = v1;
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
    fresh_ = false;
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
    if (!std::isfinite(trial)) return std::numeric_limits<double>::infinity();
    const auto x = x_;
    const auto v = v_;
    hermite_step(trial);
    const auto snap = hermite_->snap, crackle = hermite_->crackle;
    x_ = x, v_ = v;
    hermite_->fresh = false;
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
  return least;
}

}  // namespace pleiad
