/// The container: named sections of bytes, each covered by at least two checksums. docs/checkpoint-format.md
/// has the layout.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::container {

static_assert(std::endian::native == std::endian::little,
              "the container's numbers are copied as they lie in memory");

inline constexpr std::string_view magic{"\x89PLEIAD\n", 8};
inline constexpr std::uint32_t format_version = 1;
inline constexpr std::size_t header_size = 40, name_size = 24, section_header_size = 48, trailer_size = 16;

/// A whole file of another format version: not damage, and no reason to fall back to an older generation.
struct VersionError : InputError {
  using InputError::InputError;
};

class Writer {
 public:
  /// Names have 1 to 24 characters. The payload is not copied, and must outlive this.
  void section(std::string_view name, std::string_view payload);
  /// Bytes of the container.
  std::uint64_t size() const;
  /// Hands it over in pieces, in their order: large ones, so that each can be written by one call.
  void write(const std::function<void(std::string_view)>& to) const;

 private:
  struct Section {
    std::string head;  ///< name and length
    std::string_view payload;
  };
  std::vector<Section> sections_;
};

/// Gives the sections in the order in which they were written; InputError naming origin and section for
/// anything not as written.
class Reader {
 public:
  Reader(std::string_view bytes, std::string_view origin);
  /// The payload of the next section, which must be called `name`.
  std::string_view section(std::string_view name);
  /// That was the last section, and the whole-file checksum is right.
  void finish();
  [[noreturn]] void refuse(std::string_view section, std::string_view why) const;

 private:
  std::string_view bytes_;
  std::string origin_;
  std::size_t at_ = header_size;
  std::uint32_t sections_left_ = 0;
};

/// Whether the file is a container of this version whose whole-file checksum is right; reads it in pieces.
bool is_whole(const std::filesystem::path& file);

}  // namespace pleiad::container
