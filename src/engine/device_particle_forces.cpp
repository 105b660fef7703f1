/// Forces on a GPU where some bodies are test particles: the bodies with mass pull every body one-sidedly,
/// and then their own sums are replaced by those that they have without the particles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/test_particles.hpp"
#include "engine/force_solver.hpp"
#include "engine/particle_pulls.hpp"
#include "engine/ranks_device.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {
namespace {

template <class P>
class DeviceParticleForces final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  DeviceParticleForces(const ForceMethod& method, std::span<const std::size_t> massive, std::size_t first,
                       std::size_t own, const ranks::Collective* all, RanksExchange<T>* exchange,
                       void* stream)
      : pulls_(method),
        exchange_(exchange),
        massive_(massive, stream),
        bodies_(massive.size(), stream),
        sums_(massive.size(), stream) {
    if (massive.empty()) return;
    std::vector<std::size_t> here;
    for (const auto i : massive)
      if (i < first) ++before_;
      else if (i < first + own) here.push_back(i - first);
    here_ = cuda::Buffer<std::size_t>(std::span<const std::size_t>(here), stream);
    if (exchange == nullptr) {
      of_massive_ = make_device_solver<P>(method, stream);
    } else {
      division_ = {massive.size(), all->comm().ranks()};
      among_massive_.emplace(all->comm(), division_.count(all->comm().rank()));
      of_massive_ = make_ranks_device_solver<P>(method, false, *among_massive_, *exchange, stream);
    }
    cuda::wait(stream);  // `here` is read until then
  }

  void evaluate(const PairProblem<P>& p) override {
    if (massive_.size() == 0) {
      if (!p.sums.empty()) cuda::fill(p.sums.data(), 0, p.sums.size_bytes(), p.stream);
      return;
    }
    cuda::gather(p.sources.data(), std::as_const(massive_).span(), bodies_.data(), p.stream);
    if (!p.targets.empty()) pulls_.evaluate(p, bodies_.span());
    const int rank = among_massive_ ? among_massive_->comm().rank() : 0;
    const std::size_t first = among_massive_ ? division_.first(rank) : 0,
                      count = among_massive_ ? division_.count(rank) : massive_.size();
    auto share = p;
    share.sources = bodies_.span(), share.targets = share.sources.subspan(first, count);
    share.sums = sums_.span().subspan(first, count);
    share.self = static_cast<std::ptrdiff_t>(first);
    of_massive_->evaluate(share);
    if (among_massive_) give_to_all(first, count, p.stream);
    cuda::scatter(std::as_const(sums_).data() + before_, std::as_const(here_).span(), p.sums.data(),
                  p.stream);
  }
  std::size_t bytes() const override {
    return bodies_.size() * (sizeof(std::size_t) + sizeof(bodies_.data()[0]) + sizeof(Sum)) +
           here_.size() * sizeof(std::size_t);
  }

 private:
  /// This rank's share of the sums of the bodies with mass, `count` from `first` on, to all others: bodies
  /// are divided among the ranks by their number, those with mass by their own.
  void give_to_all(std::size_t first, std::size_t count, void* stream) {
    const int ranks = division_.ranks, me = among_massive_->comm().rank();
    std::vector<std::size_t> begins{0}, came{0};
    for (int r = 0; r < ranks; ++r) {
      begins.push_back(begins.back() + (r == me ? 0 : count * sizeof(Sum)));
      came.push_back(came.back() + (r == me ? 0 : division_.count(r) * sizeof(Sum)));
    }
    cuda::Buffer<std::byte> sent(begins.back(), stream), received(came.back(), stream);
    const std::size_t own = count * sizeof(Sum);
    for (std::size_t at = 0; at < sent.size(); at += own)
      cuda::copy_on_device(sent.data() + at, sums_.data() + first, own, stream);
    exchange_->all_to_all(sent.data(), begins, received.data(), came);
    const std::size_t before = first * sizeof(Sum), after = received.size() - before;
    if (before > 0) cuda::copy_on_device(sums_.data(), received.data(), before, stream);
    if (after > 0)
      cuda::copy_on_device(sums_.data() + first + count, received.data() + before, after, stream);
  }

  ParticlePulls<P> pulls_;
  RanksExchange<T>* exchange_;
  ranks::Division division_;                        ///< of the bodies with mass
  std::optional<ranks::Collective> among_massive_;  ///< with several ranks
  std::unique_ptr<ForceSolver<P>> of_massive_;
  std::size_t before_ = 0;             ///< bodies with mass on the ranks before this one
  cuda::Buffer<std::size_t> massive_;  ///< their numbers among all bodies
  cuda::Buffer<std::size_t> here_;     ///< the numbers of those of this rank among its bodies
  cuda::Buffer<Mass<T>> bodies_;
  cuda::Buffer<Sum> sums_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_device_particle_solver(const ForceMethod& method,
                                                            std::span<const std::size_t> massive,
                                                            std::size_t own, void* stream) {
  return std::make_unique<DeviceParticleForces<P>>(method, massive, 0, own, nullptr, nullptr, stream);
}
template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_particle_solver(const ForceMethod& method,
                                                           std::span<const std::size_t> massive,
                                                           const ranks::Collective& all,
                                                           RanksExchange<typename P::Position>& exchange,
                                                           void* stream) {
  const int rank = all.comm().rank();
  return std::make_unique<DeviceParticleForces<P>>(method, massive, all.division().first(rank),
                                                   all.division().count(rank), &all, &exchange, stream);
}
#define PLEIAD_PARTICLES(P)                                                       \
  template std::unique_ptr<ForceSolver<P>> make_device_particle_solver(           \
      const ForceMethod&, std::span<const std::size_t>, std::size_t, void*);      \
  template std::unique_ptr<ForceSolver<P>> make_ranks_particle_solver(            \
      const ForceMethod&, std::span<const std::size_t>, const ranks::Collective&, \
      RanksExchange<P::Position>&, void*);
PLEIAD_PARTICLES(F32)
PLEIAD_PARTICLES(F64)
PLEIAD_PARTICLES(Mixed)
#undef PLEIAD_PARTICLES

}  // namespace pleiad
