/// A tree's forces on several GPUs: each finds the accelerations of a part of the leaves, and writes them
/// into the memory of the GPUs that own the bodies or, where that cannot be reached, into the host's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/multi_gpu/trees.hpp"
#include "engine/multi_gpu_solver.hpp"

namespace pleiad {
namespace {

template <class P>
class MultiGpuTree final : public MultiGpuSolver<P> {
 public:
  using Real = typename P::Position;
  MultiGpuTree(const MultiGpuPlace& place, const TreeSettings& settings, std::size_t n)
      : place_(place), trees_(settings, place.devices) {
    if (by_host()) of_host_ = cuda::Pinned<Vec4<Real>>(n);
  }
  void evaluate(std::span<const OnGpu<P>> gpus, bool potential) override {
    cuda::tree::Outputs<Real> to;
    std::vector<std::span<const Mass<Real>>> bodies;
    for (const auto& gpu : gpus) {
      const std::size_t d = bodies.size();
      to.first[d] = static_cast<std::uint32_t>(gpu.first);
      to.of[d] = by_host() ? of_host_.data() + gpu.first : gpu.sums.data();
      bodies.push_back(gpu.bodies);
    }
    trees_.evaluate(bodies, to, place_.gravity.softening, potential);
    place_.devices.signal();
    place_.devices.wait_for_signals();
    if (!by_host()) return;
    place_.devices.each([&](int d) {
      const auto& gpu = gpus[static_cast<std::size_t>(d)];
      cuda::copy_from_pinned(gpu.sums.data(), of_host_.data() + gpu.first, gpu.sums.size_bytes(),
                             place_.devices.stream(d));
    });
  }
  std::size_t bytes() const override { return trees_.bytes(); }

 private:
  bool by_host() const { return place_.exchange == cuda::Exchange::host; }

  MultiGpuPlace place_;
  cuda::MultiGpuTrees<P> trees_;
  cuda::Pinned<Vec4<Real>> of_host_;
};

}  // namespace

template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_tree(const MultiGpuPlace& place,
                                                       const TreeSettings& settings, std::size_t n) {
  return std::make_unique<MultiGpuTree<P>>(place, settings, n);
}
template std::unique_ptr<MultiGpuSolver<F32>> make_multi_gpu_tree(const MultiGpuPlace&, const TreeSettings&,
                                                                  std::size_t);
template std::unique_ptr<MultiGpuSolver<F64>> make_multi_gpu_tree(const MultiGpuPlace&, const TreeSettings&,
                                                                  std::size_t);
template std::unique_ptr<MultiGpuSolver<Mixed>> make_multi_gpu_tree(const MultiGpuPlace&, const TreeSettings&,
                                                                    std::size_t);

}  // namespace pleiad
