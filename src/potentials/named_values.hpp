/// The grammar that potentials and added forces share: "KIND name=value ...".
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// How messages name what a text describes.
struct Described {
  std::string_view what;     ///< "potential"
  std::string_view example;  ///< a whole text
  std::string_view its;      ///< before the meaning of a parameter that is missing
};

/// The names of kinds, or of parameters.
template <class Each>
std::vector<std::string_view> names_of(const Each& all) {
  std::vector<std::string_view> names;
  for (const auto& each : all) names.push_back(each.name);
  return names;
}

/// The words of one text. What it refuses it refuses as UsageError, with the nearest name where one is not
/// known.
class NamedValues {
 public:
  /// Refuses a text without words. `text` outlives the object.
  NamedValues(const Described& described, std::string_view text);

  /// The place of the kind among these.
  std::size_t kind_among(std::span<const std::string_view> kinds);
  /// Takes all values. The place of a name among these is its slot. Refuses words of another form, other
  /// names, and a name that is given twice.
  void take(std::span<const std::string_view> names);

  const std::optional<std::string_view>& text(std::size_t slot) const { return values_[slot]; }
  /// Refuses what is not a finite number; empty if it is not given.
  std::optional<double> number(std::size_t slot) const;
  /// The value of a parameter, by default `known`, else its own default. Refuses a missing one, and one that
  /// is out of range.
  double parameter(std::size_t slot, const PotentialParameter& p, std::optional<double> known) const;
  /// Throws "WHAT 'KIND'" and this.
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  Described described_;
  std::vector<std::string_view> words_;  ///< the first one is the kind
  std::vector<std::string_view> names_;
  std::vector<std::optional<std::string_view>> values_;
};

}  // namespace pleiad
