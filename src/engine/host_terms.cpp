/// Force terms of bodies on the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "engine/added_forces.hpp"
#include "engine/finite_force.hpp"
#include "engine/force_term.hpp"
#include "potentials/hill_drift.hpp"
#include "potentials/host_field.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

template <class Real>
class ExternalField final : public ForceTerm<Real> {
 public:
  explicit ExternalField(std::vector<Potential> potentials) : potentials_(std::move(potentials)) {}
  void add(const TermProblem<Real>& p) override {
    potentials::HostField(potentials_, p.G, p.time).add_to_sums(p.bodies, p.sums);
  }
  void add_with_jerks(const JerkTermProblem& p) override {
    potentials::add_with_jerks(potentials_, p.G, p.time, p.bodies, p.velocities, p.accelerations, p.jerks);
  }
  bool recordable() const override { return std::ranges::all_of(potentials_, is_static); }

 private:
  std::vector<Potential> potentials_;
};

template <class Real>
class AddedTerm final : public ForceTerm<Real> {
 public:
  explicit AddedTerm(AddedForces& forces) : forces_(forces) {}
  void add(const TermProblem<Real>& p) override {
    if (!forces_.any(AddedForces::Which::of_positions)) return;
    effects_.assign(p.bodies.size(), {});
    forces_.add<Real>(AddedForces::Which::of_positions, {.time = p.time, .x = p.bodies, .low = p.low},
                      effects_);
    const double per_G = 1 / p.G;
    for_each_index(p.bodies.size(), [&](std::size_t i) {
      auto& s = p.sums[i];
      const auto& a = effects_[i];
      s = {Real(double(s.x) + a.x * per_G), Real(double(s.y) + a.y * per_G), Real(double(s.z) + a.z * per_G),
           s.w};
    });
  }
  void add_with_jerks(const JerkTermProblem& p) override {
    velocities_.resize(p.velocities.size());
    for_each_index(p.velocities.size(), [&](std::size_t i) { velocities_[i] = p.velocities[i].xyz(); });
    forces_.add_with_jerks({.time = p.time, .x = p.bodies, .v = velocities_, .low = p.low}, p.accelerations,
                           p.jerks);
  }
  bool recordable() const override { return !forces_.depend_on_time(); }

 private:
  AddedForces& forces_;
  std::vector<Vec4<double>> effects_;
  std::vector<Vec3<double>> velocities_;
};

template <class Real>
class HostUserForce final : public ForceTerm<Real> {
 public:
  explicit HostUserForce(UserForce force) : force_(std::move(force)) {}
  void add(const TermProblem<Real>& p) override {
    accelerations_.assign(p.bodies.size(), {});
    force_({.time = p.time,
            .n = p.bodies.size(),
            .single = std::is_same_v<Real, float>,
            .bodies = p.bodies.data(),
            .accelerations = accelerations_.data()});
    need_finite_force<Real>(p.bodies, accelerations_, p.time);
    const double per_G = 1 / p.G;
    for_each_index(p.bodies.size(), [&](std::size_t i) {
      auto& s = p.sums[i];
      const auto& a = accelerations_[i];
      s = {Real(s.x + a.x * per_G), Real(s.y + a.y * per_G), Real(s.z + a.z * per_G), s.w};
    });
  }
  bool recordable() const override { return false; }
  bool of_user() const override { return true; }

 private:
  UserForce force_;
  std::vector<Vec4<Real>> accelerations_;
};

}  // namespace

template <class Real>
ForceTerms<Real> host_terms(const Gravity& gravity, AddedForces* added) {
  ForceTerms<Real> terms;
  if (auto kicking = potentials::kicking(gravity.potentials); !kicking.empty())
    terms.push_back(std::make_unique<ExternalField<Real>>(std::move(kicking)));
  if (added != nullptr) terms.push_back(std::make_unique<AddedTerm<Real>>(*added));
  return terms;
}
template <class Real>
std::unique_ptr<ForceTerm<Real>> host_term(UserForce force) {
  return std::make_unique<HostUserForce<Real>>(std::move(force));
}

template ForceTerms<float> host_terms(const Gravity&, AddedForces*);
template ForceTerms<double> host_terms(const Gravity&, AddedForces*);
template std::unique_ptr<ForceTerm<float>> host_term(UserForce);
template std::unique_ptr<ForceTerm<double>> host_term(UserForce);

}  // namespace pleiad
