/// Helpers of every rung on the GPU: the pair in its precision, and the number of blocks that cover the
/// bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace pleiad::cuda {

constexpr unsigned ceil_div(std::size_t a, std::size_t b) { return static_cast<unsigned>((a + b - 1) / b); }

/// Throws UsageError with a reason unless a problem or a shape fulfils a condition of the rung.
inline void need(bool fulfilled, std::string_view rung, std::string_view reason) {
  if (!fulfilled) throw UsageError("'" + std::string(rung) + "': " + std::string(reason));
}
/// Rungs on GPUs support nearest images only.
template <class P>
void refuse_all_images(const PairProblem<P>& p, std::string_view rung) {
  need(!p.boundary.all_images(), rung,
       "it knows nearest images only; for all images take cpu/ewald, or a tree");
}
/// Conditions of a rung without the minimum image and without the potential.
template <class P>
void need_plain(const PairProblem<P>& p, std::string_view rung) {
  refuse_all_images(p, rung);
  need(!p.boundary.periodic, rung, "it knows open space only; choose a kernel that is listed as periodic");
  need(!p.potential, rung, "it sums forces only; choose a kernel that is listed with the potential");
}

/// One pair in a policy's arithmetic. Without the potential a body's pull on itself is zero by d = 0, and
/// eps2 is at least floor_eps2, so there is neither a guard nor an index to compare; with it both are needed.
template <class P, bool periodic, bool potential>
struct Pair {
  using T = typename P::Position;
  using M = typename P::Math;
  using S = typename P::Sum;
  Box<T> box;
  M eps2;
  std::ptrdiff_t self;

  explicit Pair(const PairProblem<P>& p)
      : box(p.boundary),
        eps2(potential ? M(p.softening.eps2())
                       : std::max(M(p.softening.eps2()), floor_eps2_for<M>(p.heaviest))),
        self(p.self) {
    need(p.softening.plain(), "a kernel of the ladder", "it knows one Plummer softening of all pairs only");
  }

  /// Adds the pull of source j on target i to the target's sum.
  __device__ void operator()(Vec4<S>& sum, Mass<T> target, std::size_t i, Mass<T> source,
                             std::size_t j) const {
    Vec3<T> d = source.position() - target.position();
    if constexpr (periodic) d = minimum_image(d, box);
    if constexpr (potential)
      if (self >= 0 && j == static_cast<std::size_t>(self) + i) return;
    const auto a = pull<potential>(Vec3<M>{M(d.x), M(d.y), M(d.z)}, M(source.m), eps2);
    sum.x += S(a.x);
    sum.y += S(a.y);
    sum.z += S(a.z);
    if constexpr (potential) sum.w += S(a.w);
  }
};

/// Calls `run_with(pair)` with the pair of the problem.
template <class P, class RunWith>
void with_pair(const PairProblem<P>& p, RunWith run_with) {
  refuse_all_images(p, "a kernel on the GPU");
  if (p.boundary.periodic) {
    if (p.potential) run_with(Pair<P, true, true>(p));
    else run_with(Pair<P, true, false>(p));
  } else {
    if (p.potential) run_with(Pair<P, false, true>(p));
    else run_with(Pair<P, false, false>(p));
  }
}

}  // namespace pleiad::cuda
