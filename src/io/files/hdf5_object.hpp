/// HDF5 identifiers that close themselves, and the few checked operations on them that snapshots need.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include <hdf5.h>

namespace pleiad::files::hdf5 {

/// Owns an identifier and the function that closes it.
class Object {
 public:
  Object() = default;
  Object(hid_t id, herr_t (*how)(hid_t)) : id_(id), close_(how) {}
  Object(Object&& o) noexcept : id_(std::exchange(o.id_, H5I_INVALID_HID)), close_(o.close_) {}
  Object& operator=(Object&& o) noexcept {
    std::swap(id_, o.id_), std::swap(close_, o.close_);
    return *this;
  }
  ~Object() { close(); }
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// False if closing failed: data may not have been written to the file.
  bool close() { return id_ < 0 || close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

/// The serial library allows one thread at a time: hold this lock while using it. The first call initialises
/// it: no handler at exit (after a failed close it crashes), no messages of its own, no plug-ins loaded
/// because a file requests them.
std::unique_lock<std::mutex> session();
/// The innermost reason of the last failure.
std::string last_error();

/// A float or whole number of at most 64 bits, of any width and in either byte order: HDF5 converts it.
bool is_plain_float(hid_t type);
bool is_plain_integer(hid_t type);

/// Writing throws ResourceError.
void put(hid_t object, const char* attribute, double value);
void put(hid_t object, const char* attribute, std::int32_t value);
void put(hid_t object, const char* attribute, std::uint64_t value);
void put(hid_t object, const char* attribute, std::span<const std::uint32_t> values);
void put(hid_t object, const char* attribute, std::span<const double> values);
/// Fixed-length ASCII: yt fails on strings of variable length.
void put(hid_t object, const char* attribute, const std::string& value);

}  // namespace pleiad::files::hdf5
