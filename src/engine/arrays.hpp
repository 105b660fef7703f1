/// Converts bodies to the arrays that kernels read, and back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/room.hpp"
#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/vec.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace pleiad {

/// Positions with masses, and velocities, rounded to T; x and v have as many elements as there are bodies.
template <class T>
void to_arrays(const Bodies& b, std::span<Mass<T>> x, std::span<Vec4<T>> v) {
  for_each_index(x.size(), [&](std::size_t i) {
    x[i] = {T(b.x[i]), T(b.y[i]), T(b.z[i]), T(b.mass[i])};
    v[i] = {T(b.vx[i]), T(b.vy[i]), T(b.vz[i]), T(0)};
  });
}

/// Copies positions and velocities to the bodies from number `first` on; masses do not change.
template <class T>
void to_bodies(std::span<const Mass<T>> x, std::span<const Vec4<T>> v, Bodies& b, std::size_t first = 0) {
  for_each_index(x.size(), [&](std::size_t k) {
    const std::size_t i = first + k;
    b.x[i] = double(x[k].x), b.y[i] = double(x[k].y), b.z[i] = double(x[k].z);
    b.vx[i] = double(v[k].x), b.vy[i] = double(v[k].y), b.vz[i] = double(v[k].z);
  });
}

/// Masses that are no longer those of the bodies, rounded to T.
template <class T>
void to_masses(std::span<const Mass<T>> x, Bodies& b) {
  for_each_index(x.size(), [&](std::size_t i) {
    if (T(b.mass[i]) != x[i].m) b.mass[i] = double(x[i].m);
  });
}

/// Room for accelerations and potentials of n bodies.
inline void resize_fields(Snapshot& s, std::size_t n) {
  for (auto* each : {&s.ax, &s.ay, &s.az, &s.potential}) resize_at_once(*each, n);
}

/// Sums of pulls and potentials, G left out, into the snapshot's accelerations and potentials from number
/// `first` on.
template <class T>
void to_fields(std::span<const Vec4<T>> sums, double G, Snapshot& s, std::size_t first) {
  for_each_index(sums.size(), [&](std::size_t k) {
    const std::size_t i = first + k;
    s.ax[i] = G * double(sums[k].x), s.ay[i] = G * double(sums[k].y), s.az[i] = G * double(sums[k].z);
    s.potential[i] = G * double(sums[k].w);
  });
}

/// Fields of all bodies; without sums they become empty.
template <class T>
void to_fields(std::span<const Vec4<T>> sums, double G, Snapshot& s) {
  resize_fields(s, sums.size());
  to_fields<T>(sums, G, s, 0);
}

}  // namespace pleiad
