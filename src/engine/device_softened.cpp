#include "engine/device_softened.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/sample.hpp"
#include "cuda/softened_sums.hpp"
#include "cuda/test_particles.hpp"
#include "engine/softenings.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

template <class M>
cuda::Buffer<M> radii2_of(std::span<const double> eps, SofteningKernel kernel, void* stream) {
  std::vector<M> radii2;
  for (const double each : eps) radii2.push_back(cuda::radius2_of<M>(each, kernel));
  cuda::Buffer<M> there(std::span<const M>(radii2), stream);
  cuda::wait(stream);
  return there;
}

template <class P>
class DeviceSoftenedSums final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  using M = typename P::Math;

  DeviceSoftenedSums(const Gravity& gravity, std::span<const double> eps,
                     const std::vector<std::size_t>* massive, void* stream)
      : softening_(gravity.softening), apart_(massive != nullptr) {
    radii2_ = radii2_of<M>(eps, softening_.kernel, stream);
    if (!apart_) return;
    std::vector<double> of_massive;
    std::vector<std::uint32_t> numbers;
    for (const auto i : *massive) of_massive.push_back(eps[i]), numbers.push_back(std::uint32_t(i));
    massive_ = cuda::Buffer<std::size_t>(std::span<const std::size_t>(*massive), stream);
    numbers_ = cuda::Buffer<std::uint32_t>(std::span<const std::uint32_t>(numbers), stream);
    radii2_of_massive_ = radii2_of<M>(of_massive, softening_.kernel, stream);
    bodies_ = cuda::Buffer<Mass<T>>(massive->size(), stream);
  }

  void evaluate(const PairProblem<P>& problem) override {
    if (problem.targets.empty()) return;
    auto p = problem;
    p.softening = softening_;
    const M* const of_targets = radii2_.data() + problem.self;
    if (!apart_) return cuda::softened_sums<P>(p, {of_targets, radii2_.data(), nullptr});
    if (massive_.size() == 0) return cuda::fill(p.sums.data(), 0, p.sums.size_bytes(), p.stream);
    cuda::gather(p.sources.data(), std::as_const(massive_).span(), bodies_.data(), p.stream);
    p.sources = std::as_const(bodies_).span();
    cuda::softened_sums<P>(p, {of_targets, radii2_of_massive_.data(), numbers_.data()});
  }
  std::size_t bytes() const override {
    return radii2_.size() * sizeof(M) +
           massive_.size() * (sizeof(std::size_t) + sizeof(std::uint32_t) + sizeof(M) + sizeof(Mass<T>));
  }

 private:
  Softening softening_;
  bool apart_;              ///< some bodies have no mass
  cuda::Buffer<M> radii2_;  ///< of all bodies
  cuda::Buffer<std::size_t> massive_;
  cuda::Buffer<std::uint32_t> numbers_;  ///< the same, as the sums read them
  cuda::Buffer<M> radii2_of_massive_;
  cuda::Buffer<Mass<T>> bodies_;  ///< those with mass
};

template <class P>
class MultiGpuSoftenedSums final : public MultiGpuSolver<P> {
 public:
  MultiGpuSoftenedSums(const MultiGpuPlace& place, std::span<const double> eps,
                       const std::vector<std::size_t>* massive)
      : place_(place), of_gpus_(static_cast<std::size_t>(place.devices.size())) {
    place_.devices.each([&](int d) {
      of_gpus_[static_cast<std::size_t>(d)] =
          make_device_softened_solver<P>(place.gravity, eps, massive, place_.devices.stream(d));
    });
  }
  void evaluate(std::span<const OnGpu<P>> gpus, bool potential) override {
    place_.devices.each([&](int device) {
      const auto d = static_cast<std::size_t>(device);
      of_gpus_[d]->evaluate(own_problem<P>(place_, device, gpus[d], potential));
    });
  }
  std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const auto& solver : of_gpus_) bytes += solver->bytes();
    return bytes;
  }

 private:
  MultiGpuPlace place_;
  std::vector<std::unique_ptr<ForceSolver<P>>> of_gpus_;
};

}  // namespace

