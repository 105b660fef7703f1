/// HDF5 files that are built in memory, so that they are complete or not there: groups, and rows of numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/hdf5_object.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

namespace pleiad::structure::hdf5_image {

using files::hdf5::Object;

[[noreturn]] inline void fail(std::string_view what) {
  throw ResourceError(fmt::format("cannot write {}: {}", what, files::hdf5::last_error()),
                      Error::Code::cannot_write);
}

/// A group of an HDF5 file, and the datasets that are written into it.
class Folder {
 public:
  Folder(hid_t file, const char* name)
      : name_(name), id_{H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose} {
    if (!id_.valid()) fail(name);
  }
  operator hid_t() const { return id_; }

  /// Rows of `columns` numbers each: doubles, or whole numbers of 64 bits.
  template <class T>
  void dataset(const std::string& name, std::size_t columns, const std::vector<T>& values) const {
    static_assert(sizeof(T) == 8);
    constexpr bool real = std::is_same_v<T, double>, with_sign = std::is_same_v<T, std::int64_t>;
    const hid_t stored = real        ? H5T_IEEE_F64LE
                         : with_sign ? H5T_STD_I64LE
                                     : H5T_STD_U64LE,
                here = real        ? H5T_NATIVE_DOUBLE
                       : with_sign ? H5T_NATIVE_INT64
                                   : H5T_NATIVE_UINT64;
    const std::array<hsize_t, 2> shape{values.size() / columns, columns};
    const Object space{H5Screate_simple(columns == 1 ? 1 : 2, shape.data(), nullptr), H5Sclose};
    const Object how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(how, false);  // the same catalogue gives the same bytes
    const Object to{H5Dcreate2(id_, name.c_str(), stored, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose};
    if (!to.valid() ||
        (!values.empty() && H5Dwrite(to, here, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0))
      fail(fmt::format("{}/{}", name_, name));
  }

 private:
  std::string name_;
  Object id_;
};

/// The bytes of a file that `build(hid_t file)` fills. ResourceError if HDF5 cannot make it.
template <class Build>
std::string built(const std::filesystem::path& file, const Build& build) {
  const auto lock = files::hdf5::session();
  const auto need = [&](bool done) {
    if (!done) fail(fmt::format("'{}'", file.string()));
  };
  const Object access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  H5Pset_fapl_core(access, std::size_t{1} << 20, false);
  // In memory: HDF5 opens a file of this name if there is one, and there is none.
  const Object made{H5Fcreate("/dev/null/image", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  need(made.valid());
  build(hid_t(made));
  need(H5Fflush(made, H5F_SCOPE_GLOBAL) >= 0);
  const auto size = H5Fget_file_image(made, nullptr, 0);
  need(size > 0);
  std::string image(std::size_t(size), '\0');
  need(H5Fget_file_image(made, image.data(), image.size()) == size);
  return image;
}

}  // namespace pleiad::structure::hdf5_image
