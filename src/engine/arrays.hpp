/// Bodies as the arrays that kernels see, and back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad {

/// Positions with masses, and velocities, rounded to T; x and v have as many elements as there are bodies.
template <class T>
void to_arrays(const Bodies& b, std::span<Mass<T>> x, std::span<Vec4<T>> v) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = {T(b.x[i]), T(b.y[i]), T(b.z[i]), T(b.mass[i])};
    v[i] = {T(b.vx[i]), T(b.vy[i]), T(b.vz[i]), T(0)};
  }
}

/// Positions and velocities into the bodies, which have as many; masses stay what they were.
template <class T>
void to_bodies(std::span<const Mass<T>> x, std::span<const Vec4<T>> v, Bodies& b) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    b.x[i] = double(x[i].x), b.y[i] = double(x[i].y), b.z[i] = double(x[i].z);
    b.vx[i] = double(v[i].x), b.vy[i] = double(v[i].y), b.vz[i] = double(v[i].z);
  }
}

/// Sums of pulls and potentials, G left out, into the snapshot's accelerations and potentials; none empty
/// them.
template <class T>
void to_fields(std::span<const Vec4<T>> sums, double G, Snapshot& s) {
  for (auto* each : {&s.ax, &s.ay, &s.az, &s.potential}) each->resize(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    s.ax[i] = G * double(sums[i].x), s.ay[i] = G * double(sums[i].y), s.az[i] = G * double(sums[i].z);
    s.potential[i] = G * double(sums[i].w);
  }
}

}  // namespace pleiad
