/// An update of bodies in the memory of the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/update.hpp"
#include "cpu/update.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <span>

namespace pleiad {

/// Kicks by sums of pulls, damping, a drift along straight lines, and into the box: each rounded by itself.
template <class T>
void update_bodies(const Update<T>& u, const Boundary& boundary, std::span<Mass<T>> x, std::span<Vec4<T>> v,
                   std::span<const Vec4<T>> sums) {
  if (u.drifts && !u.damps) {
    if (u.kicks == 2) cpu::kick2_drift<T>(x, v, sums, u.kick[0], u.kick[1], u.drift);
    else if (u.kicks == 1) cpu::kick_drift<T>(x, v, sums, u.kick[0], u.drift);
    else cpu::drift<T>(x, v, u.drift);
  } else {
    for (int k = 0; k < u.kicks; ++k) cpu::kick<T>(v, sums, u.kick[k]);
    if (u.damps)
      for (auto& each : v) each = {each.x * u.damping, each.y * u.damping, each.z * u.damping, 0};
    if (u.drifts) cpu::drift<T>(x, v, u.drift);
  }
  if (u.drifts && boundary.periodic) cpu::wrap<T>(x, boundary);
}

}  // namespace pleiad
