/// JSON as text, for files and standard output.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad {

/// `json` (of nlohmann) as text, `indent` blanks a level, on one line when negative. Bytes that are not UTF-8
/// (the name of a file may hold any) become U+FFFD; `dump` alone throws.
template <class Json>
std::string json_text(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pleiad
