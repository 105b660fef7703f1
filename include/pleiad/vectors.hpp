/// Views of the caller's arrays with three numbers for each body, in any layout.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/vec.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>

namespace pleiad {

/// An array of T that outlives the view: a named vector or array, or a span.
template <class R, class T>
concept ArrayOf = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R> &&
    std::same_as<std::remove_cv_t<std::remove_reference_t<std::ranges::range_reference_t<R>>>,
                 std::remove_const_t<T>> &&
    (std::is_const_v<T> || !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>);

/// A view of vectors with components T or const T: three arrays x, y, z, or one array of triples x y z x y z
/// ..., or one array of Vec3. It owns nothing: the memory must outlive it. A view made from pointers may
/// refer to GPU memory, which only the GPU may read.
template <class T>
class Vectors {
 public:
  using Number = std::remove_const_t<T>;
  using Triple = std::conditional_t<std::is_const_v<T>, const Vec3<Number>, Vec3<Number>>;

  constexpr Vectors() = default;
  /// Vector i is x[i * stride], y[i * stride], z[i * stride].
  constexpr Vectors(T* x, T* y, T* z, std::size_t size, std::size_t stride = 1)
      : x_(x), y_(y), z_(z), size_(size), stride_(stride) {}
  /// Views three arrays of one size. UsageError if their sizes differ.
  template <ArrayOf<T> X, ArrayOf<T> Y, ArrayOf<T> Z>
  Vectors(X&& x, Y&& y, Z&& z)
      : Vectors(std::ranges::data(x), std::ranges::data(y), std::ranges::data(z), std::ranges::size(x)) {
    if (std::ranges::size(y) != size_ || std::ranges::size(z) != size_)
      throw UsageError("x, y and z must be of one size, not " + std::to_string(size_) + ", " +
                       std::to_string(std::ranges::size(y)) + " and " + std::to_string(std::ranges::size(z)));
  }
  /// Views one array of triples. UsageError if its size is not a multiple of 3.
  template <ArrayOf<T> R>
  Vectors(R&& triples) : Vectors(std::ranges::data(triples), std::ranges::size(triples) / 3) {
    if (std::ranges::size(triples) % 3 != 0)
      throw UsageError("an array of triples x y z must hold 3 numbers for each body, not " +
                       std::to_string(std::ranges::size(triples)) + " in all");
  }
  template <ArrayOf<Triple> R>
  Vectors(R&& vectors)
      : Vectors(std::ranges::empty(vectors) ? nullptr : &std::ranges::data(vectors)->x,
                std::ranges::size(vectors)) {}
  /// A mutable view converts to a const one.
  template <class U>
  requires(std::is_const_v<T>&& std::same_as<U, Number>) Vectors(const Vectors<U>& other)
      : Vectors(other.x(), other.y(), other.z(), other.size(), other.stride()) {}

  /// Number of vectors.
  constexpr std::size_t size() const { return size_; }
  /// Numbers of type T from one vector to the next, in each of the three arrays.
  constexpr std::size_t stride() const { return stride_; }
  constexpr T* x() const { return x_; }
  constexpr T* y() const { return y_; }
  constexpr T* z() const { return z_; }
  constexpr Vec3<Number> operator[](std::size_t i) const {
    return {x_[i * stride_], y_[i * stride_], z_[i * stride_]};
  }
  constexpr void set(std::size_t i, Vec3<Number> v) const requires(!std::is_const_v<T>) {
    x_[i * stride_] = v.x, y_[i * stride_] = v.y, z_[i * stride_] = v.z;
  }

 private:
  constexpr Vectors(T* triples, std::size_t size)
      : Vectors(triples, size == 0 ? triples : triples + 1, size == 0 ? triples : triples + 2, size, 3) {}

  T *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
  std::size_t size_ = 0, stride_ = 1;
};

/// Bodies and results in GPU memory: all pointers are device pointers.
template <class T>
struct OnDevice {
  Vectors<const T> positions{};
  const T* masses = nullptr;
  std::size_t mass_stride = 1;  ///< numbers from one mass to the next; 4 in records x y z m
  /// Positions that exert no force, at which accelerations are computed (see accelerations_at). Empty: at the
  /// bodies.
  std::optional<Vectors<const T>> targets{};
  Vectors<T> accelerations{};  ///< output, one for each target; G included
  T* potentials = nullptr;     ///< output, one number for each target, G included; null: not computed
  void* stream = nullptr;      ///< the stream (a cudaStream_t) to use
};
/// Bodies and results in GPU memory in the layout that kernels load: no copies are made.
template <class T>
struct RecordsOnDevice {
  std::span<const Mass<T>> bodies{};
  std::span<Vec4<T>> result{};  ///< output, one record for each body: accelerations, and in w the potentials
                                ///< or 0; G included
  void* stream = nullptr;
};

}  // namespace pleiad
