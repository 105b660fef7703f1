/// Reading the members of the groups of a catalogue.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5_object.hpp"
#include "structure/links.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

using files::hdf5::Object;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw InputError(fmt::format("'{}': {}", file.string(), why));
}

/// A row of whole numbers. What is not there is a row of none where `optional` says so.
std::vector<std::uint64_t> wholes(hid_t f, const std::filesystem::path& file, const char* group,
                                  const char* name, bool optional = false) {
  const auto path = fmt::format("{}/{}", group, name);
  if (!(H5Lexists(f, group, H5P_DEFAULT) > 0 && H5Lexists(f, path.c_str(), H5P_DEFAULT) > 0)) {
    if (optional) return {};
    refuse(file, fmt::format(
                     "the dataset /{} is missing; a catalogue of groups with the ids of their members has it",
                     path));
  }
  const Object d{H5Dopen2(f, path.c_str(), H5P_DEFAULT), H5Dclose};
  const Object type{d.valid() ? H5Dget_type(d) : H5I_INVALID_HID, H5Tclose},
      space{d.valid() ? H5Dget_space(d) : H5I_INVALID_HID, H5Sclose};
  if (!space.valid() || !type.valid() || !files::hdf5::is_plain_integer(type) ||
      H5Sget_simple_extent_ndims(space) != 1)
    refuse(file, fmt::format("/{} must be a row of whole numbers", path));
  hsize_t count = 0;
  H5Sget_simple_extent_dims(space, &count, nullptr);
  // Chunks that are not stored are zeros: a file cannot ask for more memory than a thousand of its own sizes.
  std::error_code unknown;
  const auto size = std::filesystem::file_size(file, unknown);
  if (unknown || count / 1000 > size)
    refuse(file, fmt::format("/{} has {} numbers, which the file cannot hold", path, count));
  std::vector<std::uint64_t> values(count);
  if (count > 0 && H5Dread(d, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    refuse(file, fmt::format("/{} cannot be read: {}", path, files::hdf5::last_error()));
  return values;
}

double number(hid_t f, const std::filesystem::path& file, const char* name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (H5Aexists_by_name(f, "Header", name, H5P_DEFAULT) > 0) {
    const Object at{H5Aopen_by_name(f, "Header", name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
    const Object space{H5Aget_space(at), H5Sclose};
    if (H5Sget_simple_extent_npoints(space) == 1) H5Aread(at, H5T_NATIVE_DOUBLE, &value);
  }
  if (!std::isfinite(value)) refuse(file, fmt::format("/Header/{} must be a finite number", name));
  return value;
}

}  // namespace

GroupMembers read_members(const std::filesystem::path& file) {
  const auto lock = files::hdf5::session();
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) refuse(file, "it is not a regular file");
  const Object f{H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  if (!f.valid()) refuse(file, fmt::format("cannot be opened as HDF5: {}", files::hdf5::last_error()));
  if (!(H5Lexists(f, "Header", H5P_DEFAULT) > 0))
    refuse(file, "no group /Header; it is no catalogue of groups");
  GroupMembers groups{.time = number(f, file, "Time")};
  if (H5Aexists_by_name(f, "Header", "NumFiles", H5P_DEFAULT) > 0 && number(f, file, "NumFiles") != 1)
    refuse(file, fmt::format("it is one of {} files; catalogues in one file are read",
                             number(f, file, "NumFiles")));
  const bool none = H5Aexists_by_name(f, "Header", "Ngroups_Total", H5P_DEFAULT) > 0 &&
                    number(f, file, "Ngroups_Total") == 0;
  groups.ids = wholes(f, file, "IDs", "ID", none);
  for (const auto length : wholes(f, file, "Group", "GroupLen", none)) {
    if (length == 0 || length > groups.ids.size() - groups.first.back())
      refuse(file,
             fmt::format("/Group/GroupLen has {} members for group {}, and /IDs/ID {} ids after those of the "
                         "groups before",
                         length, groups.size(), groups.ids.size() - groups.first.back()));
    groups.first.push_back(groups.first.back() + length);
  }
  if (groups.first.back() != groups.ids.size())
    refuse(file, fmt::format("/IDs/ID has {} ids, and the groups of /Group/GroupLen have {} members",
                             groups.ids.size(), groups.first.back()));
  return groups;
}

}  // namespace pleiad::structure
