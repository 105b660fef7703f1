/// One evaluation by a rung on the GPU for bodies on the host: to the device, poisoned outputs, the kernel,
/// and back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"

#include <pleiad/kernel/direct.hpp>

#include <functional>

namespace pleiad::cuda {

/// Runs kernel.run<P>()(problem, shape), where all spans of `p` are in host memory; its stream is ignored.
/// Sums that the kernel does not write are NaN. Blocks until the sums are on the host, and throws failures of
/// the device.
template <class P>
void evaluate(const DirectKernel& kernel, const PairProblem<P>& p, const LaunchShape& shape = {}) {
  using Body = Mass<typename P::Position>;
  const Stream stream;
  const Buffer<Body> sources(p.sources, stream.get());
  // Targets that are a part of the sources stay that part, as some rungs need.
  const std::less<const Body*> before;
  const Body* const first = p.sources.data();
  const bool inside = !p.targets.empty() && !before(p.targets.data(), first) &&
                      before(p.targets.data(), first + p.sources.size());
  const Buffer<Body> separate(inside ? std::span<const Body>{} : p.targets, stream.get());
  Buffer<Vec4<typename P::Sum>> sums(p.sums.size(), stream.get());
  sums.set_bytes(0xFF);
  auto on_device = p;
  on_device.sources = sources.span();
  on_device.targets = inside ? sources.span().subspan(std::size_t(p.targets.data() - first), p.targets.size())
                             : separate.span();
  on_device.sums = sums.span();
  on_device.stream = stream.get();
  kernel.template run<P>()(on_device, shape);
  sums.copy_to_host(p.sums);
  wait(stream.get());
}

}  // namespace pleiad::cuda
