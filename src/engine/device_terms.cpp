/// Force terms of bodies on a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/external_field.hpp"
#include "cuda/field_tables.hpp"
#include "cuda/pack.hpp"
#include "cuda/state.hpp"
#include "engine/device_added_forces.hpp"
#include "engine/finite_force.hpp"
#include "engine/force_term.hpp"
#include "potentials/hill_drift.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

template <class Real>
class DeviceField final : public ForceTerm<Real> {
 public:
  explicit DeviceField(std::vector<Potential> potentials) : potentials_(std::move(potentials)) {}
  void add(const TermProblem<Real>& p) override {
    cuda::add_external_field<Real>(tables_.instants(potentials_, p.time, p.stream), p.G, p.bodies.data(),
                                   p.sums.data(), p.bodies.size(), p.stream);
  }
  bool recordable() const override { return std::ranges::all_of(potentials_, is_static); }

 private:
  std::vector<Potential> potentials_;
  cuda::FieldTables tables_;
};

template <class Real>
class DeviceAddedTerm final : public ForceTerm<Real> {
 public:
  explicit DeviceAddedTerm(DeviceAddedForces& forces) : forces_(forces) {}
  void add(const TermProblem<Real>& p) override {
    forces_.add_to_sums<Real>(
        AddedForces::Which::of_positions,
        {.time = p.time, .all = p.all, .first = p.first, .count = p.bodies.size(), .stream = p.stream}, false,
        p.sums.data());
  }
  /// Forces of positions do not depend on time. An implicit kick is no work that can be replayed.
  bool recordable() const override { return !forces_.any(AddedForces::Which::of_velocities); }

 private:
  DeviceAddedForces& forces_;
};

template <class Real>
class DeviceUserForce final : public ForceTerm<Real> {
 public:
  explicit DeviceUserForce(UserForce force) : force_(std::move(force)) {}
  void add(const TermProblem<Real>& p) override {
    const std::size_t n = p.bodies.size();
    if (accelerations_.size() != n) accelerations_ = cuda::Buffer<Vec4<Real>>(n, p.stream);
    accelerations_.set_bytes(0);
    force_({.time = p.time,
            .n = n,
            .single = std::is_same_v<Real, float>,
            .bodies = p.bodies.data(),
            .accelerations = accelerations_.data(),
            .on_gpu = true,
            .stream = p.stream});
    if (!cuda::all_finite<Real>(p.bodies.data(), std::as_const(accelerations_).span().data(), n, p.stream)) {
      std::vector<Mass<Real>> x(n);
      std::vector<Vec4<Real>> a(n);
      cuda::copy_to_host(x.data(), p.bodies.data(), p.bodies.size_bytes(), p.stream);
      accelerations_.copy_to_host(a);
      need_finite_force<Real>(x, a, p.time);
    }
    cuda::add_scaled<Real>(std::as_const(accelerations_).span(), 1 / p.G, p.sums, p.stream);
  }
  bool recordable() const override { return false; }
  bool of_user() const override { return true; }

 private:
  UserForce force_;
  cuda::Buffer<Vec4<Real>> accelerations_;
};

}  // namespace

template <class Real>
ForceTerms<Real> device_terms(const Gravity& gravity, DeviceAddedForces* added) {
  ForceTerms<Real> terms;
  if (auto kicking = potentials::kicking(gravity.potentials); !kicking.empty())
    terms.push_back(std::make_unique<DeviceField<Real>>(std::move(kicking)));
  if (added != nullptr) terms.push_back(std::make_unique<DeviceAddedTerm<Real>>(*added));
  return terms;
}
template <class Real>
std::unique_ptr<ForceTerm<Real>> device_term(UserForce force) {
  return std::make_unique<DeviceUserForce<Real>>(std::move(force));
}

template ForceTerms<float> device_terms(const Gravity&, DeviceAddedForces*);
template ForceTerms<double> device_terms(const Gravity&, DeviceAddedForces*);
template std::unique_ptr<ForceTerm<float>> device_term(UserForce);
template std::unique_ptr<ForceTerm<double>> device_term(UserForce);

}  // namespace pleiad
