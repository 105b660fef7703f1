/// Arrays of Python's in the host's memory: those that are given, checked, and those that are made.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>

namespace pleiad::python {

/// A NumPy array of these numbers, which are its own from now on; `columns` 0: one-dimensional.
template <class T>
Any array_of(std::vector<T> numbers, std::size_t columns = 0) {
  auto* kept = new std::vector<T>(std::move(numbers));
  kept->reserve(1);  // a pointer that is not null
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[] = {columns == 0 ? kept->size() : kept->size() / columns, columns};
  return nb::borrow<Any>(
      nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), columns == 0 ? 1 : 2, shape, owner)));
}

/// The argument `name` as an array of any shape; UsageError unless it is an array in host memory.
nb::ndarray<nb::ro, nb::device::cpu> host_array(nb::handle given, std::string_view name);
/// The argument `name` as an array to be written to.
nb::ndarray<nb::device::cpu> host_array_to_fill(nb::handle given, std::string_view name);

/// Rows of T with any strides.
template <class T>
struct Rows {
  T* first = nullptr;
  std::int64_t row = 0, column = 0;  ///< strides, in elements
  std::size_t size = 0;
  T& operator()(std::size_t i, std::size_t k = 0) const {
    return first[std::int64_t(i) * row + std::int64_t(k) * column];
  }
};

/// UsageError naming the argument, unless it has this type and shape.
void need_form(std::string_view name, const nb::dlpack::dtype& type, const nb::dlpack::dtype& wanted,
               std::size_t dimensions, const std::int64_t* shape, std::size_t columns,
               std::optional<std::size_t> rows);

/// The rows of an array that outlives them, of as many as given; `columns` 0: of one-dimensional arrays.
template <class T, class Array>
Rows<T> rows_of(const Array& array, std::string_view name, std::size_t columns,
                std::optional<std::size_t> rows = {}) {
  need_form(name, array.dtype(), nb::dtype<std::remove_const_t<T>>(), array.ndim(), array.shape_ptr(),
            columns, rows);
  auto* const bytes = static_cast<char*>(array.data_handle()) + array.byte_offset();
  return {reinterpret_cast<T*>(bytes), array.stride(0), columns == 0 ? 0 : array.stride(1), array.shape(0)};
}

/// "float64", as NumPy calls it.
std::string name_of(const nb::dlpack::dtype& type);

}  // namespace pleiad::python
