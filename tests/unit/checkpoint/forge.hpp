/// A forger's tools: checkpoints that were changed and whose checksums are right nevertheless.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <xxhash.h>

namespace pleiad::test {

inline std::string sum(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return {reinterpret_cast<const char*>(canonical.digest), 16};
}

/// Makes the checksums right again after the header or one section (`at`: its start) was changed.
inline void repair(std::string& bytes, std::size_t at = 0) {
  if (at > 0) {
    std::uint64_t length = 0;
    std::memcpy(&length, &bytes[at + 24], 8);
    bytes.replace(at + 32, 16, sum(bytes.substr(at, 32) + bytes.substr(at + 48, length)));
  }
  bytes.replace(24, 16, sum(bytes.substr(0, 24)));
  bytes.replace(bytes.size() - 16, 16, sum(bytes.substr(0, bytes.size() - 16)));
}

inline std::size_t section_at(const std::string& bytes, std::string name) {
  name.resize(24, '\0');
  return bytes.find(name);
}

/// A number of T's size at a byte.
template <class T>
void put_at(std::string& bytes, std::size_t at, T value) {
  std::memcpy(&bytes[at], &value, sizeof value);
}

}  // namespace pleiad::test
