/// Small files made byte by byte, independent of the library's writers: what other programs write.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <hdf5.h>

namespace pleiad::golden {

namespace fs = std::filesystem;

/// A directory of its own that goes away with its contents.
struct Folder {
  fs::path path;
  Folder();
  ~Folder();
  fs::path operator/(const std::string& name) const { return path / name; }
  fs::path write(const std::string& name, const std::string& bytes) const;
};
std::string bytes_of(const fs::path& file);

/// The galaxy of the golden files: 5 bodies, halo halo disc disc star; every number is exact in single
/// precision.
inline constexpr std::size_t bodies = 5;
Bodies truth();

/// What may differ between GADGET binary files.
struct Gadget {
  bool big = false, labelled = false, wide_reals = false, wide_ids = false, ids = true, mass_table = false,
       extra_block = false;
  double h = 0, omega0 = 0, redshift = 0, time = 0.25;
  int files = 1;
  std::size_t first = 0, last = bodies;  ///< the bodies in this part of a set
};
std::string gadget(const Gadget& how);

std::string tipsy(bool big, bool padded = true);
std::string csv();

/// An HDF5 file written with the C library alone; `spoil` changes it before it is closed.
struct Hdf5 {
  bool wide_counts = false, singles = false, aliases = false, mass_table = false, units = true, ids = true;
  double h = 1;
  std::function<void(hid_t file)> spoil{};
  int files = 1;
  std::size_t first = 0, last = bodies;
};
void hdf5(const fs::path& file, const Hdf5& how = {});
void attribute(hid_t object, const char* name, double value);
void remove(hid_t file, const char* path);
/// Replaces PartType1/NAME by a dataset of this type, shape and creation list, filled with zeros.
void replace(hid_t file, const char* name, hid_t type, std::vector<hsize_t> shape, hid_t how = H5P_DEFAULT,
             bool fill = true);

/// One file of every kind, by name.
std::map<std::string, std::string> all();

}  // namespace pleiad::golden
