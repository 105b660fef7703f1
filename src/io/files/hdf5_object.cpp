/// The checked operations on HDF5 objects.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5_object.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pleiad::files::hdf5 {
namespace {

herr_t keep_reason(unsigned, const H5E_error2_t* error, void* reason) {
  auto& text = *static_cast<std::string*>(reason);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

bool is_any_of(hid_t type, std::initializer_list<hid_t> known) {
  return std::any_of(known.begin(), known.end(), [&](hid_t k) { return H5Tequal(type, k) > 0; });
}

/// An attribute with 1 to 64 elements.
struct Attribute {
  Object id, type;
  std::size_t count = 0;
};
std::optional<Attribute> open_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return std::nullopt;
  Attribute a{{H5Aopen(object, name, H5P_DEFAULT), H5Aclose}, {}, 0};
  if (!a.id.valid()) return std::nullopt;
  a.type = {H5Aget_type(a.id), H5Tclose};
  const Object space{H5Aget_space(a.id), H5Sclose};
  if (!a.type.valid() || !space.valid()) return std::nullopt;
  const auto points = H5Sget_simple_extent_npoints(space);
  if (points < 1 || points > 64) return std::nullopt;
  a.count = std::size_t(points);
  return a;
}

template <class T>
std::optional<std::vector<T>> read_numbers(hid_t object, const char* name, hid_t memory_type) {
  const auto a = open_attribute(object, name);
  if (!a || !(is_plain_float(a->type) || is_plain_integer(a->type))) return std::nullopt;
  std::vector<T> values(a->count);
  if (H5Aread(a->id, memory_type, values.data()) < 0) return std::nullopt;
  return values;
}

void write_attribute(hid_t object, const char* name, hid_t file_type, hid_t space, hid_t memory_type,
                     const void* value) {
  const Object owned_space{space, H5Sclose};
  const Object a{H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  if (!a.valid() || H5Awrite(a, memory_type, value) < 0)
    throw ResourceError(fmt::format("cannot write the attribute '{}': {}", name, last_error()));
}

hid_t row(std::size_t n) {
  const hsize_t length = n;
  return H5Screate_simple(1, &length, nullptr);
}

}  // namespace

std::unique_lock<std::mutex> session() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  static const bool started = [] {
    H5dont_atexit();
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
    return true;
  }();
  (void)started;
  return lock;
}

std::string last_error() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &reason);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason.empty() ? "the HDF5 library gives no reason" : reason.substr(0, 200);
}

bool exists(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) return false;
  H5L_info_t link;
  if (H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0) return false;
  if (link.type != H5L_TYPE_HARD)
    throw InputError(
        fmt::format("'{}' is a link to elsewhere; only data inside the file itself are read", name));
  return true;
}

bool is_plain_float(hid_t type) {
  return is_any_of(type, {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE});
}
bool is_plain_integer(hid_t type) {
  return is_any_of(type,
                   {H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U32BE, H5T_STD_U64BE,
                    H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_I8LE, H5T_STD_U8LE, H5T_STD_I16LE, H5T_STD_U16LE});
}

std::optional<std::vector<double>> numbers(hid_t object, const char* name) {
  return read_numbers<double>(object, name, H5T_NATIVE_DOUBLE);
}
std::optional<std::vector<std::int64_t>> integers(hid_t object, const char* name) {
  return read_numbers<std::int64_t>(object, name, H5T_NATIVE_INT64);
}
std::optional<double> number(hid_t object, const char* name) {
  const auto all = numbers(object, name);
  return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

std::optional<std::string> text(hid_t object, const char* name) {
  const auto a = open_attribute(object, name);
  if (!a || a->count != 1 || H5Tget_class(a->type) != H5T_STRING || H5Tis_variable_str(a->type) != 0)
    return std::nullopt;
  const std::size_t size = H5Tget_size(a->type);
  if (size == 0 || size > 256) return std::nullopt;
  std::string value(size, '\0');
  if (H5Aread(a->id, a->type, value.data()) < 0) return std::nullopt;
  value.resize(std::min(value.find('\0'), value.size()));
  return value;
}

void put(hid_t object, const char* name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5Screate(H5S_SCALAR), H5T_NATIVE_DOUBLE, &value);
}
void put(hid_t object, const char* name, std::int32_t value) {
  write_attribute(object, name, H5T_STD_I32LE, H5Screate(H5S_SCALAR), H5T_NATIVE_INT32, &value);
}
void put(hid_t object, const char* name, std::uint64_t value) {
  write_attribute(object, name, H5T_STD_U64LE, H5Screate(H5S_SCALAR), H5T_NATIVE_UINT64, &value);
}
void put(hid_t object, const char* name, std::span<const std::uint32_t> values) {
  write_attribute(object, name, H5T_STD_U32LE, row(values.size()), H5T_NATIVE_UINT32, values.data());
}
void put(hid_t object, const char* name, std::span<const double> values) {
  write_attribute(object, name, H5T_IEEE_F64LE, row(values.size()), H5T_NATIVE_DOUBLE, values.data());
}
void put(hid_t object, const char* name, const std::string& value) {
  const Object type{H5Tcopy(H5T_C_S1), H5Tclose};
  H5Tset_size(type, std::max<std::size_t>(1, value.size()));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  write_attribute(object, name, type, H5Screate(H5S_SCALAR), type, value.data());
}

}  // namespace pleiad::files::hdf5
