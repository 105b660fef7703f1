#include "run/manifest.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view head = "# Files of this run: --overwrite deletes these and no others.";

/// A file below the directory, without detours.
bool stays_inside(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && path.is_relative() && path.lexically_normal().string() == name &&
         *path.begin() != ".." && path.has_filename() && name != ".";
}

/// The number between `prefix` and `ending`, if `file` is one of that series.
std::optional<std::uint64_t> number_in(std::string_view file, std::string_view prefix,
                                       std::string_view ending) {
  if (file.size() <= prefix.size() + ending.size() || !file.starts_with(prefix) || !file.ends_with(ending))
    return std::nullopt;
  const auto digits = file.substr(prefix.size(), file.size() - prefix.size() - ending.size());
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

Manifest Manifest::read(const fs::path& directory) {
  Manifest manifest;
  const fs::path file = directory / name;
  if (!has_entry(file)) return manifest;
  const std::string text = read_file(file);
  // A line that the end of the file cuts off was being written when the run was killed; its file was not yet
  // made.
  manifest.bytes_ = text.rfind('\n') + 1;
  std::istringstream lines(text.substr(0, manifest.bytes_));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto tab = line.find('\t');
    const std::string entry = line.substr(0, tab);
    if (!stays_inside(entry))
      throw InputError(fmt::format("{}: '{}' is not the name of a file in this directory; remove the line",
                                   file.string(), entry));
    manifest.files_[entry] = tab == line.npos ? "" : line.substr(tab + 1);
  }
  return manifest;
}

void Manifest::open(const fs::path& directory) {
  out_.emplace(bytes_ > 0 ? AppendedFile::resume(directory / name, bytes_)
                          : AppendedFile::create(directory / name));
  if (bytes_ > 0) return;
  out_->append(head);
  out_->flush();
}

void Manifest::add(const std::string& file, const std::string& time) {
  const auto [entry, is_new] = files_.try_emplace(file, time);
  if (!is_new) return;
  out_->append(time.empty() ? file : file + "\t" + time);
  out_->flush();
}

Manifest::Series& Manifest::series(std::string_view prefix, std::string_view ending) {
  const auto [found, is_new] = series_.try_emplace(fmt::format("{}*{}", prefix, ending));
  if (!is_new) return found->second;
  for (const auto& [file, time] : files_)
    if (const auto number = number_in(file, prefix, ending)) {
      found->second.file_at[time] = file;
      found->second.next = std::max(found->second.next, *number + 1);
    }
  return found->second;
}

std::string Manifest::numbered(std::string_view prefix, int digits, std::string_view ending, double time) {
  auto& known = series(prefix, ending);
  const std::string at = fmt::format("{}", time);
  auto& file = known.file_at[at];
  if (file.empty()) file = fmt::format("{}{:0{}}{}", prefix, known.next++, digits, ending);
  add(file, at);
  return file;
}

}  // namespace pleiad::run
