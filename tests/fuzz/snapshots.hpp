/// What must hold for every snapshot that a reader accepted.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "target.hpp"

#include <pleiad/files.hpp>

namespace pleiad::fuzz {

/// Reads the file, and a part of its bodies. When it is accepted and its bodies are valid, writes it in every
/// format: what was written must be read, whole; bit for bit where losses() names nothing, and when it is
/// written in that format once more.
void check_file(const Folder& folder, const std::filesystem::path& file);

}  // namespace pleiad::fuzz
