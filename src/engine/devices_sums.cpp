/// Sums that several GPUs find together: each has found something for the bodies of the others.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/devices_engine.hpp"

#include <span>
#include <utility>
#include <vector>

namespace pleiad {

template <class P>
PairProblem<P> DevicesEngine<P>::all_pairs(int device) {
  auto p = problem(device, {}, false);
  p.targets = p.sources, p.self = 0;
  return p;
}

template <class P>
void DevicesEngine<P>::sweep_part(int device, const cuda::SymmetricSum<P>& sum, const LaunchShape& shape,
                                  std::byte* words) {
  auto& s = share(device);
  s.framed = cuda::framed(all_pairs(device), n_ + cuda::most_in_block, cuda::BodyOrder::curve);
  const cuda::Part part{static_cast<unsigned>(device), static_cast<unsigned>(devices_.size())};
  auto* const stream = devices_.stream(device);
  if (s.framed->ranks.size() == 0) return sum.sweep(*s.framed, n_, shape, part, words, stream);
  // The GPUs give each other the words of the bodies that they own, which are so by the given order.
  cuda::Buffer<std::byte> along(sum.bytes_per_body * n_, stream);
  along.set_bytes(0);
  sum.sweep(*s.framed, n_, shape, part, along.data(), stream);
  cuda::to_given_order(sum, *s.framed, n_, std::move(along), words, stream);
}

template <class P>
bool DevicesEngine<P>::looks_by_pairs() const {
  return symmetric_ != nullptr && symmetric_->looks != nullptr && gravity_.softening.eps > 0;
}

/// Every GPU reads the words of all: looks are rare, and their words not worth keeping.
template <class P>
void DevicesEngine<P>::look_at_pairs() {
  const auto& sum = *symmetric_->looks;
  const std::size_t bytes = sum.bytes_per_body * n_;
  const bool by_host = exchange_ == cuda::Exchange::host;
  std::vector<cuda::Reachable<std::byte>> words(shares_.size());
  std::vector<cuda::Pinned<std::byte>> of_host(shares_.size());
  devices_.each([&](int d) {
    const auto at = static_cast<std::size_t>(d);
    auto* const stream = devices_.stream(d);
    words[at] = cuda::Reachable<std::byte>(bytes);
    cuda::fill(words[at].data(), 0, bytes, stream);
    sweep_part(d, sum, {}, words[at].data());
    if (!by_host) return;
    of_host[at] = cuda::Pinned<std::byte>(bytes);
    cuda::copy_to_pinned(of_host[at].data(), words[at].data(), bytes, stream);
  });
  devices_.announce();
  devices_.await();
  devices_.each([&](int d) {
    auto& s = share(d);
    const auto at = static_cast<std::size_t>(d);
    std::vector<const void*> all;
    for (std::size_t other = 0; other < words.size(); ++other)
      all.push_back(by_host && other != at ? of_host[other].data() : words[other].data());
    sum.total(all, *s.framed, n_, s.first, looks_[at].span(), devices_.stream(d));
    s.framed.reset();
  });
  devices_.wait();
}

template <class P>
void DevicesEngine<P>::sum_pairs() {
  cuda::need_symmetric(all_pairs(0), choice_.method.kernel->name);
  if (n_ == 0) return;
  if (exchange_ == cuda::Exchange::host) return sum_pairs_through_host();
  std::vector<cuda::WordsOfOwner> owners;
  for (auto& s : shares_) owners.push_back({s.first, s.count, s.words.data(), s.boxes.data()});
  devices_.each([&](int d) {
    sweep_part(d, *symmetric_, choice_.method.shape, share(d).words.data());
    cuda::give_words<P>(d, owners, n_, devices_.stream(d));
  });
  devices_.announce();
  devices_.await();
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::total_words<P>(d, owners, *s.framed, n_, s.sums.data(), devices_.stream(d));
    s.framed.reset();
  });
}

/// All words are there for all to read.
template <class P>
void DevicesEngine<P>::sum_pairs_through_host() {
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::fill(s.words.data(), 0, s.words.size(), devices_.stream(d));
    sweep_part(d, *symmetric_, choice_.method.shape, s.words.data());
    cuda::copy_to_pinned(s.words_of_host.data(), s.words.data(), s.words.size(), devices_.stream(d));
  });
  devices_.announce();
  devices_.await();
  devices_.each([&](int d) {
    auto& s = share(d);
    std::vector<const void*> words;
    for (auto& other : shares_) words.push_back(&other == &s ? s.words.data() : other.words_of_host.data());
    symmetric_->total(words, *s.framed, n_, s.first, s.sums.span(), devices_.stream(d));
    s.framed.reset();
  });
}

/// The pulls that each finds by its part of the tree go into the memory of the GPUs that own the bodies or,
/// where that cannot be reached, into the host's.
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
void DevicesEngine<P>::retune(const ForceMethod& method) {
  if (!tree_ || !method.tree || method.tree->device != Device::cuda) Engine::retune(method);
  need_able(method, n_, precision_, gravity_);
  devices_.wait();
  tree_ = std::make_unique<cuda::SeveralTrees<P>>(*method.tree, devices_);
  choice_.method = method;
  steps_.fresh = false;
  looks_.clear();
}

template class DevicesEngine<F32>;
template class DevicesEngine<F64>;
template class DevicesEngine<Mixed>;

}  // namespace pleiad
