/// Errors that parsing and checking share.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/keys.hpp"

#include <string>
#include <string_view>

namespace pleiad::config {

/// Throws UsageError "<where><section>.<name> must be <range>, not <value>".
[[noreturn]] void refuse_value(const Key& key, std::string_view value, std::string_view where);
/// Throws UsageError if a value is outside the key's range or breaks its text rules, unless it is the
/// default.
void check_value(const Key& key, const Options& options, std::string_view where);

}  // namespace pleiad::config
