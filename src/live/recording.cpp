#include "live/recording.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "io/durable/run_folder.hpp"
#include "io/durable/target.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::live {
namespace {
constexpr std::string_view magic = "PLEIADREC1\n";
constexpr std::size_t head = 5;

/// The first bytes of a regular file; as many as a recording begins with.
std::string start_of(const std::filesystem::path& file) {
  const Descriptor in = open_file(file, O_RDONLY | O_NONBLOCK);
  if (!in) fail(file, "open");
  std::string start(magic.size(), '\0');
  const ssize_t n = read_all(in.get(), start.data(), start.size());
  if (n < 0) fail(file, "read");
  start.resize(static_cast<std::size_t>(n));
  return start;
}

}  // namespace

void need_recordable(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("the recording '{}' {}; name another file", file.string(), why));
  };
  const Target target = target_of(file);
  if (target.through) return;
  if (const auto run = run_above(target.file))
    refuse(fmt::format("would lie in the directory of a run, '{}'", run->string()));
  need_folder_of(target.file);
  if (!path_exists(target.file)) return;
  const auto start = start_of(target.file);
  if (!start.empty() && !RecordReader::is_recording(start))
    refuse("would replace a file that is no recording");
}

RecordWriter::RecordWriter(const std::filesystem::path& file) : file_(file) {
  need_recordable(file);
  const Target target = target_of(file);
  out_ = target.through ? opened_through(target) : replaced(target.file, magic);
  if (target.through) {
    std::string_view rest = magic;
    write_all(out_.get(), rest, file_);
  }
  written_ = magic.size();
}

void RecordWriter::add(bool frame, std::string_view bytes) {
  if (!fault_.empty()) return;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string entry(1, frame ? 'f' : 't');
  entry.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  std::string_view rest = entry;
  try {
    write_all(out_.get(), rest, file_);
    written_ += entry.size();
  } catch (const ResourceError& e) {
    fault_ = e.what();
    // Up to the last whole entry; of a pipe nothing can be taken back.
    if (::ftruncate(out_.get(), static_cast<off_t>(written_)) != 0) errno = 0;
  }
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
