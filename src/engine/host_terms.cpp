/// Force terms of bodies on the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
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
ForceTerms<Real> host_terms(const Gravity& gravity) {
  ForceTerms<Real> terms;
  if (auto kicking = potentials::kicking(gravity.potentials); !kicking.empty())
    terms.push_back(std::make_unique<ExternalField<Real>>(std::move(kicking)));
  return terms;
}
template <class Real>
std::unique_ptr<ForceTerm<Real>> host_term(UserForce force) {
  return std::make_unique<HostUserForce<Real>>(std::move(force));
}

template ForceTerms<float> host_terms(const Gravity&);
template ForceTerms<double> host_terms(const Gravity&);
template std::unique_ptr<ForceTerm<float>> host_term(UserForce);
template std::unique_ptr<ForceTerm<double>> host_term(UserForce);

}  // namespace pleiad
