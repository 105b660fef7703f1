/// Stage by stage on all devices, so that none is idle while the host waits for another.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/multi_gpu/trees.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda {

template <class P>
MultiGpuTrees<P>::MultiGpuTrees(const TreeSettings& settings, const Devices& devices, tree::FirstRoom room)
    : devices_(devices) {
  devices.each([&](int d) { forces_.push_back(tree::make_forces<P>(settings, devices.stream(d), room)); });
}

template <class P>
void MultiGpuTrees<P>::evaluate(std::span<const std::span<const Mass<Real>>> bodies,
                                const tree::Outputs<Real>& sums, const Softening& softening, bool potential) {
  const auto on_each = [&](const auto& work) {
    devices_.each([&](int d) {
      try {
        work(d, *forces_[static_cast<std::size_t>(d)]);
      } catch (const ResourceError& error) {
        throw ResourceError("GPU " + std::to_string(d) + " of " + std::to_string(devices_.size()) +
                            ", each of which holds the whole tree: " + error.what());
      }
    });
  };
  on_each([&](int d, auto& forces) {
    forces.begin({.bodies = bodies[static_cast<std::size_t>(d)],
                  .sums = sums,
                  .softening = softening,
                  .potential = potential,
                  .part = d,
                  .parts = devices_.size()});
  });
  // The first time each device is waited for, and nothing is written to others before the second.
  for (bool more = true; more;) {
    more = false;
    on_each([&](int, auto& forces) { more = forces.go_on() || more; });
  }
}

template <class P>
std::size_t MultiGpuTrees<P>::bytes() const {
  std::size_t bytes = 0;
  for (const auto& forces : forces_) bytes += forces->bytes();
  return bytes;
}

template class MultiGpuTrees<F32>;
template class MultiGpuTrees<F64>;
template class MultiGpuTrees<Mixed>;

}  // namespace pleiad::cuda
