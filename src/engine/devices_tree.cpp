/// Several GPUs that share the work of one tree: the pulls that each finds go to the GPUs that own the
/// bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/devices_engine.hpp"

#include <span>
#include <utility>
#include <vector>

namespace pleiad {

/// Into the memory of the owners or, where that cannot be reached, into the host's.
template <class P>
void DevicesEngine<P>::give_pulls(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential) {
  cuda::tree::Outputs<Real> to;
  std::vector<std::span<const Mass<Real>>> bodies;
  for (auto& s : shares_) {
    const std::size_t d = bodies.size();
    to.first[d] = static_cast<std::uint32_t>(s.first);
    to.of[d] = exchange_ == cuda::Exchange::host ? sums_of_host_.data() + s.first : (s.*sums).data();
    bodies.emplace_back(std::as_const(present(s)).span());
  }
  tree_->evaluate(bodies, to, gravity_.softening, potential);
}

template <class P>
void DevicesEngine<P>::add_pulls(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential) {
  devices_.each([&](int d) {
    auto& s = share(d);
    if ((s.*sums).size() != s.count) s.*sums = cuda::Reachable<Vec4<Real>>(s.count);
  });
  give_pulls(sums, potential);
  devices_.announce();
  devices_.await();
  if (exchange_ != cuda::Exchange::host) return;
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::copy_from_pinned((s.*sums).data(), sums_of_host_.data() + s.first, s.count * sizeof(Vec4<Real>),
                           devices_.stream(d));
  });
}

template <class P>
void DevicesEngine<P>::retune(const std::string& kernel) {
  auto choice = choice_of(kernel);
  if (!tree_ || !choice.tree || choice.tree->device != Device::cuda) Engine::retune(kernel);
  need_able(choice, n_, precision_, gravity_);
  devices_.wait();
  tree_ = std::make_unique<cuda::SeveralTrees<P>>(*choice.tree, devices_);
  choice_.tree = choice.tree;
  steps_.fresh = false;
}

template class DevicesEngine<F32>;
template class DevicesEngine<F64>;
template class DevicesEngine<Mixed>;

}  // namespace pleiad
