/// Checkpoints: the bytes as they are, then with checksums made right, so that what lies behind them is
/// reached.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/container.hpp"
#include "target.hpp"

#include <pleiad/checkpoint.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <xxhash.h>

using namespace pleiad;
using namespace pleiad::fuzz;

namespace {

constexpr std::array<std::string_view, 21> sections{
    "run",         "config",    "code_version", "precision", "kernel",    "simd_target", "appended_files",
    "extra",       "bodies.x",  "bodies.y",     "bodies.z",  "bodies.vx", "bodies.vy",   "bodies.vz",
    "bodies.mass", "bodies.id", "bodies.type",  "field.ax",  "field.ay",  "field.az",    "field.potential"};

std::string sum(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return {reinterpret_cast<const char*>(canonical.digest), 16};
}

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// All checksums right, lengths and names as they are.
std::string with_right_checksums(std::string bytes) {
  using namespace container;
  if (bytes.size() < header_size + trailer_size) return bytes;
  for (std::size_t at = header_size; at + section_header_size <= bytes.size() - trailer_size;) {
    const auto length = number_at(bytes, at + name_size);
    if (length > bytes.size() - at - section_header_size) break;
    const auto head = bytes.substr(at, name_size + 8);
    bytes.replace(at + name_size + 8, 16, sum(head + bytes.substr(at + section_header_size, length)));
    at += section_header_size + length + (8 - length % 8) % 8;
  }
  const std::uint64_t size = bytes.size();
  std::memcpy(&bytes[16], &size, sizeof size);
  bytes.replace(24, 16, sum(std::string_view(bytes).substr(0, 24)));
  bytes.replace(size - trailer_size, trailer_size,
                sum(std::string_view(bytes).substr(0, size - trailer_size)));
  return bytes;
}

/// A sound container of the payloads that stand behind the names of the sections, wherever these are.
std::string rebuilt(const std::string& bytes) {
  using namespace container;
  Writer writer;
  std::size_t at = 0;
  const auto find = [&](std::string_view name, std::size_t from) {
    std::string title(name);
    title.resize(name_size, '\0');
    return bytes.find(title, from);
  };
  for (std::size_t k = 0; k < sections.size(); ++k) {
    const std::size_t here = find(sections[k], at);
    if (here == bytes.npos || bytes.size() - here < section_header_size) {
      writer.section(sections[k], "");
      continue;
    }
    at = here + section_header_size;
    std::size_t end = k + 1 < sections.size() ? find(sections[k + 1], at) : bytes.npos;
    if (end == bytes.npos) end = std::max(at, bytes.size() - std::min(bytes.size(), trailer_size));
    const auto length = number_at(bytes, here + name_size);
    writer.section(sections[k],
                   std::string_view(bytes).substr(at, std::min<std::uint64_t>(length, end - at)));
  }
  std::string whole;
  writer.write([&](std::string_view piece) { whole += piece; });
  return whole;
}

/// What was accepted is written as bytes that mean the same.
void check_bytes(std::string_view bytes) {
  Checkpoint checkpoint;
  if (refused([&] { checkpoint = decode(bytes, "fuzz.pleiad"); })) return;
  std::string written;
  require(!refused([&] { written = encode(checkpoint); }), "what was read can be written");
  Checkpoint again;
  require(!refused([&] { again = decode(written, "again.pleiad"); }), "what was written can be read");
  require(encode(again) == written, "the same bytes when it is written again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(text_of(data, size));
  check_bytes(bytes);
  check_bytes(with_right_checksums(bytes));
  check_bytes(rebuilt(bytes));
  return 0;
}
