/// What is asked of several GPUs between steps. Sums over all bodies are formed on one of them, as a single
/// GPU forms them: the same bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/totals.hpp"
#include "cuda/radii.hpp"
#include "engine/arrays.hpp"
#include "engine/device_kernels.hpp"
#include "engine/device_sample.hpp"
#include "engine/exact.hpp"
#include "engine/multi_gpu_engine.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad {

template <class P>
void MultiGpuEngine<P>::settle() {
  receive();
  devices_.wait();
}

template <class P>
std::vector<Vec4<typename P::Position>> MultiGpuEngine<P>::velocities() {
  std::vector<Vec4<Real>> v(n_);
  devices_.each([&](int d) {
    const auto& s = share(d);
    s.velocities.copy_to_host(std::span(v).subspan(s.first, s.count));
  });
  return v;
}

template <class P>
void MultiGpuEngine<P>::copy_to_host(Bodies& b) {
  settle();
  std::vector<Mass<Real>> x(n_);
  const auto v = velocities();
  const cuda::OnDevice here(0);
  cuda::copy_to_host(x.data(), present(share(0)).data(), n_ * sizeof(Mass<Real>), devices_.stream(0));
  to_bodies<Real>(x, v, b);
}

template <class P>
const std::vector<cuda::Buffer<Vec4<typename P::Position>>>& MultiGpuEngine<P>::potential_parts() {
  if (!diagnostic_sums_.empty()) return diagnostic_sums_;
  receive();
  const bool by_pairs = diagnoses_by_pairs() && n_ > 0;
  const auto* kernel = tree_ || by_pairs ? nullptr : &one_sided_with_potential(*choice_.method.kernel);
  if (tree_) add_tree_sums(&Share::diagnostic_sums, true);
  diagnostic_sums_.resize(shares_.size());
  devices_.each([&](int d) {
    auto& sums = diagnostic_sums_[static_cast<std::size_t>(d)];
    sums = cuda::Buffer<Vec4<Real>>(share(d).count, devices_.stream(d));
    if (sums.size() == 0 || by_pairs) return;
    if (kernel != nullptr) kernel->template run<P>()(problem(d, sums.span(), true), {});
    else
      cuda::copy_on_device(sums.data(), share(d).diagnostic_sums.data(), sums.span().size_bytes(),
                           devices_.stream(d));
  });
  if (by_pairs) diagnose_by_pairs();
  ++evaluations_;
  return diagnostic_sums_;
}

template <class P>
std::vector<Vec4<typename P::Position>> MultiGpuEngine<P>::potential_sums() {
  const auto& parts = potential_parts();
  devices_.wait();
  std::vector<Vec4<Real>> all(n_);
  devices_.each([&](int d) {
    const auto& s = share(d);
    parts[static_cast<std::size_t>(d)].copy_to_host(std::span(all).subspan(s.first, s.count));
  });
  return all;
}

template <class P>
std::vector<Vec4<typename P::Position>> MultiGpuEngine<P>::force_sums() {
  this->need_forces();
  devices_.wait();
  std::vector<Vec4<Real>> all(n_);
  devices_.each([&](int d) {
    const auto& s = share(d);
    cuda::copy_to_host(all.data() + s.first, s.sums.data(), s.count * sizeof(all[0]), devices_.stream(d));
  });
  return all;
}

template <class P>
SampledAccelerations MultiGpuEngine<P>::sampled_accelerations(std::span<const std::size_t> chosen) {
  SampledAccelerations accelerations{.found = accelerations_of<Real>(force_sums(), gravity_.G, chosen)};
  if (!tree_) accelerations.diagnostic = accelerations_of<Real>(potential_sums(), gravity_.G, chosen);
  const cuda::OnDevice here(0);
  accelerations.exact =
      exact_on_gpu<Real>(std::as_const(present(share(0))).span(), gravity_, chosen, devices_.stream(0));
  return accelerations;
}

/// Each GPU sets its own bodies aside, which need nobody else's.
template <class P>
std::function<void(Snapshot&)> MultiGpuEngine<P>::begin_copy(bool fields) {
  const bool free = !copies_.empty() && std::ranges::all_of(copies_, [](const auto& c) { return c->free(); });
  if (!free) copies_.assign(shares_.size(), nullptr);
  const auto* parts = fields ? &potential_parts() : nullptr;
  devices_.each([&](int d) {
    const auto at = static_cast<std::size_t>(d);
    auto& s = share(d);
    if (!free) copies_[at] = std::make_shared<DeviceCopy<Real>>(s.count);
    copies_[at]->begin(present(s).data() + s.first, s.velocities.data(),
                       parts != nullptr ? (*parts)[at].data() : nullptr, devices_.stream(d));
  });
  return [copies = copies_, n = fields ? n_ : 0, G = gravity_.G](Snapshot& snapshot) {
    resize_fields(snapshot, n);
    std::size_t first = 0;
    for (const auto& copy : copies)
      copy->finish([&](auto x, auto v, auto accelerations) {
        to_bodies<Real>(x, v, snapshot.bodies, first);
        to_fields<Real>(accelerations, G, snapshot, first);
        first += x.size();
      });
  };
}

