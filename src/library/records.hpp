/// The caller's arrays as the records that kernels load, checked, and sums back into arrays.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/arrays.hpp"

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
  for_each_index(bodies.size(), [&](std::size_t i) {
    if (sound(bodies[i])) return;
    for (std::size_t now = first; i < now && !first.compare_exchange_weak(now, i);) {
    }
  });
  if (first < bodies.size()) refuse(first, bodies[first]);
}

template <class Real>
bool massless(std::span<const Mass<Real>> bodies) {
  return std::ranges::all_of(bodies, [](const auto& b) { return b.m == 0; });
}

/// Copies vectors and masses to records; without masses these are 0.
template <class T, class Real>
void pack(const Vectors<const T>& x, std::span<const T> m, std::span<Mass<Real>> out) {
  for_each_index(out.size(), [&](std::size_t i) {
    const auto p = x[i];
    out[i] = {Real(p.x), Real(p.y), Real(p.z), m.empty() ? Real(0) : Real(m[i])};
  });
}

template <class T, class Real>
void unpack(std::span<const Vec4<Real>> sums, double G, const Vectors<T>& a, std::span<T> potentials) {
  for_each_index(sums.size(), [&](std::size_t i) {
    const auto& s = sums[i];
    a.set(i, {T(G * double(s.x)), T(G * double(s.y)), T(G * double(s.z))});
    if (!potentials.empty()) potentials[i] = T(G * double(s.w));
  });
}
/// Copies sums times G to records, which may be the sums themselves.
template <class T, class Real>
void unpack(std::span<const Vec4<Real>> sums, double G, std::span<Vec4<T>> out) {
  for_each_index(sums.size(), [&](std::size_t i) {
    const auto& s = sums[i];
    out[i] = {T(G * double(s.x)), T(G * double(s.y)), T(G * double(s.z)), T(G * double(s.w))};
  });
}

inline void need_size(std::string_view what, std::size_t size, std::size_t n) {
  if (size != n) throw UsageError(fmt::format("{} has {} elements for {} bodies", what, size, n));
}

}  // namespace pleiad
