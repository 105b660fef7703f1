/// Two generations of checkpoints in a directory: at every instant at least one of them is complete.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/generations.hpp"

#include "io/checkpoint/sections.hpp"
#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <cerrno>
#include <new>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

fs::path newest(const fs::path& directory) { return directory / "checkpoint.pleiad"; }
fs::path previous(const fs::path& directory) { return directory / "checkpoint.prev.pleiad"; }

bool absent(const fs::path& file) {
  std::error_code error;
  return fs::symlink_status(file, error).type() == fs::file_type::not_found;
}

Checkpoint load(const fs::path& file) { return decode(read_file(file), file.string()); }

}  // namespace

namespace {

void save_generation(const fs::path& directory, const Checkpoint& checkpoint, AtomicWrite how) {
  const fs::path file = newest(directory);
  // Keeping a damaged file as the previous generation would throw away the whole one that lies there.
  if (container::is_whole(file)) how.previous_kept_as = previous(directory);
  // In pieces: there is no room for a copy of many bodies.
  const auto fill = [&](NewFile& out) {
    with_sections(checkpoint, [&](const container::Writer& writer) {
      writer.write([&](std::string_view piece) { out.append(piece); });
    });
  };
  try {
    write_file_atomically(file, fill, how);
  } catch (const std::bad_alloc&) {
    throw ResourceError(fmt::format("cannot write '{}': not enough memory", file.string()),
                        Error::Code::out_of_memory);
  }
}

}  // namespace

void save_checkpoint(const fs::path& directory, const Checkpoint& checkpoint,
                     const std::function<void()>& last_check) {
  AtomicWrite how;
  how.last_check = last_check;
  save_generation(directory, checkpoint, how);
}

void save_checkpoint(const std::shared_ptr<const OpenFolder>& folder, const Checkpoint& checkpoint,
                     const std::function<void()>& last_check) {
  AtomicWrite how;
  how.last_check = last_check, how.folder = folder;
  save_generation(folder->path(), checkpoint, how);
}

LoadedCheckpoint load_checkpoint(const fs::path& directory) {
  const fs::path file = newest(directory), older = previous(directory);
  if (absent(file) && absent(older))
    throw InputError(
        fmt::format("there is no checkpoint in '{}': neither checkpoint.pleiad nor checkpoint.prev.pleiad",
                    directory.string()),
        Error::Code::missing_checkpoint);
  std::string fault;
  try {
    return {load(file), file, ""};
  } catch (const container::VersionError&) {
    throw;
  } catch (const InputError& error) {
    fault = error.what();
  }
  try {
    Checkpoint checkpoint = load(older);
    std::string warning = fmt::format("{}; continuing from the previous checkpoint '{}' (step {})", fault,
                                      older.string(), checkpoint.snapshot.step);
    return {std::move(checkpoint), older, std::move(warning)};
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("no checkpoint in '{}' is whole: {}; {}", directory.string(), fault, error.what()));
  }
}

void remove_checkpoints(const fs::path& directory) {
  for (const auto& file : {newest(directory), previous(directory)})
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) fail(file, "remove");
}

}  // namespace pleiad
