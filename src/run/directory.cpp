#include "run/directory.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Where the files of a run wait that is being replaced.
constexpr const char* aside = ".replaced";

/// Every file that a run may write under a fixed name.
constexpr std::array<std::string_view, 22> fixed_names{"config.toml",        "summary.json",
                                                       "diagnostics.txt",    "trajectory.csv",
                                                       "accuracy.txt",       "energy.gp",
                                                       "energy.png",         "energy.svg",
                                                       "radii.gp",           "radii.png",
                                                       "radii.svg",          "movie.mp4",
                                                       "ensemble.csv",       "ensemble.json",
                                                       "ensemble_times.csv", "ensemble.gp",
                                                       "ensemble.png",       "ensemble.svg",
                                                       "checkpoint.pleiad",  "checkpoint.prev.pleiad",
                                                       "pleiad.param",       "snapshots/pleiad.param"};

struct Series {
  const char *folder, *prefix;
};
constexpr std::array<Series, 4> series{
    {{"snapshots", "snapshot_"}, {"snapshots", "member_"}, {"pictures", "frame_"}, {".", "final_states."}}};

/// The final name of a file that a killed process was writing under a temporary one; for any other file its
/// own name.
std::string final_name(const std::string& name) {
  constexpr std::string_view mark = ".tmp.";
  const auto at = name.rfind(mark);
  const bool temporary =
      at != name.npos && name.find_first_not_of("0123456789", at + mark.size()) == name.npos;
  return temporary ? name.substr(0, at) : name;
}

/// A file under a name that a run would write, and that no run has entered into the manifest; "" for none.
std::string stranger_in(const fs::path& directory, const Manifest& manifest) {
  for (const auto name : fixed_names)
    if (const std::string file(name); !manifest.has(file) && has_entry(directory / file)) return file;
  for (const auto& [folder, prefix] : series) {
    std::error_code error;
    for (fs::directory_iterator entry(directory / folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const auto name = entry->path().filename().string();
      const auto file = (fs::path(folder) / name).lexically_normal().string();
      if (name.starts_with(prefix) && !manifest.has(final_name(file))) return file;
    }
  }
  return "";
}

/// Whether some run is there, also one of a version that kept no manifest.
bool holds_a_run(const fs::path& directory, const Manifest& manifest) {
  return !manifest.empty() || has_entry(directory / "checkpoint.pleiad");
}

void need_free(const fs::path& directory, const Manifest& manifest, bool overwrite, const Paths& inputs) {
  if (!overwrite && holds_a_run(directory, manifest))
    throw UsageError(
        fmt::format("'{}' already holds a run; continue it with --resume, replace it with --overwrite, or "
                    "choose another --output",
                    directory.string()));
  if (const auto file = stranger_in(directory, manifest); !file.empty())
    throw UsageError(
        fmt::format("'{}' is in the way and is no file of a run (the directory's {} does not name it): move "
                    "it, or choose another --output",
                    (directory / file).string(), Manifest::name));
  for (const auto& input : inputs)
    for (const auto& [file, time] : manifest.files()) {
      std::error_code ignored;
      if (fs::equivalent(directory / file, input, ignored))
        throw UsageError(
            fmt::format("the initial conditions '{}' are a file of the run that would be replaced: choose "
                        "another --output, or copy the file",
                        input.string()));
    }
}

void remove_file(const fs::path& file) {
  std::error_code failed;
  fs::remove(file, failed);
  if (failed && has_entry(file))
    throw ResourceError(fmt::format("cannot remove '{}': {}", file.string(), failed.message()));
}

void rename_file(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to.parent_path(), failed);
  if (!failed) fs::rename(from, to, failed);
  if (failed)
    throw ResourceError(
        fmt::format("cannot move '{}' to '{}': {}", from.string(), to.string(), failed.message()));
}

/// Removes a folder that is empty.
void remove_folder(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(fs::symlink_status(folder, ignored))) fs::remove(folder, ignored);
}

/// The folders below `top` that the files of a manifest have left empty.
void remove_folders(const fs::path& top, const Manifest& manifest) {
  for (const auto& [file, time] : manifest.files())
    if (const auto folder = fs::path(file).parent_path(); !folder.empty()) remove_folder(top / folder);
}

/// The files of a manifest below `top`, the folders that they leave empty, and last the manifest: as long as
/// anything is left it says so.
void remove_listed(const fs::path& top, const Manifest& manifest) {
  for (const auto& [file, time] : manifest.files()) remove_file(top / file);
  remove_folders(top, manifest);
  remove_file(top / Manifest::name);
}

/// Puts the files that are set aside back; what has taken their places is replaced.
void put_back(const fs::path& directory) {
  const fs::path from = directory / aside;
  if (!has_entry(from / Manifest::name)) return;
  const auto manifest = Manifest::read(from);
  for (const auto& [file, time] : manifest.files())
    if (has_entry(from / file)) rename_file(from / file, directory / file);
  remove_folders(from, manifest);
  rename_file(from / Manifest::name, directory / Manifest::name);
  remove_folder(from);
}

