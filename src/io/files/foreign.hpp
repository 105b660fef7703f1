/// What a file that is no snapshot is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pleiad::files {

/// What a file is that begins so, and what to do with it, for the end of a sentence; "" when it is not known.
std::string foreign(const std::filesystem::path& file, std::string_view start);

}  // namespace pleiad::files
