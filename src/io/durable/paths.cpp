#include "io/durable/paths.hpp"

#include "core/text.hpp"
#include "io/durable/descriptor.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view action, const fs::path& path, const std::error_code& why) {
  throw ResourceError(fmt::format("cannot {} '{}': {}", action, path.string(), why.message()),
                      Error::Code::cannot_write);
}

fs::file_type type_of(const fs::path& path) {
  std::error_code failed;
  const auto type = fs::status(path, failed).type();
  if (type == fs::file_type::none) refuse("look at", path, failed);
  return type;
}

}  // namespace

bool path_exists(const fs::path& path) { return type_of(path) != fs::file_type::not_found; }

bool has_entry(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
}

bool is_input_folder(const fs::path& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown);
}

bool is_folder(const fs::path& path) { return type_of(path) == fs::file_type::directory; }

void make_folders(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && !is_folder(folder)) failed = std::make_error_code(std::errc::not_a_directory);
  if (failed) refuse("make the folder", folder, failed);
}

fs::path absolute_path(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  if (failed) refuse("find the folder of", path, failed);
  return whole.lexically_normal();
}

void need_folder_of(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) fail(file, "create");
  if (!S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    fail(file, "create");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail(file, "create");
}

fs::path real_path(const fs::path& path) {
  std::error_code failed;
  auto whole = fs::absolute(path, failed);
  if (!failed) whole = fs::weakly_canonical(whole, failed);
  return failed ? path : whole;
}

std::string text_path(const fs::path& path) {
  std::string whole = absolute_path(path).string();
  if (!is_text(whole))
    throw UsageError(
        fmt::format("the name '{}' is not UTF-8, so that no configuration, checkpoint or summary "
                    "could hold it; rename its folders, or work in another",
                    one_line(whole)));
  return whole;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    entries.push_back(entry->path());
  if (failed) refuse("read the folder", folder, failed);
  std::ranges::sort(entries);
  return entries;
}

void remove_tree(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (failed) refuse("remove", path, failed);
}

}  // namespace pleiad
