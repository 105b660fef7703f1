#include "run/directory.hpp"

#include "io/durable/paths.hpp"
#include "run/aside.hpp"
#include "run/names.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Whether some run is there, also one of a version that kept no manifest.
bool holds_a_run(const fs::path& directory, const Manifest& manifest) {
  return !manifest.empty() || has_entry(directory / "checkpoint.pleiad");
}

[[noreturn]] void in_the_way(const fs::path& file, const std::string& why) {
  throw UsageError(
      fmt::format("'{}' is in the way and is no file of a run ({}): move it, or choose another --output",
                  file.string(), why));
}

/// That of an earlier run. UsageError where something else has its name.
Manifest earlier_manifest(const fs::path& directory) {
  const fs::path file = directory / Manifest::name;
  std::error_code unknown;
  const auto kind = fs::symlink_status(file, unknown).type();
  if (kind == fs::file_type::not_found) return {};
  if (kind != fs::file_type::regular) in_the_way(file, "it is no regular file");
  if (!Manifest::is_signed(read_file(file)))
    in_the_way(file, fmt::format("its first line does not begin with '{}'", manifest_signature));
  return Manifest::read(directory);
}

/// Throws the errors of claim() for an existing directory; else returns the manifest of an earlier run.
Manifest need_free(const OpenFolder& folder, bool overwrite, const Claims& claims) {
  const fs::path& directory = folder.path();
  auto manifest = earlier_manifest(directory);
  if (!overwrite && holds_a_run(directory, manifest))
    throw UsageError(
        fmt::format("'{}' already holds a run; continue it with --resume, replace it with --overwrite, or "
                    "choose another --output",
                    directory.string()));
  if (const auto others = strangers_in(directory, manifest); !others.empty())
    in_the_way(directory / others.front(),
               fmt::format("the directory's {} does not name it", Manifest::name));
  for (const auto& [file, time] : manifest.files())
    if (const auto input = claims.read_as(directory / file); !input.empty())
      throw UsageError(fmt::format(
          "the initial conditions or configuration '{}' is a file of the run that would be replaced: "
          "choose another --output, or copy the file",
          input));
  need_movable(folder, manifest);
  return manifest;
}

/// Without a slash at its end.
fs::path plain(const fs::path& path) {
  const auto absolute = absolute_path(path);
  return !absolute.has_filename() && absolute.has_relative_path() ? absolute.parent_path() : absolute;
}

/// A directory that is there and fit for a run, or one that can be made.
void need_usable(const fs::path& directory) {
  if (has_entry(directory)) return DirectoryLock::need_usable(directory);
  fs::path above = directory;
  while (!has_entry(above)) above = above.parent_path();
  if (!is_folder(above))
    throw ResourceError(fmt::format("cannot make the directory '{}': '{}' is not a directory",
                                    directory.string(), above.string()),
                        Error::Code::cannot_write);
  if (::access(above.c_str(), W_OK | X_OK) != 0)
    throw ResourceError(fmt::format("cannot make the directory '{}': '{}' cannot be written ({})",
                                    directory.string(), above.string(), std::strerror(errno)),
                        Error::Code::cannot_write);
}

/// Makes a folder and those above it; the new ones are added to `made`.
void make_and_note(const fs::path& folder, Paths& made) {
  need_usable(folder);
  Paths missing;
  for (fs::path at = folder; !has_entry(at); at = at.parent_path()) missing.push_back(at);
  for (auto each = missing.rbegin(); each != missing.rend(); ++each) {
    std::error_code failed;
    if (fs::create_directory(*each, failed)) made.push_back(*each);
    if (failed)
      throw ResourceError(fmt::format("cannot make the folder '{}': {}", each->string(), failed.message()),
                          Error::Code::cannot_write);
  }
}

}  // namespace

RunDirectory RunDirectory::claim(const fs::path& directory, bool overwrite, const Claims& claims) {
  RunDirectory claimed(plain(directory));
  const fs::path& path = claimed.path_;
  make_and_note(path, claimed.made_);
  claimed.lock();
  recover(*claimed.top_);
  const auto old = need_free(*claimed.top_, overwrite, claims);
  if (!old.empty()) {
    remove_temporaries(path);
    set_aside(*claimed.top_, old);
    claimed.replaces_ = true;
  }
  claimed.begun_ = true;
  claimed.manifest_.open(claimed.top_);
  return claimed;
}

