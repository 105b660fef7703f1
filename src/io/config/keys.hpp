/// The one table of the configuration's keys: parsing, ranges, printing, --set and the reference file all
/// come from it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pleiad::config {

/// Location of a key's value in an Options; its alternative is the key's type.
using Slot = std::variant<std::string*, double*, int*, std::uint64_t*, bool*, std::vector<double>*,
                          std::vector<std::uint64_t>*, std::vector<std::string>*>;

/// Allowed values; of a list, for each element. Infinite bounds are no bounds; NaN and infinite values are
/// never allowed. A default is always allowed in a file, even if it means "must be set": check() then
/// requires a value.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
  bool minus_one = false;  ///< -1, which stands for "automatic", is allowed besides
  std::span<const std::string_view> (*choices)() = nullptr;  ///< the words that are allowed
  bool admits(double value) const;
};

/// One key. `unit` is "" for pure numbers and words.
struct Key {
  std::string_view section, name;
  Slot (*at)(Options&);
  Range range;
  std::string_view unit, meaning;
};

/// A table of TOML and its meaning.
struct Section {
  std::string_view name, meaning;
};

/// Tables in the order of the reference file; the keys of a section follow one another.
std::span<const Section> sections();
std::span<const Key> keys();
/// The former name of a key of the same section, which is still read.
struct FormerName {
  std::string_view section, former, name;
};
std::span<const FormerName> former_names();
/// The key of that name, present or former; null when there is none.
const Key* find(std::string_view section, std::string_view name);

/// "number", "whole number", "true or false", "text", "list of numbers", ...
std::string_view type_of(const Key& key);
/// ">= 0", "one of open, periodic", "-1 or >= 0", or "" for no limits.
std::string range_of(const Key& key);

/// The value in TOML syntax; numbers in the shortest form that reads back to the same bits.
std::string value_of(const Key& key, const Options& options);
/// The user's text in a form for messages of one line: control characters escaped, long texts cut.
std::string shown(std::string_view text);
/// A TOML string.
std::string toml_text(std::string_view text);

}  // namespace pleiad::config
