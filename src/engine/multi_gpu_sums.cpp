/// Sums that several GPUs find together: each has found something for the bodies of the others.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/multi_gpu_engine.hpp"

#include <span>
#include <utility>
#include <vector>

namespace pleiad {

template <class P>
PairProblem<P> MultiGpuEngine<P>::all_pairs(int device) {
  auto p = problem(device, {}, false);
  p.targets = p.sources, p.self = 0;
  return p;
}

template <class P>
void MultiGpuEngine<P>::sweep_part(int device, const cuda::SymmetricSum<P>& sum, const LaunchShape& shape,
                                   std::byte* partial_sums) {
  auto& s = share(device);
  s.framed = cuda::framed(all_pairs(device), n_ + cuda::most_in_block, cuda::BodyOrder::curve);
  const cuda::Part part{static_cast<unsigned>(device), static_cast<unsigned>(devices_.size())};
  auto* const stream = devices_.stream(device);
  if (s.framed->ranks.size() == 0) return sum.sweep(*s.framed, n_, shape, part, partial_sums, stream);
  // The GPUs give each other the partial sums of the bodies that they own, which are so by the given order.
  cuda::Buffer<std::byte> along(sum.bytes_per_body * n_, stream);
  along.set_bytes(0);
  sum.sweep(*s.framed, n_, shape, part, along.data(), stream);
  cuda::to_given_order(sum, *s.framed, n_, std::move(along), partial_sums, stream);
}

template <class P>
bool MultiGpuEngine<P>::diagnoses_by_pairs() const {
  return symmetric_ != nullptr && symmetric_->diagnostic_sums != nullptr && gravity_.softening.eps > 0;
}

/// Every GPU reads the partial sums of all: diagnostics are rare, and their partial sums not worth keeping.
template <class P>
void MultiGpuEngine<P>::diagnose_by_pairs() {
  const auto& sum = *symmetric_->diagnostic_sums;
  const std::size_t bytes = sum.bytes_per_body * n_;
  const bool by_host = exchange_ == cuda::Exchange::host;
  std::vector<cuda::Reachable<std::byte>> partial_sums(shares_.size());
  std::vector<cuda::Pinned<std::byte>> of_host(shares_.size());
  devices_.each([&](int d) {
    const auto at = static_cast<std::size_t>(d);
    auto* const stream = devices_.stream(d);
    partial_sums[at] = cuda::Reachable<std::byte>(bytes);
    cuda::fill(partial_sums[at].data(), 0, bytes, stream);
    sweep_part(d, sum, {}, partial_sums[at].data());
    if (!by_host) return;
    of_host[at] = cuda::Pinned<std::byte>(bytes);
    cuda::copy_to_pinned(of_host[at].data(), partial_sums[at].data(), bytes, stream);
  });
  devices_.signal();
  devices_.wait_for_signals();
  devices_.each([&](int d) {
    auto& s = share(d);
    const auto at = static_cast<std::size_t>(d);
    std::vector<const void*> all;
    for (std::size_t other = 0; other < partial_sums.size(); ++other)
      all.push_back(by_host && other != at ? of_host[other].data() : partial_sums[other].data());
    sum.total(all, *s.framed, n_, s.first, diagnostic_sums_[at].span(), devices_.stream(d));
    s.framed.reset();
  });
  devices_.wait();
}

template <class P>
void MultiGpuEngine<P>::sum_pairs() {
  cuda::need_symmetric(all_pairs(0), choice_.method.kernel->name);
  if (n_ == 0) return;
  if (exchange_ == cuda::Exchange::host) return sum_pairs_through_host();
  std::vector<cuda::PartialSumsOfOwner> owners;
  for (auto& s : shares_) owners.push_back({s.first, s.count, s.partial_sums.data(), s.boxes.data()});
  devices_.each([&](int d) {
    sweep_part(d, *symmetric_, choice_.method.shape, share(d).partial_sums.data());
    cuda::send_partial_sums<P>(d, owners, n_, devices_.stream(d));
  });
  devices_.signal();
  devices_.wait_for_signals();
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::total_partial_sums<P>(d, owners, *s.framed, n_, s.sums.data(), devices_.stream(d));
    s.framed.reset();
  });
}

/// All partial sums are there for all to read.
template <class P>
void MultiGpuEngine<P>::sum_pairs_through_host() {
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::fill(s.partial_sums.data(), 0, s.partial_sums.size(), devices_.stream(d));
    sweep_part(d, *symmetric_, choice_.method.shape, s.partial_sums.data());
    cuda::copy_to_pinned(s.partial_sums_on_host.data(), s.partial_sums.data(), s.partial_sums.size(),
                         devices_.stream(d));
  });
  devices_.signal();
  devices_.wait_for_signals();
  devices_.each([&](int d) {
    auto& s = share(d);
    std::vector<const void*> partial_sums;
    for (auto& other : shares_)
      partial_sums.push_back(&other == &s ? s.partial_sums.data() : other.partial_sums_on_host.data());
    symmetric_->total(partial_sums, *s.framed, n_, s.first, s.sums.span(), devices_.stream(d));
    s.framed.reset();
  });
}

/// The pulls that each finds by its part of the tree go into the memory of the GPUs that own the bodies or,
/// where that cannot be reached, into the host's.
template <class P>
void MultiGpuEngine<P>::send_tree_sums(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential) {
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
void MultiGpuEngine<P>::add_tree_sums(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential) {
  devices_.each([&](int d) {
    auto& s = share(d);
    if ((s.*sums).size() != s.count) s.*sums = cuda::Reachable<Vec4<Real>>(s.count);
  });
  send_tree_sums(sums, potential);
  devices_.signal();
  devices_.wait_for_signals();
  if (exchange_ != cuda::Exchange::host) return;
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::copy_from_pinned((s.*sums).data(), sums_of_host_.data() + s.first, s.count * sizeof(Vec4<Real>),
                           devices_.stream(d));
  });
}

template <class P>
void MultiGpuEngine<P>::retune(const ForceMethod& method) {
  if (!tree_ || !method.tree || method.tree->device != Device::cuda) Engine::retune(method);
  need_able(method, n_, precision_, gravity_);
  devices_.wait();
  tree_ = std::make_unique<cuda::MultiGpuTrees<P>>(*method.tree, devices_);
  this->go_on_by(method);
}

template class MultiGpuEngine<F32>;
template class MultiGpuEngine<F64>;
template class MultiGpuEngine<Mixed>;

}  // namespace pleiad
