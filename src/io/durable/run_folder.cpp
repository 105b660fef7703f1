/// See run_folder.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/run_folder.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

bool is_signed(const fs::path& manifest) {
  const Descriptor in = open_file(manifest, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (!in || ::fstat(in.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::array<char, manifest_signature.size()> start{};
  return read_all(in.get(), start.data(), start.size()) == static_cast<ssize_t>(start.size()) &&
         std::string_view(start.data(), start.size()) == manifest_signature;
}

}  // namespace

std::optional<fs::path> run_above(const fs::path& file) {
  for (fs::path folder = real_path(file).parent_path();; folder = folder.parent_path()) {
    if (is_signed(folder / manifest_name)) return folder;
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

std::set<std::string> files_of_run(const fs::path& directory) {
  std::set<std::string> files{std::string(manifest_name), ".lock"};
  std::string text;
  try {
    text = read_file(directory / manifest_name);
  } catch (const Error&) {
    return files;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    if (!line.starts_with('#')) files.emplace(line.substr(0, line.find('\t')));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return files;
}

}  // namespace pleiad
