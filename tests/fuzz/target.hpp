/// What the fuzz targets share: demands that end the process when they are not met, refusals of one line, and
/// a folder in memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

/// One input; a crash, an exception, a demand that is not met, and a hang are findings.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace pleiad::fuzz {

/// Ends the process, so that the driver keeps the input.
inline void require(bool met, const std::string& what) {
  if (met) return;
  std::fprintf(stderr, "not met: %s\n", what.c_str());
  std::abort();
}

/// Whether `action` was refused. Only an Error of one line is a refusal; every other exception is a finding.
template <class Action>
bool refused(Action action) {
  try {
    action();
    return false;
  } catch (const Error& e) {
    const std::string_view line = e.what();
    require(!line.empty() && line.find('\n') == line.npos, "a refusal of one line: " + std::string(line));
    return true;
  } catch (const std::exception& e) {
    require(false, std::string("an exception that is no Error: ") + e.what());
  }
  return true;
}

/// A folder of this process, which goes away with it.
class Folder : test::Folder {
 public:
  /// NAME in the folder, holding these bytes.
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    const auto file = path / name;
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    require(bool(out.flush()), "room for a temporary file");
    return file;
  }
  std::filesystem::path operator/(const std::string& name) const { return path / name; }
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace pleiad::fuzz
