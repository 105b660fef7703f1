/// The caller's arrays as the records that kernels load, checked, and sums back into arrays.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>
#include <pleiad/vectors.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace pleiad {

template <class Each>
void for_blocks(std::size_t n, const Each& each) {
  constexpr std::size_t block = std::size_t{1} << 14;
  parallel_for((n + block - 1) / block,
               [&](std::size_t k) { each(k * block, std::min(n, (k + 1) * block)); });
}

template <class Real>
bool sound(const Mass<Real>& b) {
  constexpr Real most = Real(1e18);  // whose square is finite in single precision
  return std::abs(b.x) <= most && std::abs(b.y) <= most && std::abs(b.z) <= most && b.m >= 0 &&
         std::isfinite(b.m);
}
template <class Real>
[[noreturn]] void refuse(std::size_t i, const Mass<Real>& b) {
  if (!(b.m >= 0 && std::isfinite(b.m)))
    throw InputError(fmt::format("body {} has mass {}: it must be finite and >= 0", i, b.m));
  throw InputError(
      fmt::format("body {} is at ({}, {}, {}): each must be finite and at most 1e18", i, b.x, b.y, b.z));
}

/// InputError naming the first of `bodies` that cannot be.
template <class Real>
void need_sound(std::span<const Mass<Real>> bodies) {
  std::atomic<std::size_t> first{bodies.size()};
  for_blocks(bodies.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (!sound(bodies[i])) {
        for (std::size_t now = first; i < now && !first.compare_exchange_weak(now, i);) {
        }
        return;
      }
  });
  if (first < bodies.size()) refuse(first, bodies[first]);
}

template <class Real>
bool massless(std::span<const Mass<Real>> bodies) {
  return std::ranges::all_of(bodies, [](const auto& b) { return b.m == 0; });
}

/// Into records; without masses: of none.
template <class T, class Real>
void pack(const Vectors<const T>& x, std::span<const T> m, std::span<Mass<Real>> out) {
  for_blocks(out.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto p = x[i];
      out[i] = {Real(p.x), Real(p.y), Real(p.z), m.empty() ? Real(0) : Real(m[i])};
    }
  });
}

template <class T, class Real>
void unpack(std::span<const Vec4<Real>> sums, double G, const Vectors<T>& a, std::span<T> potentials) {
  for_blocks(sums.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& s = sums[i];
      a.set(i, {T(G * double(s.x)), T(G * double(s.y)), T(G * double(s.z))});
      if (!potentials.empty()) potentials[i] = T(G * double(s.w));
    }
  });
}

inline void need_size(std::string_view what, std::size_t size, std::size_t n) {
  if (size != n) throw UsageError(fmt::format("{} has {} elements for {} bodies", what, size, n));
}

template <class Real>
Bodies bodies_of(std::span<const Mass<Real>> x) {
  Bodies bodies;
  bodies.reserve(x.size());
  for (const auto& b : x) bodies.add(double(b.m), {double(b.x), double(b.y), double(b.z)}, {});
  return bodies;
}

}  // namespace pleiad
