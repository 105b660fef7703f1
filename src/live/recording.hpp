/// A recording of a live view: the texts and frames that a browser was sent, one after the other.
///
/// It begins with "PLEIADREC1\n". Each entry is a byte, 't' for a text and 'f' for a frame, its length in 4
/// bytes, little-endian, and its bytes. A recording that was cut off can be read up to there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::live {

/// Throws for files that a recording must not replace, without changing anything: UsageError for a file that
/// is no recording, or in the directory of a run; ResourceError for a file that cannot be written.
void need_recordable(const std::filesystem::path& file);

class RecordWriter {
 public:
  /// An empty recording; one of this name is replaced by a new file. Errors as need_recordable; a FIFO waits
  /// ten seconds for a reader.
  explicit RecordWriter(const std::filesystem::path& file);
  /// Adds an entry. If it cannot be written, the recording ends before it; there is no other effect.
  void add(bool frame, std::string_view bytes);
  /// Why the recording has ended before the view did; "" when it has not.
  const std::string& fault() const { return fault_; }

 private:
  Descriptor out_;
  std::filesystem::path file_;
  std::uint64_t written_ = 0;  ///< bytes of whole entries
  std::string fault_;
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
