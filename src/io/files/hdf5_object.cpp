/// The checked operations on HDF5 objects.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5_object.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::files::hdf5 {
namespace {

herr_t keep_reason(unsigned, const H5E_error2_t* error, void* reason) {
  auto& text = *static_cast<std::string*>(reason);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

void write_attribute(hid_t object, const char* name, hid_t file_type, hid_t space, hid_t memory_type,
                     const void* value) {
  const Object owned_space{space, H5Sclose};
  const Object a{H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  if (!a.valid() || H5Awrite(a, memory_type, value) < 0)
    throw ResourceError(fmt::format("cannot write the attribute '{}': {}", name, last_error()),
                        Error::Code::cannot_write);
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

namespace {

constexpr std::size_t widest = 8;
bool is_narrow(hid_t type, H5T_class_t kind) {
  return H5Tget_class(type) == kind && H5Tget_size(type) >= 1 && H5Tget_size(type) <= widest;
}

}  // namespace

bool is_plain_float(hid_t type) { return is_narrow(type, H5T_FLOAT); }
bool is_plain_integer(hid_t type) { return is_narrow(type, H5T_INTEGER); }

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
