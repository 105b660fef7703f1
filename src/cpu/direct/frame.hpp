/// A frame: the origin and the units in which a kernel computes, so that single precision neither cancels far
/// from the origin nor overflows in cgs or SI. Units are powers of two, so they change no bit of a result
/// that stayed in range.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

namespace pleiad::cpu {

/// Throws UsageError for a rung that supports open space and nearest images only.
inline void refuse_all_images(const Boundary& boundary, std::string_view rung) {
  if (boundary.all_images())
    throw UsageError("'" + std::string(rung) +
                     "': it knows nearest images only; for all images take cpu/ewald");
}

/// Lengths and masses are multiplied by these before the pair arithmetic.
struct Scale {
  double length = 1, mass = 1;
  /// Factors that convert a sum of scaled pulls to acceleration and potential.
  double force() const { return length * length / mass; }
  double potential() const { return length / mass; }
};

/// The power of two that brings `size` into [1/2, 1); 1 for sizes that have none, and never so far that a
/// factor's square overflows.
inline double power_of_two(double size) {
  if (!(size > 0 && std::isfinite(size))) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(size) - 1, -500, 500));
}

/// The least and the greatest x, y, z and mass.
template <class T>
struct Bounds {
  Mass<T> low, high;
};
template <class T>
Bounds<T> bounds_of(std::span<const Mass<T>> bodies);

/// Units for a problem, from its extent and its largest mass.
template <class P>
Scale scale_of_extent(const PairProblem<P>& p) {
  if (p.targets.empty() || p.sources.empty()) return {};
  using T = typename P::Position;
  const Bounds<T> sources = bounds_of(p.sources);
  const bool same = p.targets.data() == p.sources.data() && p.targets.size() == p.sources.size();
  const Bounds<T> targets = same ? sources : bounds_of(p.targets);
  const auto along = [&](T Mass<T>::*axis) {
    return double(std::max(sources.high.*axis, targets.high.*axis)) -
           double(std::min(sources.low.*axis, targets.low.*axis));
  };
  double extent = std::max({along(&Mass<T>::x), along(&Mass<T>::y), along(&Mass<T>::z), p.softening.eps});
  if (p.boundary.periodic)
    extent = std::max({extent, p.boundary.length.x, p.boundary.length.y, p.boundary.length.z});
  return {.length = power_of_two(extent), .mass = power_of_two(sources.high.m)};
}
/// The scale of a problem; double precision needs none.
template <class P>
Scale scale_of(const PairProblem<P>& p) {
  if constexpr (std::is_same_v<typename P::Math, double>) return {};
  else return scale_of_extent(p);
}

/// A middle of the bodies, axis by axis: the median of medians of three, of nine of them. Four of the nine
/// must be far away before it is; a mean is moved by one.
template <class T>
Vec3<T> middle_of(std::span<const Mass<T>> bodies) {
  const auto median = [](T a, T b, T c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); };
  const auto along = [&](T Mass<T>::*axis) {
    const auto at = [&](std::size_t k) { return bodies[k * bodies.size() / 9].*axis; };
    return median(median(at(0), at(1), at(2)), median(at(3), at(4), at(5)), median(at(6), at(7), at(8)));
  };
  return {along(&Mass<T>::x), along(&Mass<T>::y), along(&Mass<T>::z)};
}

/// The origin and the units of a block of targets, as four lanes x, y, z, m. The origin is where most targets
/// are, because single precision is finest there; it lies on a coarse grid, so that positions on a grid stay
/// exact and ties in a periodic box stay ties. Wrapping before the conversion keeps neighbours across the
/// box's face close; an axis of an open space has length 0 and stays as it is.
template <class T>
struct Frame {
  alignas(32) T origin[4]{}, factor[4]{}, length[4]{}, inverse[4]{};
  /// For pairs of floats in a periodic box: if it is added and subtracted again, multiples of `grid` remain.
  alignas(32) T coarse[4]{};
};
/// The upper floats of a periodic box are multiples of this (in units of which the box is less than 1), so
/// that their differences, and those of images, are exact.
inline constexpr double grid = 0x1p-22;

template <class P>
Frame<typename P::Position> frame_of(std::span<const Mass<typename P::Position>> targets,
                                     const Boundary& boundary, const Scale& scale) {
  using T = typename P::Position;
  const T length = T(scale.length);
  Frame<T> frame{.factor = {length, length, length, T(scale.mass)}};
  if constexpr (std::is_same_v<P, Mixed>) {
    const Vec3<T> middle = middle_of(targets);
    const T step = T(0x1p-10) / length;
    for (int k = 0; const T x : {middle.x, middle.y, middle.z})
      frame.origin[k++] = step * std::rint(x / step);
    if (boundary.periodic) {
      const Box<T> box(boundary);
      std::copy_n(&std::array{box.length.x, box.length.y, box.length.z}[0], 3, frame.length);
      std::copy_n(&std::array{box.inverse.x, box.inverse.y, box.inverse.z}[0], 3, frame.inverse);
      std::fill_n(frame.coarse, 3, T(0x1.8p52 * grid));
    }
  }
  return frame;
}

/// The box in the arithmetic and units of a kernel.
template <class M>
Box<M> scaled_box(const Boundary& boundary, const Scale& scale) {
  Boundary box = boundary;
  box.length *= scale.length;
  return Box<M>(box);
}

/// Remainders of the side lengths of a box of pairs of floats, relative to those in `box`.
inline Vec3<float> rest_of_box(const Boundary& boundary, const Scale& scale, const Box<float>& box) {
  const auto rest = [&](double whole, float upper) { return float(whole * scale.length - double(upper)); };
  return {rest(boundary.length.x, box.length.x), rest(boundary.length.y, box.length.y),
          rest(boundary.length.z, box.length.z)};
}
/// The box of pairs of floats: its lengths, too, are multiples of `grid`.
inline Box<float> box_of_pairs(const Boundary& boundary, const Scale& scale) {
  Box<float> box = scaled_box<float>(boundary, scale);
  for (float* length : {&box.length.x, &box.length.y, &box.length.z})
    *length = float(grid * std::rint(double(*length) / grid));
  return box;
}

/// The squared separation below which two bodies count as coincident in the arithmetic M: r^-3 of scaled
/// units still is a number above it.
template <class M>
inline constexpr M coincident_r2 = std::is_same_v<M, float> ? M(1e-24) : M(1e-200);

/// eps^2 in the arithmetic and units of a kernel, and whether it is too small to keep coincident pairs apart.
template <class P>
typename P::Math scaled_eps2(const PairProblem<P>& p, const Scale& scale) {
  return static_cast<typename P::Math>(p.softening.eps2() * scale.length * scale.length);
}
/// Pairs of floats err by up to 2^-48 of the scaled extent (less than 1 along each axis), which is 2^-22 of
/// this squared separation's root. Bodies with a nearer neighbour are summed again in double precision.
inline constexpr float close_r2 = 0x1p-52f;

template <class P>
bool is_careful(const PairProblem<P>& p, const Scale& scale) {
  const auto least = std::is_same_v<P, Mixed> ? close_r2 : coincident_r2<typename P::Math>;
  return !(scaled_eps2(p, scale) > least);
}

/// Sums of the targets in `chosen` once more, in double precision: same positions, other arithmetic.
void sum_again(const PairProblem<Mixed>& p, std::span<const std::size_t> chosen);

}  // namespace pleiad::cpu
