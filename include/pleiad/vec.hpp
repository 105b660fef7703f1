/// Small vectors: Vec3, and the aligned records Mass and Vec4.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#ifdef __CUDACC__
#define PLEIAD_HD __host__ __device__
#else
#define PLEIAD_HD
#endif

namespace pleiad {

/// Three numbers: a position, velocity or acceleration.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  PLEIAD_HD constexpr Vec3& operator+=(Vec3 b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  PLEIAD_HD constexpr Vec3& operator-=(Vec3 b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  PLEIAD_HD constexpr Vec3& operator*=(T s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  PLEIAD_HD friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return a += b; }
  PLEIAD_HD friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return a -= b; }
  PLEIAD_HD friend constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
  PLEIAD_HD friend constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
  PLEIAD_HD friend constexpr bool operator==(Vec3 a, Vec3 b) = default;
};

/// The scalar product a . b.
template <class T>
PLEIAD_HD constexpr T dot(Vec3<T> a, Vec3<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// The vector product a x b.
template <class T>
PLEIAD_HD constexpr Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The Euclidean length.
template <class T>
PLEIAD_HD T norm(Vec3<T> a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// A point mass: position and mass in one aligned load.
template <class T>
struct alignas(4 * sizeof(T)) Mass {
  T x{}, y{}, z{}, m{};
  PLEIAD_HD constexpr Vec3<T> position() const { return {x, y, z}; }
};

/// Four numbers in one aligned record: a velocity (w = 0), or a sum of pulls (w: the sum for the potential).
template <class T>
struct alignas(4 * sizeof(T)) Vec4 {
  T x{}, y{}, z{}, w{};
  PLEIAD_HD constexpr Vec3<T> xyz() const { return {x, y, z}; }
};

}  // namespace pleiad