std::vector<double> softenings_of_all(const ranks::Collective& all, const Bodies& own, const Softening& law) {
  if (law.plain()) return {};
  const auto eps = softenings_of(own, law);
  if (eps.size() != own.size())
    throw UsageError(
        fmt::format("{} softenings for {} bodies; there must be one for each", eps.size(), own.size()));
  return ranks::all_gather<double>(all.comm(), std::span<const double>(eps)).data;
}

template <class P>
std::unique_ptr<ForceSolver<P>> make_device_softened_solver(const Gravity& gravity,
                                                            std::span<const double> eps,
                                                            const std::vector<std::size_t>* massive,
                                                            void* stream) {
  return std::make_unique<DeviceSoftenedSums<P>>(gravity, eps, massive, stream);
}
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_softened_sums(
    const MultiGpuPlace& place, std::span<const double> eps,
    const std::optional<std::vector<std::size_t>>& massive) {
  return std::make_unique<MultiGpuSoftenedSums<P>>(place, eps, massive ? &*massive : nullptr);
}
#define PLEIAD_SOFTENED(P)                                                              \
  template std::unique_ptr<ForceSolver<P>> make_device_softened_solver(                 \
      const Gravity&, std::span<const double>, const std::vector<std::size_t>*, void*); \
  template std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_softened_sums(             \
      const MultiGpuPlace&, std::span<const double>, const std::optional<std::vector<std::size_t>>&);
PLEIAD_SOFTENED(F32)
PLEIAD_SOFTENED(F64)
PLEIAD_SOFTENED(Mixed)
#undef PLEIAD_SOFTENED

template <class T>
std::vector<Vec3<double>> softened_exact_on_gpu(std::span<const Mass<T>> bodies, std::span<const double> eps,
                                                const Gravity& gravity, std::span<const std::size_t> chosen,
                                                void* stream) {
  if (chosen.empty()) return {};
  const auto radii2 = radii2_of<double>(eps, gravity.softening.kernel, stream);
  std::vector<double> eps_of_chosen;
  for (const auto i : chosen) eps_of_chosen.push_back(eps[i]);
  const auto radii2_of_chosen = radii2_of<double>(eps_of_chosen, gravity.softening.kernel, stream);
  const cuda::Buffer<std::size_t> numbers(chosen, stream);
  cuda::Buffer<Mass<double>> targets(chosen.size(), stream);
  cuda::pick(bodies.data(), numbers.data(), chosen.size(), targets.data(), stream);
  constexpr std::size_t chunk = std::size_t{1} << 22;  // bodies in double precision at a time
  cuda::Buffer<Mass<double>> wide(std::min(chunk, bodies.size()), stream);
  cuda::Buffer<Vec4<double>> sums(chosen.size(), stream);
  std::vector<Vec4<double>> total(chosen.size()), part(chosen.size());
  for (std::size_t begin = 0; begin < bodies.size(); begin += chunk) {
    const std::size_t count = std::min(chunk, bodies.size() - begin);
    cuda::pick(bodies.data() + begin, nullptr, count, wide.data(), stream);
    // Forces only, so that numbers do not matter.
    cuda::softened_sums<F64>({.targets = std::as_const(targets).span(),
                              .sources = std::as_const(wide).span().first(count),
                              .sums = sums.span(),
                              .softening = gravity.softening,
                              .boundary = gravity.boundary,
                              .stream = stream},
                             {radii2_of_chosen.data(), radii2.data() + begin, nullptr});
    sums.copy_to_host(part);
    for (std::size_t k = 0; k < part.size(); ++k)
      total[k].x += part[k].x, total[k].y += part[k].y, total[k].z += part[k].z;
  }
  std::vector<Vec3<double>> accelerations;
  for (const auto& sum : total) accelerations.push_back(gravity.G * sum.xyz());
  return accelerations;
}
template std::vector<Vec3<double>> softened_exact_on_gpu(std::span<const Mass<float>>,
                                                         std::span<const double>, const Gravity&,
                                                         std::span<const std::size_t>, void*);
template std::vector<Vec3<double>> softened_exact_on_gpu(std::span<const Mass<double>>,
                                                         std::span<const double>, const Gravity&,
                                                         std::span<const std::size_t>, void*);

}  // namespace pleiad
