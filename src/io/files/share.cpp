#include "io/files/share.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <vector>

namespace pleiad::files {
namespace {

/// Pieces of several MiB: still in the cache when they are written.
ranks::Pieces pieces_of(const Rows& rows, std::vector<char>& room) {
  constexpr std::size_t most = std::size_t{8} << 20, block = std::size_t{1} << 13;
  const std::size_t at_a_time = most / rows.bytes_each;
  room.resize(std::min(rows.count, at_a_time) * rows.bytes_each);
  return {(rows.count + at_a_time - 1) / at_a_time, [&rows, &room, at_a_time](std::size_t k) {
            const std::size_t first = k * at_a_time, n = std::min(at_a_time, rows.count - first);
            for_blocks(
                n,
                [&](std::size_t begin, std::size_t end) {
                  rows.make(first + begin, end - begin, room.data() + begin * rows.bytes_each);
                },
                block);
            return std::string_view(room.data(), n * rows.bytes_each);
          }};
}

}  // namespace

Share::Share(std::size_t own, ranks::Communicator& ranks, AtomicWrite how)
    : comm_(&ranks), how_(std::move(how)) {
  const auto all = all_gather(ranks, std::uint64_t{own});
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (r < static_cast<std::size_t>(ranks.rank())) first_ += all[r];
    bodies_ += all[r];
  }
}

SharedFile::SharedFile(const Share& share, NewFile* file)
    : share_(share),
      file_(file),
      put_([file](std::uint64_t offset, std::string_view bytes) { file->write_at(offset, bytes); }) {}

SharedFile::SharedFile(const Share& share, std::string& image)
    : share_(share), put_([&image](std::uint64_t offset, std::string_view bytes) {
        if (image.size() < offset + bytes.size()) image.resize(offset + bytes.size());
        bytes.copy(&image[offset], bytes.size());
      }) {}

void SharedFile::write_at(std::uint64_t& offset, const ranks::Pieces& own) {
  ranks::agree(share_.comm(), [&] {
    ranks::gather_in_chunks(share_.comm(), own, [&](std::string_view piece) {
      put_(offset, piece);
      offset += piece.size();
    });
  });
}

void SharedFile::append(std::string_view bytes) {
  append({share_.writes() ? 1U : 0U, [bytes](std::size_t) { return bytes; }});
}

void SharedFile::append(const ranks::Pieces& own) { write_at(end_, own); }

void SharedFile::append(const Rows& own) {
  std::vector<char> room;
  write_at(end_, pieces_of(own, room));
}

void SharedFile::write_at(std::uint64_t offset, const Rows& own) {
  std::vector<char> room;
  write_at(offset, pieces_of(own, room));
}

bool Share::writes_through(const std::filesystem::path& file) const {
  return !how_.folder && replaceable(file).empty();
}

void write_shared(const std::filesystem::path& file, const Share& share,
                  const std::function<void(SharedFile&)>& fill, const std::function<void()>& last_check) {
  if (share.comm().ranks() == 1 && share.writes_through(file)) {
    std::string image;
    SharedFile all(share, image);
    fill(all);
    return write_file_atomically(file, image);
  }
  const auto go_on = [&] { ranks::agree(share.comm(), [] {}); };
  if (!share.writes()) {
    SharedFile none(share, nullptr);
    go_on();
    fill(none);
    return go_on();
  }
  // Failures before and after `fill` are sent to the others; within it all ranks fail alike.
  bool begun = false, filled = false;
  AtomicWrite how = share.how();
  how.last_check = last_check;
  try {
    write_file_atomically(
        file,
        [&](NewFile& out) {
          begun = true;
          SharedFile all(share, &out);
          go_on();
          fill(all);
          filled = true;
        },
        how);
  } catch (...) {
    if (begun == filled) ranks::agree(share.comm(), [] { throw; });
    throw;
  }
  go_on();
}

}  // namespace pleiad::files
