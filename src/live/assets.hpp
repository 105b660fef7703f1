/// The files of the page, compiled into the program: no request reaches the file system.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace pleiad::live {

struct Asset {
  std::string_view path;  ///< "/view.js"
  std::string_view type;  ///< its MIME type
  std::string_view bytes;
};

/// All files of src/live/page, and index.html as "/" too.
std::span<const Asset> assets();

}  // namespace pleiad::live
