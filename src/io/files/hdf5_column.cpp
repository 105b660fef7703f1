/// Checks of a dataset before it is read: rank, type and shape, data in this file, and a size that fits its
/// bytes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5_attributes.hpp"

namespace pleiad::files::hdf5 {

bool exists(const Hdf5File& f, hid_t parent, const std::string& name) {
  if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_info_t link;
  if (H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT) < 0) return false;
  if (link.type != H5L_TYPE_HARD)
    f.refuse(fmt::format("'{}' is a link to elsewhere; only data inside the file itself are read", name));
  return true;
}

Object open_group(const Hdf5File& f, const char* name) {
  if (!exists(f, f.file, name)) return {};
  Object group{H5Gopen2(f.file, name, H5P_DEFAULT), H5Gclose};
  if (!group.valid()) f.refuse(fmt::format("/{} is no group, or cannot be opened as one", name));
  return group;
}

namespace {

/// Deflate cannot do better than 1032:1: more rows than that for the bytes in the file are a lie.
constexpr std::uint64_t best_compression = 1032;
constexpr std::uint64_t largest_chunk = std::uint64_t{1} << 30;
/// A chunk is unpacked whole, so it may not be much larger than the rows that the header counts; up to this
/// size it does no harm.
constexpr std::uint64_t harmless_chunk = std::uint64_t{16} << 20;

/// From this number on a dataset of positions must have at least one byte for each body in the file.
constexpr std::uint64_t many_rows = std::uint64_t{1} << 20;

/// The files that a virtual dataset shows: the first and the last of them.
std::string sources_of(hid_t how) {
  std::size_t count = 0;
  if (H5Pget_virtual_count(how, &count) < 0 || count == 0) return "in other files";
  const auto name_of = [&](std::size_t k) {
    std::string name(256, '\0');
    const auto size = H5Pget_virtual_filename(how, k, name.data(), name.size());
    name.resize(std::min(name.find('\0'), size < 0 ? 0 : name.size()));
    return in_quotes(name);
  };
  const std::string first = name_of(0), last = name_of(count - 1);
  return first == last ? "in " + first : fmt::format("in {} to {}", first, last);
}

void check_layout(const Hdf5File& f, const Column& c, std::uint64_t element_bytes) {
  const Object how{H5Dget_create_plist(c.id), H5Pclose};
  if (!how.valid()) f.refuse(fmt::format("{}: {}", c.path, last_error()));
  const auto layout = H5Pget_layout(how);
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT)
    f.refuse(fmt::format("{} is a virtual dataset, whose data are {}: read the parts of the set instead",
                         c.path, sources_of(how)));
  if (H5Pget_external_count(how) != 0)
    f.refuse(fmt::format("{} keeps its data in another file, which is not read", c.path));
  const int filters = H5Pget_nfilters(how);
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0;
    std::size_t parameters = 0;
    const auto filter = H5Pget_filter2(how, unsigned(k), &flags, &parameters, nullptr, 0, nullptr, nullptr);
    if (filter < H5Z_FILTER_DEFLATE || filter > H5Z_FILTER_SCALEOFFSET || filter == H5Z_FILTER_SZIP)
      f.refuse(fmt::format(
          "{} is compressed with filter {}; only deflate, shuffle, fletcher32, nbit and scaleoffset are read",
          c.path, int(filter)));
  }
  const std::uint64_t stored = H5Dget_storage_size(c.id),
                      needed = std::uint64_t(c.rows) * c.columns * element_bytes;
  if (layout == H5D_CHUNKED) {
    std::array<hsize_t, 2> chunk{1, 1};
    if (H5Pget_chunk(how, int(c.rank), chunk.data()) < 0 || chunk[0] == 0 || chunk[1] == 0 ||
        chunk[0] > largest_chunk || chunk[1] > largest_chunk ||
        chunk[0] * chunk[1] * element_bytes > largest_chunk)
      f.refuse(fmt::format("{} is stored in chunks of {} x {}; they may have at most 1 GiB", c.path, chunk[0],
                           chunk[1]));
    if (chunk[0] * chunk[1] * element_bytes > std::max(harmless_chunk, 2 * needed))
      f.refuse(fmt::format("{} is stored in chunks of {} x {}, but the header counts {} rows", c.path,
                           chunk[0], chunk[1], c.rows));
  }
  // Places of bodies are not all alike: where millions of them take next to no bytes, they are made up to
  // fill the memory.
  if (c.path.ends_with("/Coordinates") && c.rows > many_rows && stored < c.rows)
    f.refuse(
        fmt::format("{} has {} bytes stored for {} rows, less than one each: that is no snapshot; if it is "
                    "one, unpack it with h5repack -f NONE",
                    c.path, stored, c.rows));
  if (filters == 0 ? stored < needed : stored < needed / best_compression + 1)
    f.refuse(fmt::format("{} has {} bytes stored for {} rows, which need {}; the file is cut off or damaged",
                         c.path, stored, c.rows, needed));
}

}  // namespace

Column open_column(const Hdf5File& f, hid_t group, std::size_t type, std::initializer_list<const char*> names,
                   std::size_t columns, bool real) {
  const auto name =
      std::find_if(names.begin(), names.end(), [&](const char* n) { return exists(f, group, n); });
  if (name == names.end()) return {};
  Column c{{H5Dopen2(group, *name, H5P_DEFAULT), H5Dclose},
           std::size_t(f.count[type]),
           columns,
           1,
           fmt::format("/PartType{}/{}", type, *name)};
  if (!c.id.valid()) f.refuse(fmt::format("{} cannot be opened: {}", c.path, last_error()));
  const Object space{H5Dget_space(c.id), H5Sclose}, stored{H5Dget_type(c.id), H5Tclose};
  const int rank = H5Sget_simple_extent_ndims(space), right = columns == 1 ? 1 : 2;
  std::array<hsize_t, 2> shape{0, 1};
  if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space, shape.data(), nullptr) < 0 || rank < right)
    f.refuse(fmt::format("{} has rank {}; it must have rank {}", c.path, rank, right));
  c.rank = std::size_t(rank);  // numbers of bodies may stand in rows of one
  if (shape[0] != c.rows || shape[1] != columns)
    f.refuse(fmt::format("{} has shape [{}, {}], but NumPart_ThisFile[{}] = {} asks for [{}, {}]", c.path,
                         shape[0], shape[1], type, f.count[type], c.rows, columns));
  if (!stored.valid() || !(real ? is_plain_float(stored) : is_plain_integer(stored)))
    f.refuse(fmt::format("{} is not of a plain {} type", c.path,
                         real ? "floating-point (at most 64 bits)" : "whole-number (at most 64 bits)"));
  check_layout(f, c, H5Tget_size(stored));
  return c;
}

}  // namespace pleiad::files::hdf5
