#include "live/recording.hpp"

#include <pleiad/error.hpp>

#include <cstdint>
#include <cstring>

namespace pleiad::live {
namespace {
constexpr std::string_view magic = "PLEIADREC1\n";
constexpr std::size_t head = 5;
}  // namespace

RecordWriter::RecordWriter(const std::filesystem::path& file)
    : out_(file, std::ios::binary | std::ios::trunc) {
  out_.write(magic.data(), static_cast<std::streamsize>(magic.size()));
  if (!out_.flush())
    throw ResourceError("'" + file.string() + "' cannot be written, the recording of the live view");
}

void RecordWriter::add(bool frame, std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  out_.put(frame ? 'f' : 't');
  out_.write(reinterpret_cast<const char*>(&size), sizeof size);
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

bool RecordReader::is_recording(std::string_view start) { return start.starts_with(magic); }

RecordReader::RecordReader(std::string_view bytes)
    : rest_(is_recording(bytes) ? bytes.substr(magic.size()) : std::string_view()) {}

std::optional<RecordEntry> RecordReader::next() {
  if (rest_.size() < head || (rest_[0] != 'f' && rest_[0] != 't')) return std::nullopt;
  std::uint32_t size = 0;
  std::memcpy(&size, rest_.data() + 1, sizeof size);
  if (rest_.size() - head < size) return std::nullopt;
  const RecordEntry entry{rest_[0] == 'f', rest_.substr(head, size)};
  rest_.remove_prefix(head + size);
  return entry;
}

}  // namespace pleiad::live
