/// Direct sums on several GPUs. One-sided, each GPU sums for its own bodies. Of symmetric pairs each sums a
/// part of the pairs of blocks for all bodies, and gives the others what it has for theirs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/symmetric_parts.hpp"
#include "cuda/multi_gpu/partial_sums.hpp"
#include "engine/multi_gpu_solver.hpp"

#include <pleiad/error.hpp>

#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

template <class P>
class MultiGpuSums final : public MultiGpuSolver<P> {
 public:
  /// `symmetric`: null for a one-sided kernel.
  MultiGpuSums(const MultiGpuPlace& place, const ForceMethod& method, const cuda::SymmetricSum<P>* symmetric,
               std::span<const std::size_t> counts)
      : place_(place),
        method_(method),
        symmetric_(symmetric),
        n_(std::accumulate(counts.begin(), counts.end(), std::size_t{0})),
        shares_(counts.size()) {
    if (symmetric == nullptr) return;
    place_.devices.each([&](int d) {
      auto& s = share(d);
      s.partial_sums = cuda::Reachable<std::byte>(symmetric_->bytes_per_body * n_);
      if (by_host()) {
        s.of_host = cuda::Pinned<std::byte>(s.partial_sums.size());
      } else {
        s.boxes = cuda::Reachable<std::byte>(
            cuda::bytes_of_boxes<P>(place_.devices.size(), counts[static_cast<std::size_t>(d)]));
        cuda::fill(s.partial_sums.data(), 0, s.partial_sums.size(), place_.devices.stream(d));
      }
    });
  }
  void evaluate(std::span<const OnGpu<P>> gpus, bool potential) override {
    if (symmetric_ == nullptr) return one_sided(gpus, potential);
    if (potential) return with_potentials(gpus);
    cuda::need_symmetric(all_pairs(0, gpus), method_.kernel->name);
    if (n_ == 0) return;
    if (by_host()) through_host(gpus);
    else directly(gpus);
  }
  std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const auto& s : shares_) bytes += s.partial_sums.size() + s.boxes.size();
    return bytes;
  }

 private:
  /// The memory of one GPU.
  struct Share {
    cuda::Reachable<std::byte> partial_sums;  ///< of all bodies
    cuda::Reachable<std::byte> boxes;         ///< of its own, from the others
    cuda::Pinned<std::byte> of_host;          ///< its partial sums
    std::optional<cuda::Framed<P>> framed;
  };
  Share& share(int device) { return shares_[static_cast<std::size_t>(device)]; }
  bool by_host() const { return place_.exchange == cuda::Exchange::host; }
  PairProblem<P> all_pairs(int device, std::span<const OnGpu<P>> gpus) const {
    auto p = own_problem<P>(place_, device, gpus[static_cast<std::size_t>(device)], false);
    p.targets = p.sources, p.sums = {}, p.self = 0;
    return p;
  }

  /// By the kernel, or another one where that has no potentials.
  void one_sided(std::span<const OnGpu<P>> gpus, bool potential) {
    const auto& kernel = potential ? one_sided_with_potential(*method_.kernel) : *method_.kernel;
    place_.devices.each([&](int d) {
      const auto& gpu = gpus[static_cast<std::size_t>(d)];
      if (gpu.count > 0)
        kernel.template run<P>()(own_problem<P>(place_, d, gpu, potential),
                                 potential ? LaunchShape{} : method_.shape);
    });
  }

  /// The GPU's part of the pairs, added to partial sums that are zero. The GPUs give each other the partial
  /// sums of the bodies that they own, which are so by the given order.
  void sweep_part(int device, std::span<const OnGpu<P>> gpus, const cuda::SymmetricSum<P>& sum,
                  const LaunchShape& shape, std::byte* partial_sums) {
    const cuda::Part part{static_cast<unsigned>(device), static_cast<unsigned>(place_.devices.size())};
    share(device).framed =
        cuda::sweep_in_given_order(sum, all_pairs(device, gpus), shape, part, partial_sums);
  }

  void directly(std::span<const OnGpu<P>> gpus) {
    auto& devices = place_.devices;
    std::vector<cuda::PartialSumsOfOwner> owners;
    for (std::size_t d = 0; d < gpus.size(); ++d)
      owners.push_back(
          {gpus[d].first, gpus[d].count, shares_[d].partial_sums.data(), shares_[d].boxes.data()});
    devices.each([&](int d) {
      sweep_part(d, gpus, *symmetric_, method_.shape, share(d).partial_sums.data());
      cuda::send_partial_sums<P>(d, owners, n_, devices.stream(d));
    });
    devices.signal();
    devices.wait_for_signals();
    devices.each([&](int d) {
      auto& s = share(d);
      cuda::total_partial_sums<P>(d, owners, *s.framed, n_, gpus[static_cast<std::size_t>(d)].sums.data(),
                                  devices.stream(d));
      s.framed.reset();
    });
  }

  /// All partial sums are there for all to read.
  void through_host(std::span<const OnGpu<P>> gpus) {
    auto& devices = place_.devices;
    devices.each([&](int d) {
      auto& s = share(d);
      cuda::fill(s.partial_sums.data(), 0, s.partial_sums.size(), devices.stream(d));
      sweep_part(d, gpus, *symmetric_, method_.shape, s.partial_sums.data());
      cuda::copy_to_pinned(s.of_host.data(), s.partial_sums.data(), s.partial_sums.size(), devices.stream(d));
    });
    total(gpus, *symmetric_, [&](std::size_t owner, std::size_t reader) -> const void* {
      return owner == reader ? shares_[owner].partial_sums.data() : shares_[owner].of_host.data();
    });
  }

  /// After a device barrier each GPU adds the partial sums of all GPUs for its bodies, which are at from(GPU,
  /// reader).
  template <class From>
  void total(std::span<const OnGpu<P>> gpus, const cuda::SymmetricSum<P>& sum, const From& from) {
    auto& devices = place_.devices;
    devices.signal();
    devices.wait_for_signals();
    devices.each([&](int d) {
      const auto me = static_cast<std::size_t>(d);
      std::vector<const void*> all;
      for (std::size_t other = 0; other < shares_.size(); ++other) all.push_back(from(other, me));
      sum.total(all, *share(d).framed, n_, gpus[me].first, gpus[me].sums, devices.stream(d));
      share(d).framed.reset();
    });
  }

  /// Every GPU reads the partial sums of all: diagnostics are rare, and their partial sums not worth keeping.
  void with_potentials(std::span<const OnGpu<P>> gpus) {
    if (symmetric_->diagnostic_sums == nullptr || place_.gravity.softening.eps <= 0 || n_ == 0)
      return one_sided(gpus, true);
    const auto& sum = *symmetric_->diagnostic_sums;
    const std::size_t bytes = sum.bytes_per_body * n_;
    std::vector<cuda::Reachable<std::byte>> partial_sums(shares_.size());
    std::vector<cuda::Pinned<std::byte>> of_host(shares_.size());
    place_.devices.each([&](int d) {
      const auto at = static_cast<std::size_t>(d);
      auto* const stream = place_.devices.stream(d);
      partial_sums[at] = cuda::Reachable<std::byte>(bytes);
      cuda::fill(partial_sums[at].data(), 0, bytes, stream);
      sweep_part(d, gpus, sum, {}, partial_sums[at].data());
      if (!by_host()) return;
      of_host[at] = cuda::Pinned<std::byte>(bytes);
      cuda::copy_to_pinned(of_host[at].data(), partial_sums[at].data(), bytes, stream);
    });
    total(gpus, sum, [&](std::size_t owner, std::size_t reader) -> const void* {
      return by_host() && owner != reader ? of_host[owner].data() : partial_sums[owner].data();
    });
    place_.devices.wait();
  }

  MultiGpuPlace place_;
  ForceMethod method_;
  const cuda::SymmetricSum<P>* symmetric_;
  std::size_t n_;
  std::vector<Share> shares_;
};

}  // namespace

template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_sums(const MultiGpuPlace& place, const ForceMethod& method,
                                                       std::span<const std::size_t> counts) {
  const auto& kernel = *method.kernel;
  const auto* symmetric = kernel.traits.separate_targets ? nullptr : cuda::symmetric_sum<P>(kernel.name);
  if (symmetric == nullptr && !kernel.traits.separate_targets)
    throw UsageError(fmt::format("kernel '{}' has no parts for several GPUs; choose one GPU", kernel.name));
  return std::make_unique<MultiGpuSums<P>>(place, method, symmetric, counts);
}
template std::unique_ptr<MultiGpuSolver<F32>> make_multi_gpu_sums(const MultiGpuPlace&, const ForceMethod&,
                                                                  std::span<const std::size_t>);
template std::unique_ptr<MultiGpuSolver<F64>> make_multi_gpu_sums(const MultiGpuPlace&, const ForceMethod&,
                                                                  std::span<const std::size_t>);
template std::unique_ptr<MultiGpuSolver<Mixed>> make_multi_gpu_sums(const MultiGpuPlace&, const ForceMethod&,
                                                                    std::span<const std::size_t>);

}  // namespace pleiad