RunDirectory RunDirectory::reopen(const fs::path& directory) {
  RunDirectory claimed(plain(directory));
  const fs::path& path = claimed.path_;
  claimed.lock();
  claimed.kept_ = true;
  recover(*claimed.top_);
  remove_temporaries(path);
  const bool lost = !claimed.top_->has(std::string(Manifest::name));
  claimed.manifest_ = Manifest::read(path);
  claimed.manifest_.open(claimed.top_);
  // In a run whose manifest was lost, files with its names are its own, at unknown times.
  for (const auto& file : strangers_in(path, claimed.manifest_))
    lost ? claimed.manifest_.add(file) : claimed.manifest_.avoid(file);
  for (const auto& [file, time] : claimed.manifest_.files()) claimed.own_.insert(file);
  return claimed;
}

void RunDirectory::lock() {
  lock_ = std::make_unique<DirectoryLock>(path_);
  top_ = std::make_shared<const OpenFolder>(path_);
  need_same();
}

bool RunDirectory::holds_run(const fs::path& directory) {
  const fs::path path = plain(directory);
  return is_folder(path) && holds_a_run(path, earlier_manifest(path));
}

void RunDirectory::need_claimable(const fs::path& directory, bool overwrite, const Claims& claims) {
  const fs::path path = plain(directory);
  need_usable(path);
  if (has_entry(path)) need_free(OpenFolder(path), overwrite, claims);
}

bool RunDirectory::was_being_replaced(const fs::path& directory) { return is_aside(directory); }

RunDirectory::~RunDirectory() {
  if (kept_ || !top_) return;
  try {
    need_same();
    lock_->remove_at_end();
    if (begun_) remove_listed(*top_, manifest_);
    put_back(*top_);
  } catch (const std::exception&) {
    // The next run in this directory finds the files that are set aside, and puts them back.
  }
  lock_.reset();
  std::for_each(made_.rbegin(), made_.rend(), [](const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(folder, ignored))) fs::remove(folder, ignored);
  });
}

/// Not through a link; of `file` the folder is the run's own.
void RunDirectory::need_new(const std::string& file) const {
  const fs::path name(file);
  if (folder_of(name)->has(name.filename()))
    throw ResourceError(
        fmt::format("'{}' is in the way and is no file of this run: move it", (path_ / name).string()),
        Error::Code::cannot_write);
}

std::shared_ptr<const OpenFolder> RunDirectory::folder_of(const fs::path& name) const {
  if (!name.has_parent_path()) return top_;
  const auto found = folders_.find(name.parent_path().string());
  if (found == folders_.end())
    throw ResourceError(fmt::format("the folder of '{}' is not that of this run", (path_ / name).string()),
                        Error::Code::cannot_write);
  return found->second;
}

fs::path RunDirectory::file(const std::string& name) {
  need_same();
  if (!manifest_.has(name)) {
    need_new(name);
    manifest_.add(name);
  }
  return path_ / name;
}

fs::path RunDirectory::numbered(std::string_view prefix, int digits, std::string_view ending, double time) {
  need_same();
  return path_ / manifest_.numbered(prefix, digits, ending, time,
                                    [this](const std::string& name) { need_new(name); });
}

AtomicWrite RunDirectory::how(const fs::path& file) {
  const auto name = file.lexically_relative(path_);
  AtomicWrite how;
  how.folder = folder_of(name);
  how.only_new = own_.insert(name.string()).second;
  return how;
}

void RunDirectory::write(const std::string& name, std::string_view content) {
  const auto place = file(name);
  write_file_atomically(place, content, how(place));
}

void RunDirectory::make_folder(std::string_view name) {
  need_same();
  make_and_note(path_ / name, made_);
  folders_[std::string(name)] = std::make_shared<const OpenFolder>(top_->made_below(std::string(name)));
}

void RunDirectory::need_same() const {
  lock_->need_same();
  for (const auto& [name, folder] : folders_) folder->need_same();
}

void RunDirectory::keep() {
  if (!std::exchange(kept_, true) && replaces_) delete_aside(*top_);
}

}  // namespace pleiad::run
