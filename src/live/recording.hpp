/// A recording of a live view: the texts and frames that a browser was sent, one after the other.
///
/// It begins with "PLEIADREC1\n". Each entry is a byte, 't' for a text and 'f' for a frame, its length in 4
/// bytes, little-endian, and its bytes. A recording that was cut off can be read up to there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::live {

class RecordWriter {
 public:
  /// An empty recording; a file of this name is replaced. ResourceError when it cannot be written.
  explicit RecordWriter(const std::filesystem::path& file);
  /// What cannot be written ends the recording, and nothing else.
  void add(bool frame, std::string_view bytes);

 private:
  std::ofstream out_;
};

struct RecordEntry {
  bool frame = false;
  std::string_view bytes;
};

/// Reads the entries of a recording one after the other.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes);
  static bool is_recording(std::string_view start);
  /// None at the end, or where the rest is cut off.
  std::optional<RecordEntry> next();

 private:
  std::string_view rest_;
};

}  // namespace pleiad::live