template <class P>
void MultiGpuEngine<P>::fields(Snapshot& s) {
  const auto sums = potential_sums();
  to_fields<Real>(sums, gravity_.G, s);
}

template <class P>
Totals MultiGpuEngine<P>::totals() {
  const auto& parts = potential_parts();
  devices_.wait();
  const cuda::OnDevice here(0);
  auto* const stream = devices_.stream(0);
  cuda::Buffer<Vec4<Real>> sums(n_, stream), v(n_, stream);
  if (exchange_ == cuda::Exchange::host) {
    sums.copy_from_host(potential_sums());
    v.copy_from_host(velocities());
  } else {
    for (int d = 0; d < devices_.size(); ++d) {
      const auto& s = share(d);
      const std::size_t bytes = s.count * sizeof(Vec4<Real>);
      cuda::copy_between(sums.data() + s.first, 0, parts[static_cast<std::size_t>(d)].data(), d, bytes,
                         stream);
      cuda::copy_between(v.data() + s.first, 0, s.velocities.data(), d, bytes, stream);
    }
  }
  return totals_of(cuda::totals<Real>(present(share(0)).data(), v.data(), sums.data(), n_, stream),
                   gravity_.G);
}

/// GPU 0 has all positions.
template <class P>
Radii MultiGpuEngine<P>::radii() {
  settle();
  const cuda::OnDevice here(0);
  return cuda::radii<Real>(present(share(0)).data(), n_, devices_.stream(0));
}

template <class P>
double MultiGpuEngine<P>::suggest_dt(const Integrator& integrator, double eta) {
  this->need_no_jerks(integrator);
  this->need_forces();
  devices_.wait();
  double largest = 0;
  devices_.each([&](int d) {
    const auto& s = share(d);
    largest = std::max(largest, cuda::largest_pull_squared(s.sums.data(), s.count, devices_.stream(d)));
  });
  return eta * std::sqrt(gravity_.softening.eps / (gravity_.G * std::sqrt(largest)));
}

template <class P>
std::function<splat::Layers()> MultiGpuEngine<P>::begin_layers(const splat::Request& request) {
  settle();
  const cuda::OnDevice here(0);
  return cuda::begin_layers(std::as_const(present(share(0))).span().data(), n_, request, staging_,
                            devices_.stream(0));
}

template <class P>
bool MultiGpuEngine<P>::finite() {
  settle();
  bool all = true;
  devices_.each([&](int d) {
    auto& s = share(d);
    const Mass<Real>* own = present(s).data() + s.first;
    all = cuda::all_finite(own, std::as_const(s).velocities.data(), s.count, devices_.stream(d)) && all;
  });
  return all;
}

template <class P>
void MultiGpuEngine<P>::reverse_velocities() {
  devices_.each(
      [&](int d) { cuda::reverse(share(d).velocities.data(), share(d).count, devices_.stream(d)); });
  devices_.wait();
}

template <class P>
EngineDescription MultiGpuEngine<P>::describe() const {
  auto why = choice_.why;
  if (const auto* diagnostic_sums = tree_ ? nullptr : &with_potential(*choice_.method.kernel);
      diagnostic_sums != choice_.method.kernel)
    why += fmt::format("; potentials by {}", diagnostic_sums->name);
  if (!why_not_direct_.empty()) why += fmt::format("; {}: {}", name_of(exchange_), why_not_direct_);
  std::size_t bytes = 0;
  for (const auto& s : shares_)
    bytes += 2 * n_ * sizeof(Mass<Real>) + (2 * s.count + s.diagnostic_sums.size()) * sizeof(Vec4<Real>) +
             s.partial_sums.size() + s.boxes.size();
  if (tree_) bytes += tree_->bytes();
  if (fused_) bytes += shares_.size() * fused_->bytes_per_device();
  return {.device = fmt::format("{} x {}", devices_.size(), cuda::name_of_device(0)),
          .method = choice_.method,
          .precision = std::string(name_of(precision_)),
          .why = why,
          .threads = 1,
          .gpus = devices_.size(),
          .bytes = bytes,
          .interactions_per_evaluation = double(n_) * double(n_)};
}

template class MultiGpuEngine<F32>;
template class MultiGpuEngine<F64>;
template class MultiGpuEngine<Mixed>;

}  // namespace pleiad
