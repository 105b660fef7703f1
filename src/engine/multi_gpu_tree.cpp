/// One tree's forces on several GPUs: each builds the whole tree, finds the accelerations of its part of the
/// targets, and writes them into the memory of the GPUs that own the bodies or, where that cannot be reached,
/// into the host's.
///
/// What is divided are the lists, the fields and the P2P sources; what is not are the keys, their sorting,
/// the cells, the moments and the accelerations of the MAC, and the memory of all these. Every sum is formed
/// by one GPU as a single one forms it, so that no bit depends on how many there are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree/forces.hpp"
#include "engine/multi_gpu_solver.hpp"

#include <pleiad/error.hpp>

#include <string>

namespace pleiad {
namespace {

template <class P>
class MultiGpuTree final : public MultiGpuSolver<P> {
 public:
  using Real = typename P::Position;
  MultiGpuTree(const MultiGpuPlace& place, const TreeSettings& settings, std::size_t n,
               cuda::tree::FirstRoom room)
      : place_(place) {
    place_.devices.each([&](int d) {
      forces_.push_back(cuda::tree::make_forces<P>(settings, place_.devices.stream(d), room));
    });
    if (by_host()) of_host_ = cuda::Pinned<Vec4<Real>>(n);
  }
  /// Stage by stage on all GPUs, so that none is idle while the host waits for another.
  void evaluate(std::span<const OnGpu<P>> gpus, bool potential) override {
    cuda::tree::Outputs<Real> to;
    for (std::size_t d = 0; d < gpus.size(); ++d) {
      to.first[d] = static_cast<std::uint32_t>(gpus[d].first);
      to.of[d] = by_host() ? of_host_.data() + gpus[d].first : gpus[d].sums.data();
    }
    on_each([&](int d, auto& forces) {
      forces.begin({.bodies = gpus[static_cast<std::size_t>(d)].bodies,
                    .sums = to,
                    .softening = place_.gravity.softening,
                    .potential = potential,
                    .part = d,
                    .parts = place_.devices.size()});
    });
    // The first time each GPU is waited for, and nothing is written to others before the second.
    for (bool more = true; more;) {
      more = false;
      on_each([&](int, auto& forces) { more = forces.go_on() || more; });
    }
    place_.devices.signal();
    place_.devices.wait_for_signals();
    if (!by_host()) return;
    place_.devices.each([&](int d) {
      const auto& gpu = gpus[static_cast<std::size_t>(d)];
      cuda::copy_from_pinned(gpu.sums.data(), of_host_.data() + gpu.first, gpu.sums.size_bytes(),
                             place_.devices.stream(d));
    });
  }
  std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const auto& forces : forces_) bytes += forces->bytes();
    return bytes;
  }

 private:
  bool by_host() const { return place_.exchange == cuda::Exchange::host; }
  template <class Work>
  void on_each(const Work& work) {
    place_.devices.each([&](int d) {
      try {
        work(d, *forces_[static_cast<std::size_t>(d)]);
      } catch (const ResourceError& error) {
        throw ResourceError("GPU " + std::to_string(d) + " of " + std::to_string(place_.devices.size()) +
                            ", each of which holds the whole tree: " + error.what());
      }
    });
  }

  MultiGpuPlace place_;
  std::vector<std::unique_ptr<cuda::tree::Forces<Real>>> forces_;
  cuda::Pinned<Vec4<Real>> of_host_;
};

}  // namespace

template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_tree(const MultiGpuPlace& place,
                                                       const TreeSettings& settings, std::size_t n,
                                                       cuda::tree::FirstRoom room) {
  return std::make_unique<MultiGpuTree<P>>(place, settings, n, room);
}
template std::unique_ptr<MultiGpuSolver<F32>> make_multi_gpu_tree(const MultiGpuPlace&, const TreeSettings&,
                                                                  std::size_t, cuda::tree::FirstRoom);
template std::unique_ptr<MultiGpuSolver<F64>> make_multi_gpu_tree(const MultiGpuPlace&, const TreeSettings&,
                                                                  std::size_t, cuda::tree::FirstRoom);
template std::unique_ptr<MultiGpuSolver<Mixed>> make_multi_gpu_tree(const MultiGpuPlace&, const TreeSettings&,
                                                                    std::size_t, cuda::tree::FirstRoom);

}  // namespace pleiad
