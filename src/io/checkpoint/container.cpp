/// Header, sections and trailer of the container, and the checks that detect every flipped bit and missing
/// byte.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/container.hpp"

#include "core/threads.hpp"
#include "io/durable/descriptor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

namespace pleiad::container {
namespace {

/// XXH3-128 in its canonical (big-endian) form, the one that xxhsum prints.
using Checksum = std::array<char, 16>;

class Hash {
 public:
  Hash() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }
  Hash& add(std::string_view bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
    return *this;
  }
  Checksum value() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
    return std::bit_cast<Checksum>(canonical);
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

Checksum checksum(std::string_view bytes) { return Hash().add(bytes).value(); }

std::string_view view(const Checksum& sum) { return {sum.data(), sum.size()}; }

template <class T>
std::string_view raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
T number(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Bytes that are handed over at a time: few enough that they are still in the cache when they are written,
/// after their checksum has been taken.
constexpr std::size_t piece_size = std::size_t{4} << 20;

/// Bytes on their way out, with the checksum of all of them behind. Small ones wait for each other.
class Pieces {
 public:
  explicit Pieces(const std::function<void(std::string_view)>& to) : to_(to) {}
  void add(std::string_view bytes) {
    for (; waiting_.size() + bytes.size() > piece_size;
         bytes.remove_prefix(std::min(piece_size, bytes.size()))) {
      hand_over(std::exchange(waiting_, {}));
      hand_over(bytes.substr(0, piece_size));
    }
    waiting_ += bytes;
  }
  void end() {
    hash_.add(waiting_);
    waiting_ += view(hash_.value());
    to_(waiting_);
  }

 private:
  void hand_over(std::string_view bytes) {
    if (bytes.empty()) return;
    hash_.add(bytes);
    to_(bytes);
  }
  const std::function<void(std::string_view)>& to_;
  Hash hash_;
  std::string waiting_;
};

std::size_t padding(std::size_t length) { return (8 - length % 8) % 8; }

/// Returns the error in the first 40 bytes of a file of `size` bytes, or "".
std::string header_fault(std::string_view header, std::uint64_t size) {
  if (size == 0) return "the file is empty";
  if (header.substr(0, magic.size()) != magic.substr(0, header.size()))
    return "this is not a Pleiad checkpoint";
  if (header.size() < header_size) return fmt::format("the file ends after {} bytes, in its header", size);
  if (view(checksum(header.substr(0, 24))) != header.substr(24, 16))
    return "it is damaged (checksum differs)";
  return "";
}

std::string length_fault(std::string_view header, std::uint64_t size) {
  const auto written = number<std::uint64_t>(header, 16);
  if (written == size) return "";
  return fmt::format("the file has {} bytes, {} were written: {}", size, written,
                     size < written ? "it is truncated" : "something was added");
}

}  // namespace

void Writer::section(std::string_view name, std::string_view payload) {
  if (name.empty() || name.size() > name_size)
    throw InputError(fmt::format("no section can be called '{}'", name));
  std::string head(name);
  head.resize(name_size, '\0');
  const std::uint64_t length = payload.size();
  head += raw(length);
  sections_.push_back({std::move(head), payload});
}

std::uint64_t Writer::size() const {
  std::uint64_t size = header_size + trailer_size;
  for (const auto& [head, payload] : sections_)
    size += section_header_size + payload.size() + padding(payload.size());
  return size;
}

void Writer::write(const std::function<void(std::string_view)>& to) const {
  std::vector<Checksum> sums(sections_.size());
  const auto sum_up = [&](std::size_t k) {
    sums[k] = Hash().add(sections_[k].head).add(sections_[k].payload).value();
  };
  if (size() > piece_size) parallel_for(sums.size(), sum_up);
  else
    for (std::size_t k = 0; k < sums.size(); ++k) sum_up(k);

  std::string header(magic);
  header += raw(format_version);
  header += raw(static_cast<std::uint32_t>(sections_.size()));
  header += raw(size());
  header += view(checksum(header));

  Pieces pieces(to);
  pieces.add(header);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const auto& [head, payload] = sections_[k];
    pieces.add(head), pieces.add(view(sums[k])), pieces.add(payload);
    pieces.add(std::string(padding(payload.size()), '\0'));
  }
  pieces.end();
}

Reader::Reader(std::string_view bytes, std::string_view origin) : bytes_(bytes), origin_(origin) {
  const auto header = bytes.substr(0, header_size);
  if (const auto fault = header_fault(header, bytes.size()); !fault.empty()) refuse("header", fault);
  const auto version = number<std::uint32_t>(header, 8);
  if (version != format_version)
    throw VersionError(
        fmt::format("{}: header: the file has format version {}, this program reads version {}", origin,
                    version, format_version),
        Error::Code::other_version);
  if (const auto fault = length_fault(header, bytes.size()); !fault.empty()) refuse("header", fault);
  if (bytes.size() < header_size + trailer_size) refuse("trailer", "it is missing");
  sections_left_ = number<std::uint32_t>(header, 12);
}

void Reader::refuse(std::string_view section, std::string_view why) const {
  throw InputError(fmt::format("{}: {}: {}", origin_, section, why), Error::Code::damaged_file);
}

std::string_view Reader::section(std::string_view name) {
  const std::string title = fmt::format("section '{}'", name);
  const std::size_t end = bytes_.size() - trailer_size;
  if (sections_left_ == 0 || end - at_ < section_header_size) refuse(title, "it is missing");
  const auto head = bytes_.substr(at_, name_size + 8);
  const auto sum = bytes_.substr(at_ + head.size(), sizeof(Checksum));
  const auto length = number<std::uint64_t>(head, name_size);
  const std::size_t left = end - at_ - section_header_size;
  if (length > left || padding(length) > left - length)
    refuse(title, fmt::format("its length of {} bytes goes beyond the end of the file", length));
  const auto payload = bytes_.substr(at_ + section_header_size, length);
  if (view(Hash().add(head).add(payload).value()) != sum) refuse(title, "it is damaged (checksum differs)");
  std::string expected(name);
  expected.resize(name_size, '\0');
  if (head.substr(0, name_size) != expected) refuse(title, "another section stands in its place");
  at_ += section_header_size + length;
  for (std::size_t k = padding(length); k > 0; --k)
    if (bytes_[at_++] != '\0') refuse(title, "the padding after it is not zero");
  --sections_left_;
  return payload;
}

void Reader::finish() {
  if (sections_left_ != 0 || at_ != bytes_.size() - trailer_size)
    refuse("trailer", "there are sections that this program does not know");
  if (view(checksum(bytes_.substr(0, at_))) != bytes_.substr(at_))
    refuse("trailer", "the checksum of the whole file differs");
}

bool is_whole(const std::filesystem::path& file) {
  const Descriptor in = open_file(file, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (!in || ::fstat(in.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < header_size + trailer_size) return false;
  std::string header(header_size, '\0');
  if (read_all(in.get(), header.data(), header_size) != ssize_t{header_size}) return false;
  if (!header_fault(header, size).empty() || !length_fault(header, size).empty()) return false;
  if (number<std::uint32_t>(header, 8) != format_version) return false;
  Hash hash;
  hash.add(header);
  std::vector<char> piece(std::size_t{1} << 20);
  for (std::uint64_t left = size - header_size - trailer_size; left > 0;) {
    const auto n = std::min<std::uint64_t>(left, piece.size());
    if (read_all(in.get(), piece.data(), n) != static_cast<ssize_t>(n)) return false;
    hash.add({piece.data(), n});
    left -= n;
  }
  Checksum written{};
  return read_all(in.get(), written.data(), written.size()) == ssize_t{trailer_size} &&
         written == hash.value();
}

}  // namespace pleiad::container
