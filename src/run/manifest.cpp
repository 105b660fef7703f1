#include "run/manifest.hpp"

#include "core/text.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"
#include "io/durable/paths.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view head = "# Files of this run: --overwrite deletes these and no others.";
static_assert(head.starts_with(manifest_signature));

/// Files in the directory of a run that a list must not name.
constexpr std::array<std::string_view, 4> never_listed{manifest_name, ".lock", ".replaced", "stop"};

/// A file below the directory, without detours, that a run can have made.
bool can_be_listed(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || !path.is_relative() || path.lexically_normal().string() != name ||
      *path.begin() == ".." || !path.has_filename() || name == ".")
    return false;
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) return false;
  if (name == "snapshots" || name == "pictures") return false;
  return std::ranges::find(never_listed, path.begin()->string()) == never_listed.end();
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

bool Manifest::is_signed(std::string_view text) {
  // Killed while it wrote the first line.
  const bool begun = head.starts_with(text);
  return begun || text.starts_with(manifest_signature);
}

/// `refuse` is called with the error of a line, which is then skipped.
template <class Refuse>
void Manifest::take(std::string_view text, const Refuse& refuse) {
  // A line that the end of the file cuts off was being written when the run was killed; its file was not yet
  // made.
  bytes_ = text.rfind('\n') + 1;
  for (std::string_view rest = text.substr(0, bytes_); !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (line.empty() || line.starts_with('#')) continue;
    const auto tab = line.find('\t');
    const std::string entry(line.substr(0, tab));
    if (!can_be_listed(entry)) refuse(entry, "is not the name of a file of a run in this directory");
    else if (!files_.emplace(entry, tab == line.npos ? "" : line.substr(tab + 1)).second)
      refuse(entry, "comes twice");
  }
  for (auto file = files_.begin(); file != files_.end();) {
    const auto below = files_.lower_bound(file->first + "/");
    const bool folder = below != files_.end() && below->first.starts_with(file->first + "/");
    if (folder) refuse(file->first, "is a folder of other files here");
    file = folder ? files_.erase(file) : std::next(file);
  }
}

Manifest Manifest::read(const fs::path& directory) {
  Manifest manifest;
  const fs::path file = directory / name;
  if (!has_entry(file)) return manifest;
  const std::string text = read_file(file);
  if (!is_signed(text))
    throw InputError(
        fmt::format("{} is not the list of a run's files: its first line does not begin with '{}'; "
                    "move it, or choose another directory",
                    file.string(), manifest_signature));
  manifest.take(text, [&](const std::string& entry, std::string_view why) {
    throw InputError(fmt::format("{}: '{}' {}; remove the line", file.string(), one_line(entry), why));
  });
  return manifest;
}

Manifest Manifest::salvage(std::string_view text) {
  Manifest manifest;
  if (is_signed(text)) manifest.take(text, [](const std::string&, std::string_view) {});
  return manifest;
}

void Manifest::open(const std::shared_ptr<const OpenFolder>& directory) {
  AtomicWrite how;
  how.folder = directory;
  const fs::path file = directory->path() / name;
  if (bytes_ > 0) {
    out_.emplace(AppendedFile::resume(file, bytes_, how));
    return;
  }
  // One that is there was begun and has no whole line.
  how.only_new = !directory->has(std::string(name));
  out_.emplace(AppendedFile::create(file, how));
  out_->append(head);
  out_->flush();
}

void Manifest::remark(const std::string& text) {
  out_->append("# " + one_line(text));
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
  for (const auto* names : {&files_, &avoided_})
    for (const auto& [file, time] : *names)
      if (const auto number = number_in(file, prefix, ending)) {
        if (names == &files_) found->second.file_at[time] = file;
        found->second.next = std::max(found->second.next, *number + 1);
      }
  return found->second;
}

std::string Manifest::numbered(std::string_view prefix, int digits, std::string_view ending, double time,
                               const std::function<void(const std::string&)>& may_enter) {
  auto& known = series(prefix, ending);
  const std::string at = fmt::format("{}", time);
  if (const auto entered = known.file_at.find(at); entered != known.file_at.end()) return entered->second;
  const auto file = fmt::format("{}{:0{}}{}", prefix, known.next, digits, ending);
  may_enter(file);
  ++known.next;
  known.file_at[at] = file;
  add(file, at);
  return file;
}

}  // namespace pleiad::run
