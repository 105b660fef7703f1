/// Direct sums on several GPUs where some bodies are test particles, as DeviceParticleForces on one: the
/// bodies with mass are gathered on each GPU, pull all bodies that it owns, and have sums of their own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/test_particles.hpp"
#include "engine/multi_gpu_solver.hpp"
#include "engine/particle_pulls.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

template <class P>
class MultiGpuParticleSums final : public MultiGpuSolver<P> {
 public:
  using T = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  MultiGpuParticleSums(const MultiGpuPlace& place, const ForceMethod& method,
                       std::span<const std::size_t> counts, std::span<const std::size_t> massive)
      : place_(place), pulls_(method), shares_(counts.size()) {
    if (massive.empty()) return;
    std::vector<std::size_t> massive_counts;
    std::vector<std::vector<std::size_t>> here(counts.size());
    std::size_t first = 0, k = 0;
    for (std::size_t d = 0; d < counts.size(); ++d) {
      shares_[d].first = k;
      for (; k < massive.size() && massive[k] < first + counts[d]; ++k) here[d].push_back(massive[k] - first);
      massive_counts.push_back(here[d].size());
      first += counts[d];
    }
    place_.devices.each([&](int device) {
      const auto d = static_cast<std::size_t>(device);
      auto& s = shares_[d];
      auto* const stream = place_.devices.stream(device);
      s.massive = cuda::Buffer<std::size_t>(massive, stream);
      s.here = cuda::Buffer<std::size_t>(std::span<const std::size_t>(here[d]), stream);
      s.bodies = cuda::Buffer<Mass<T>>(massive.size(), stream);
      s.sums = cuda::Reachable<Sum>(massive_counts[d]);
    });
    place_.devices.wait();  // `here` is read until then
    of_massive_ = make_multi_gpu_sums<P>(place, method, massive_counts);
  }

  void evaluate(std::span<const OnGpu<P>> gpus, bool potential) override {
    auto& devices = place_.devices;
    if (!of_massive_)
      return devices.each([&](int d) {
        const auto& sums = gpus[static_cast<std::size_t>(d)].sums;
        if (!sums.empty()) cuda::fill(sums.data(), 0, sums.size_bytes(), devices.stream(d));
      });
    std::vector<OnGpu<P>> with_mass;
    for (auto& s : shares_)
      with_mass.push_back({.first = s.first,
                           .count = s.here.size(),
                           .bodies = s.bodies.span(),
                           .sums = {s.sums.data(), s.here.size()}});
    devices.each([&](int device) {
      const auto& gpu = gpus[static_cast<std::size_t>(device)];
      auto& s = shares_[static_cast<std::size_t>(device)];
      cuda::gather(gpu.bodies.data(), std::as_const(s.massive).span(), s.bodies.data(),
                   devices.stream(device));
      if (gpu.count > 0) pulls_.evaluate(own_problem<P>(place_, device, gpu, potential), s.bodies.span());
    });
    of_massive_->evaluate(with_mass, potential);
    devices.each([&](int device) {
      const auto d = static_cast<std::size_t>(device);
      const auto& s = shares_[d];
      cuda::scatter(s.sums.data(), s.here.span(), gpus[d].sums.data(), devices.stream(device));
    });
  }
  std::size_t bytes() const override {
    std::size_t bytes = of_massive_ ? of_massive_->bytes() : 0;
    for (const auto& s : shares_)
      bytes += s.massive.size() * (sizeof(std::size_t) + sizeof(Mass<T>)) +
               s.here.size() * (sizeof(std::size_t) + sizeof(Sum));
    return bytes;
  }

 private:
  /// The memory of one GPU.
  struct Share {
    std::size_t first = 0;              ///< of its own bodies with mass among all with mass
    cuda::Buffer<std::size_t> massive;  ///< the numbers of the bodies with mass among all bodies
    cuda::Buffer<std::size_t> here;     ///< of its own, among the bodies that it owns
    cuda::Buffer<Mass<T>> bodies;       ///< all with mass
    cuda::Reachable<Sum> sums;          ///< of its own with mass
  };

  MultiGpuPlace place_;
  ParticlePulls<P> pulls_;
  std::vector<Share> shares_;
  std::unique_ptr<MultiGpuSolver<P>> of_massive_;
};

}  // namespace

template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_particle_sums(const MultiGpuPlace& place,
                                                                const ForceMethod& method,
                                                                std::span<const std::size_t> counts,
                                                                std::span<const std::size_t> massive) {
  return std::make_unique<MultiGpuParticleSums<P>>(place, method, counts, massive);
}
template std::unique_ptr<MultiGpuSolver<F32>> make_multi_gpu_particle_sums(const MultiGpuPlace&,
                                                                           const ForceMethod&,
                                                                           std::span<const std::size_t>,
                                                                           std::span<const std::size_t>);
template std::unique_ptr<MultiGpuSolver<F64>> make_multi_gpu_particle_sums(const MultiGpuPlace&,
                                                                           const ForceMethod&,
                                                                           std::span<const std::size_t>,
                                                                           std::span<const std::size_t>);
template std::unique_ptr<MultiGpuSolver<Mixed>> make_multi_gpu_particle_sums(const MultiGpuPlace&,
                                                                             const ForceMethod&,
                                                                             std::span<const std::size_t>,
                                                                             std::span<const std::size_t>);

}  // namespace pleiad