/// The manifest goes first: while there is none, what is in the directory belongs to the one that is set
/// aside.
void set_aside(const fs::path& directory, const Manifest& manifest) {
  const fs::path to = directory / aside;
  if (has_entry(to)) throw UsageError(fmt::format("'{}' is in the way: move it", to.string()));
  rename_file(directory / Manifest::name, to / Manifest::name);
  try {
    for (const auto& [file, time] : manifest.files())
      if (has_entry(directory / file)) rename_file(directory / file, to / file);
  } catch (const Error&) {
    put_back(directory);
    throw;
  }
  remove_folders(directory, manifest);
}

/// The run that was set aside is no longer wanted.
void delete_aside(const fs::path& directory) {
  const fs::path old = directory / aside;
  remove_listed(old, Manifest::read(old));
  remove_folder(old);
}

void remove_temporaries(const fs::path& directory) {
  constexpr std::array<std::string_view, 9> ours{"ensemble",        "final_states", "member_",
                                                 "checkpoint.",     "config.toml",  "summary.json",
                                                 "diagnostics.txt", "snapshot_",    "frame_"};
  for (const char* folder : {".", "snapshots", "pictures"}) remove_leftovers(directory / folder, ours);
}

/// What a process left that was killed while it replaced a run: the new one stands once it has a checkpoint.
void recover(const fs::path& directory) {
  const fs::path old = directory / aside;
  if (!has_entry(old / Manifest::name)) return remove_folder(old);
  const bool begun = has_entry(directory / Manifest::name);
  if (begun && has_entry(directory / "checkpoint.pleiad")) return delete_aside(directory);
  remove_temporaries(directory);
  if (begun) remove_listed(directory, Manifest::read(directory));
  put_back(directory);
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
                                    directory.string(), above.string()));
  if (::access(above.c_str(), W_OK | X_OK) != 0)
    throw ResourceError(fmt::format("cannot make the directory '{}': '{}' cannot be written ({})",
                                    directory.string(), above.string(), std::strerror(errno)));
}

/// Makes a folder and those above it; what was made is added to `made`.
void make_and_note(const fs::path& folder, Paths& made) {
  need_usable(folder);
  Paths missing;
  for (fs::path at = folder; !has_entry(at); at = at.parent_path()) missing.push_back(at);
  for (auto each = missing.rbegin(); each != missing.rend(); ++each) {
    std::error_code failed;
    if (fs::create_directory(*each, failed)) made.push_back(*each);
    if (failed)
      throw ResourceError(fmt::format("cannot make the folder '{}': {}", each->string(), failed.message()));
  }
}

}  // namespace

RunDirectory RunDirectory::claim(const fs::path& directory, bool overwrite, const Paths& inputs) {
  RunDirectory claimed(plain(directory));
  const fs::path& path = claimed.path_;
  make_and_note(path, claimed.made_);
  claimed.lock_ = std::make_unique<DirectoryLock>(path);
  recover(path);
  const auto old = Manifest::read(path);
  need_free(path, old, overwrite, inputs);
  if (!old.empty()) {
    remove_temporaries(path);
    set_aside(path, old);
    claimed.replaces_ = true;
  }
  claimed.begun_ = true;
  claimed.manifest_.open(path);
  return claimed;
}

RunDirectory RunDirectory::reopen(const fs::path& directory) {
  RunDirectory claimed(plain(directory));
  const fs::path& path = claimed.path_;
  claimed.lock_ = std::make_unique<DirectoryLock>(path);
  claimed.kept_ = true;
  recover(path);
  remove_temporaries(path);
  claimed.manifest_ = Manifest::read(path);
  claimed.manifest_.open(path);
  // A run whose manifest was lost: what is there under its names is its own, at times that are not known.
  for (auto file = stranger_in(path, claimed.manifest_); !file.empty();
       file = stranger_in(path, claimed.manifest_))
    claimed.manifest_.add(file);
  return claimed;
}

void RunDirectory::need_claimable(const fs::path& directory, bool overwrite, const Paths& inputs) {
  const fs::path path = plain(directory);
  need_usable(path);
  if (has_entry(path)) need_free(path, Manifest::read(path), overwrite, inputs);
}

bool RunDirectory::was_being_replaced(const fs::path& directory) {
  return has_entry(directory / aside / Manifest::name);
}

RunDirectory::~RunDirectory() {
  if (kept_ || !lock_) return;
  try {
    lock_->need_same();
    lock_->remove_at_end();
    if (begun_) remove_listed(path_, manifest_);
    put_back(path_);
  } catch (const std::exception&) {
    // The next run in this directory finds what is set aside, and puts it back.
  }
  lock_.reset();
  std::for_each(made_.rbegin(), made_.rend(), remove_folder);
}

fs::path RunDirectory::file(const std::string& name) {
  lock_->need_same();
  manifest_.add(name);
  return path_ / name;
}

fs::path RunDirectory::numbered(std::string_view prefix, int digits, std::string_view ending, double time) {
  lock_->need_same();
  return path_ / manifest_.numbered(prefix, digits, ending, time);
}

void RunDirectory::make_folder(std::string_view name) {
  lock_->need_same();
  make_and_note(path_ / name, made_);
}

void RunDirectory::keep() {
  if (!std::exchange(kept_, true) && replaces_) delete_aside(path_);
}

}  // namespace pleiad::run
