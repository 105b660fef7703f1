#include "run/aside.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "run/names.hpp"

#include <pleiad/error.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Folder for the files of a run that is being replaced.
const std::string aside = ".replaced", list(Manifest::name);

enum class Missing { passed_over, made };

/// Calls `use` with the folder below `top` that holds `file`, and the name of the file there.
void in_its_folder(const OpenFolder& top, const std::string& file, Missing folders,
                   const std::function<void(const OpenFolder&, const std::string&)>& use) {
  const fs::path path(file);
  std::optional<OpenFolder> below;
  const OpenFolder* at = &top;
  for (const auto& name : path.parent_path()) {
    auto next =
        folders == Missing::made ? std::optional(at->made_below(name.string())) : at->below(name.string());
    if (!next) return;
    below = std::move(next);
    at = &*below;
  }
  use(*at, path.filename().string());
}

/// The folders below `top` that the files of a manifest have left empty.
void remove_folders(const OpenFolder& top, const Manifest& manifest) {
  std::set<std::string> folders;
  for (const auto& [file, time] : manifest.files())
    if (const auto folder = fs::path(file).parent_path(); !folder.empty()) folders.insert(folder.string());
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder)
    in_its_folder(top, *folder, Missing::passed_over,
                  [](const OpenFolder& in, const std::string& name) { in.remove_if_empty(name); });
}

void move_listed(const OpenFolder& from, const OpenFolder& to, const Manifest& manifest) {
  for (const auto& [file, time] : manifest.files())
    in_its_folder(
        from, file, Missing::passed_over, [&, &file = file](const OpenFolder& here, const std::string& name) {
          if (!here.has(name) || here.has_folder(name)) return;
          in_its_folder(to, file, Missing::made,
                        [&](const OpenFolder& there, const std::string&) { here.move(name, there); });
        });
}

/// The entries of a manifest in an opened folder, without names that no run can have; none if it is not the
/// manifest of a run.
std::optional<Manifest> salvaged(const OpenFolder& folder) {
  std::error_code unknown;
  if (fs::symlink_status(folder.path() / list, unknown).type() != fs::file_type::regular) return std::nullopt;
  const auto text = read_file(folder.path() / list);
  return Manifest::is_signed(text) ? std::optional(Manifest::salvage(text)) : std::nullopt;
}

/// The folder with the files that are set aside; none if there is none, or if something else has that name.
std::optional<OpenFolder> folder_aside(const OpenFolder& directory) {
  return directory.has_folder(aside) ? directory.below(aside) : std::nullopt;
}

}  // namespace

void need_movable(const OpenFolder& directory, const Manifest& manifest) {
  for (const auto& [file, time] : manifest.files())
    in_its_folder(directory, file, Missing::passed_over,
                  [&, &file = file](const OpenFolder& in, const std::string& name) {
                    if (in.has_folder(name))
                      throw InputError(
                          fmt::format("{}: '{}' is not the name of a file but of a folder; remove the line",
                                      (directory.path() / list).string(), file));
                  });
}

void set_aside(const OpenFolder& directory, const Manifest& manifest) {
  if (directory.has(aside))
    throw UsageError(fmt::format("'{}' is in the way: move it", (directory.path() / aside).string()));
  const OpenFolder to = directory.made_below(aside);
  try {
    directory.move(list, to);
    move_listed(directory, to, manifest);
  } catch (const Error&) {
    put_back(directory);
    throw;
  }
  remove_folders(directory, manifest);
}

void put_back(const OpenFolder& directory) {
  const auto from = folder_aside(directory);
  if (!from) return;
  if (const auto manifest = salvaged(*from)) {
    move_listed(*from, directory, *manifest);
    remove_folders(*from, *manifest);
    from->move(list, directory);
  }
  directory.remove_if_empty(aside);
}

void remove_listed(const OpenFolder& directory, const Manifest& manifest) {
  for (const auto& [file, time] : manifest.files())
    in_its_folder(directory, file, Missing::passed_over, [](const OpenFolder& in, const std::string& name) {
      if (!in.has_folder(name)) in.remove(name);
    });
  remove_folders(directory, manifest);
  directory.remove(list);
}

void delete_aside(const OpenFolder& directory) {
  const auto old = folder_aside(directory);
  if (!old) return;
  if (const auto manifest = salvaged(*old)) remove_listed(*old, *manifest);
  directory.remove_if_empty(aside);
}

void recover(const OpenFolder& directory) {
  const auto old = folder_aside(directory);
  if (!old) return;
  if (!salvaged(*old)) return directory.remove_if_empty(aside);
  const auto begun = salvaged(directory);
  // Also of several ranks.
  if (begun && (directory.has("checkpoint.pleiad") || directory.has("checkpoint.ranks.pleiad")))
    return delete_aside(directory);
  remove_temporaries(directory.path());
  if (begun) remove_listed(directory, *begun);
  put_back(directory);
}

bool is_aside(const fs::path& directory) { return has_entry(directory / aside / list); }

}  // namespace pleiad::run
