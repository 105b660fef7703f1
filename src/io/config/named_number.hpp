/// Texts "NAME=NUMBER" in lists, such as the radii of bodies and the softenings of types.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pleiad::config {

/// What such a text is, for messages: "encounters.radii", "ID=RADIUS", "radius", "0=0.00465".
struct NamedForm {
  std::string_view key, form, number, example;
};
struct NamedNumber {
  std::string_view name;
  double number = 0;
};

/// UsageError for a text without a name, or whose number is not finite and >= 0.
NamedNumber named_number(std::string_view text, const NamedForm& form);

}  // namespace pleiad::config
