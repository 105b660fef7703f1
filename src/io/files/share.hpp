/// One file of bodies that are in one process or divided among ranks: every rank makes the bytes of its own,
/// and the first one writes them, in pieces, in the order of the ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/durable.hpp"
#include "ranks/agree.hpp"
#include "ranks/self.hpp"

#include <pleiad/files.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace pleiad::files {

/// This process' share of the bodies of a file. All calls are collective.
class Share {
 public:
  /// All bodies of one process. `how`: placement of the file.
  explicit Share(std::size_t bodies, AtomicWrite how = {}) : bodies_(bodies), how_(std::move(how)) {}
  /// The bodies of one rank. `ranks` must outlive this.
  Share(std::size_t own, ranks::Communicator& ranks, AtomicWrite how = {});

  ranks::Communicator& comm() const { return *comm_; }
  /// Whether this process writes the file.
  bool writes() const { return comm_->rank() == 0; }
  /// Number of bodies on all ranks.
  std::size_t bodies() const { return bodies_; }
  /// The number of this rank's first body among them.
  std::size_t first() const { return first_; }
  const AtomicWrite& how() const { return how_; }
  /// Whether it is true on any rank.
  bool any(bool mine) const { return !ranks::all(*comm_, !mine); }
  /// Whether a name stands for what is written into, a device or a pipe; see replaceable().
  bool writes_through(const std::filesystem::path& file) const;

 private:
  ranks::Communicator* comm_ = &ranks::self();
  std::size_t bodies_ = 0, first_ = 0;
  AtomicWrite how_;
};

/// Rows of as many bytes each. `make` makes n of them from `first` on, in the memory from `to` on; it is
/// called in several threads.
struct Rows {
  std::size_t count = 0, bytes_each = 0;
  std::function<void(std::size_t first, std::size_t n, char* to)> make;
};

/// A file on its way. All calls are collective, and when a write has failed they throw on all ranks.
class SharedFile {
 public:
  /// `file`: null where it is not written.
  SharedFile(const Share& share, NewFile* file);
  /// Bytes that go to a file as one piece.
  SharedFile(const Share& share, std::string& image);

  /// Appends bytes of the writing rank; those of others are ignored.
  void append(std::string_view bytes);
  void append(const Rows& own);
  void append(const ranks::Pieces& own);
  void write_at(std::uint64_t offset, const Rows& own);

  const Share& share() const { return share_; }
  /// Null where it is not written.
  NewFile* file() const { return file_; }

 private:
  void write_at(std::uint64_t& offset, const ranks::Pieces& own);
  const Share& share_;
  NewFile* file_ = nullptr;
  std::function<void(std::uint64_t offset, std::string_view bytes)> put_;
  std::uint64_t end_ = 0;  ///< of all that was appended
};

/// The file is complete or absent; its bytes are the same for any number of ranks. Collective: an error is
/// thrown on all ranks. With several, `file` must be one that can be replaced. `last_check` is called where
/// it is written, when all of it is on the disk and nothing has its name yet: see AtomicWrite.
void write_shared(const std::filesystem::path& file, const Share& share,
                  const std::function<void(SharedFile&)>& fill, const std::function<void()>& last_check = {});

}  // namespace pleiad::files

namespace pleiad {

/// See write_snapshot: of several ranks, each with its own bodies, the same bytes as of one process with all
/// of them. Collective: an error is thrown on all ranks.
void write_snapshot(const std::filesystem::path& file, Snapshot&& own, const WriteOptions& options,
                    ranks::Communicator& ranks, const AtomicWrite& how = {});
/// Writes the bodies of one process, placed as in `how`.
void write_snapshot(const std::filesystem::path& file, Snapshot&& snapshot, const WriteOptions& options,
                    const AtomicWrite& how);
/// See usual_units: for the bodies of all ranks. Collective.
std::optional<Units> usual_units(const Format& format, const Snapshot& own, ranks::Communicator& ranks);
/// See need_writable: of the bodies of all ranks. Collective.
void need_writable(const Snapshot& own, const WriteOptions& options, ranks::Communicator& ranks);
/// See automatic_box_size: of the bodies of all ranks. Collective.
double automatic_box_size(const Snapshot& own, const std::optional<Units>& units, ranks::Communicator& ranks);

}  // namespace pleiad
