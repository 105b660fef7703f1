/// An HDF5 file of the GADGET family for the reader: its header, its groups, and columns that are checked
/// before they are read.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/hdf5_object.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::files::hdf5 {

/// Rows converted at a time.
inline constexpr std::size_t slab = std::size_t{1} << 18;

struct Hdf5File {
  std::string name;
  Object file;
  std::vector<std::int64_t> count;
  /// Value of every attribute that was read, by path: all parts of a set must have the same.
  mutable std::map<std::string, std::string> said{};

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("'{}': {}", name, why));
  }
};

/// A group or dataset must be a part of this very file: links to other files are refused.
bool exists(const Hdf5File& f, hid_t parent, const std::string& name);
/// An invalid object when there is none.
Object open_group(const Hdf5File& f, const char* name);

/// A dataset that has passed all checks.
struct Column {
  Object id;
  std::size_t rows = 0, columns = 1, rank = 1;
  std::string path;
};

/// The dataset under the first of these names, checked against the number of bodies; nothing when it is
/// absent.
Column open_column(const Hdf5File& f, hid_t group, std::size_t type, std::initializer_list<const char*> names,
                   std::size_t columns, bool real);

/// Reads a range of rows of the columns of `c` into the rows from `first` on of as many arrays.
template <class T>
void read_rows(const Hdf5File& f, const Column& c, BodyRange range, hid_t type,
               const std::vector<std::vector<T>*>& to, std::size_t first) {
  const Object space{H5Dget_space(c.id), H5Sclose};
  std::vector<T> rows(std::min(slab, range.count) * c.columns);
  for (std::size_t done = 0; done < range.count; done += slab) {
    const std::size_t n = std::min(slab, range.count - done);
    const std::array<hsize_t, 2> start{range.first + done, 0}, count{n, c.columns};
    const Object memory{H5Screate_simple(int(c.rank), count.data(), nullptr), H5Sclose};
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(c.id, type, memory, space, H5P_DEFAULT, rows.data()) < 0)
      f.refuse(fmt::format("{} cannot be read: {}", c.path, last_error()));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < c.columns; ++k) (*to[k])[first + done + i] = rows[i * c.columns + k];
  }
}

}  // namespace pleiad::files::hdf5
