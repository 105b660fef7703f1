/// Forces on one GPU where some bodies are test particles: the bodies with mass pull every body one-sidedly,
/// and then their own sums are replaced by those that they have without the particles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/test_particles.hpp"
#include "engine/device_kernels.hpp"
#include "engine/force_solver.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace pleiad {
namespace {

template <class P>
class DeviceParticleForces final : public ForceSolver<P> {
 public:
  DeviceParticleForces(const ForceMethod& method, std::span<const std::size_t> massive, void* stream)
      : one_sided_(method.kernel->traits.separate_targets ? *method.kernel
                                                          : one_sided_with_potential(*method.kernel)),
        shape_(&one_sided_ == method.kernel ? method.shape : LaunchShape{}),
        massive_(massive, stream),
        bodies_(massive.size(), stream),
        sums_(massive.size(), stream) {
    if (!massive.empty()) of_massive_ = make_device_solver<P>(method, stream);
  }

  void evaluate(const PairProblem<P>& p) override {
    if (massive_.size() == 0) return cuda::fill(p.sums.data(), 0, p.sums.size_bytes(), p.stream);
    cuda::gather(p.sources.data(), std::as_const(massive_).span(), bodies_.data(), p.stream);
    auto all = p;
    all.sources = bodies_.span(), all.self = p.none;
    const auto& potentials = one_sided_with_potential(one_sided_);
    DirectSums<P>(one_sided_, shape_, potentials, &potentials == &one_sided_ ? shape_ : LaunchShape{})
        .evaluate(all);
    auto own = p;
    own.targets = own.sources = bodies_.span(), own.sums = sums_.span(), own.self = 0;
    of_massive_->evaluate(own);
    cuda::scatter(sums_.data(), std::as_const(massive_).span(), p.sums.data(), p.stream);
  }
  std::size_t bytes() const override {
    return bodies_.size() * (sizeof(std::size_t) + sizeof(bodies_.data()[0]) + sizeof(sums_.data()[0]));
  }

 private:
  const DirectKernel& one_sided_;
  LaunchShape shape_;
  std::unique_ptr<ForceSolver<P>> of_massive_;
  cuda::Buffer<std::size_t> massive_;  ///< their numbers
  cuda::Buffer<Mass<typename P::Position>> bodies_;
  cuda::Buffer<Vec4<typename P::Sum>> sums_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_device_particle_solver(const ForceMethod& method,
                                                            std::span<const std::size_t> massive,
                                                            void* stream) {
  return std::make_unique<DeviceParticleForces<P>>(method, massive, stream);
}
template std::unique_ptr<ForceSolver<F32>> make_device_particle_solver(const ForceMethod&,
                                                                       std::span<const std::size_t>, void*);
template std::unique_ptr<ForceSolver<F64>> make_device_particle_solver(const ForceMethod&,
                                                                       std::span<const std::size_t>, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_device_particle_solver(const ForceMethod&,
                                                                         std::span<const std::size_t>, void*);

}  // namespace pleiad
