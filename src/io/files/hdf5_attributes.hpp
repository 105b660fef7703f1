/// Attributes that are read or refused: a missing one gives nothing; one that cannot be read as required
/// gives an error with its name and its type, never a default.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/hdf5_column.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pleiad::files::hdf5 {

/// The attributes of a group or dataset. Integers and floats of any width count as numbers, and so do
/// enumerations (h5py writes truth values so); texts may have fixed or variable length, as h5py writes them.
class Attributes {
 public:
  /// Attributes of a group of the file, which may be missing.
  Attributes(const Hdf5File& f, const char* group);
  /// Attributes of an open object, which must stay open.
  Attributes(const Hdf5File& f, hid_t object, std::string path);

  /// 1 to 64 numbers.
  std::optional<std::vector<double>> numbers(const char* name) const;
  std::optional<std::vector<std::int64_t>> wholes(const char* name) const;
  std::optional<double> number(const char* name) const;
  std::optional<std::int64_t> whole(const char* name) const;
  /// 1 or 0.
  std::optional<bool> flag(const char* name) const;
  /// One text, at most 256 characters.
  std::optional<std::string> word(const char* name) const;

  /// "/Header/Time".
  std::string path_of(const char* name) const { return path_ + "/" + name; }
  /// InputError: "'FILE': /Header/Time is IS; it must be SHOULD".
  [[noreturn]] void refuse(const char* name, const std::string& is, const std::string& should) const;

 private:
  struct Found;
  std::optional<Found> find(const char* name) const;
  [[noreturn]] void refuse(const char* name, const Found& found, const std::string& should) const;
  Found need_numbers(const char* name, Found found, const std::string& should) const;
  void record(const char* name, const std::string& value) const;

  const Hdf5File& f_;
  Object own_;
  hid_t object_ = H5I_INVALID_HID;
  std::string path_;
};

/// Names under which programs state one thing.
using Names = std::initializer_list<std::pair<const Attributes*, const char*>>;
/// Value of these attributes, each a number in the range that `fits` accepts; InputError if two of them
/// differ.
std::optional<double> number_of(Names names, const std::function<bool(double)>& fits,
                                const std::string& should);
/// Value of attributes that are 1 or 0.
std::optional<bool> flag_of(Names names);

bool positive(double v);
/// Finite, and 0 or more.
bool not_negative(double v);

/// A text of a file as a part of a message: in one line, and not longer than is useful.
std::string in_quotes(const std::string& text);

}  // namespace pleiad::files::hdf5
